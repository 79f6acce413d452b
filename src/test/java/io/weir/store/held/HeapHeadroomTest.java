package io.weir.store.held;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeapHeadroomTest {

  private static final int MAX = 1000;
  private static final long MINUTE_NANOS = 60_000_000_000L;
  private static final long NEVER = HeapHeadroom.Pool.NEVER;

  private final AutoClock clock = new AutoClock();
  private List<HeapHeadroom.Pool> pools = List.of();

  /** A heap that is full of something, of which the pools tell more. */
  private final HeapHeadroom room = new HeapHeadroom(MAX, () -> MAX, () -> pools, clock);

  private void generations(long young, long youngAfter, long old, long oldAfter) {
    pools =
        List.of(
            new HeapHeadroom.Pool(true, young, youngAfter),
            new HeapHeadroom.Pool(false, old, oldAfter));
  }

  private void onePool(long used, long after) {
    pools = List.of(new HeapHeadroom.Pool(true, used, after));
  }

  @Test
  void admits_leavesTheApplicationAQuarterOfTheHeap() {
    HeapHeadroom known = Heaps.of(MAX, () -> 600);
    assertTrue(known.admits(150));
    assertFalse(known.admits(151));
  }

  @Test
  void room_withoutMemoryBeans_countsAllGarbage() {
    assertEquals(-250, room.roomBytes());
  }

  @Test
  void room_beforeTheFirstCollection_countsAllGarbage() {
    generations(400, NEVER, 200, NEVER);
    assertEquals(150, room.roomBytes());
  }

  /** Serial, Parallel and G1: most of what is in eden is garbage. */
  @Test
  void room_afterAYoungCollection_doesNotCountWhatWasAllocatedSince() {
    generations(400, 10, 200, NEVER);
    assertEquals(540, room.roomBytes());
  }

  /** Shenandoah: one pool, and garbage between collections once counted as used. */
  @Test
  void room_inACollectorWithoutAges_countsWhatTheLastCollectionHasLeft() {
    onePool(900, 300);
    assertEquals(450, room.roomBytes());
    clock.advanceNanos(10 * MINUTE_NANOS);
    assertEquals(450, room.roomBytes(), "long without a collection");
  }

  /** G1 leaves garbage among the old objects in most collections. */
  @Test
  void room_afterCollectionsOfOldObjects_isTheLargestOfTheLastMinute() {
    generations(100, 0, 600, NEVER);
    assertEquals(150, room.roomBytes());
    generations(100, 0, 700, 680);
    assertEquals(70, room.roomBytes());
    clock.advanceNanos(MINUTE_NANOS / 2);
    generations(100, 0, 700, 300);
    assertEquals(450, room.roomBytes());
    clock.advanceNanos(MINUTE_NANOS / 2);
    generations(100, 0, 700, 650);
    assertEquals(450, room.roomBytes());
    clock.advanceNanos(MINUTE_NANOS / 2 + 1);
    assertEquals(100, room.roomBytes(), "what was promoted since is likely to live");
    clock.advanceNanos(MINUTE_NANOS);
    assertEquals(50, room.roomBytes());
  }

  /** A full collection at the start of the JVM says nothing about an application that grew. */
  @Test
  void room_longAfterACollectionOfOldObjects_countsAllThatWasPromoted() {
    generations(0, 0, 10, 10);
    room.roomBytes();
    generations(100, 0, 600, 10);
    assertEquals(150, room.roomBytes());
  }

  @Test
  void room_countsWhatIsPromised_untilItIsDropped() {
    onePool(900, 300);
    room.promise(100);
    assertEquals(350, room.roomBytes());
    room.drop(100, 0);
    assertEquals(450, room.roomBytes());
  }

  /** What Weir holds is in the figure of a collection after it, and in none before. */
  @Test
  void room_countsWhatIsFilledOnce() {
    onePool(900, 300);
    room.roomBytes();
    room.promise(100);
    room.fill(100);
    assertEquals(350, room.roomBytes());
    onePool(950, 400);
    assertEquals(350, room.roomBytes());
    room.drop(0, 100);
    assertEquals(450, room.roomBytes(), "garbage until the next collection");
    onePool(950, 300);
    assertEquals(450, room.roomBytes());
  }

  /** A collection has taken the copies: without them the application has not become smaller. */
  @Test
  void room_afterAReclaim_isNotCountedTwice() {
    onePool(900, 300);
    room.roomBytes();
    room.promise(100);
    room.fill(100);
    room.roomBytes();
    onePool(950, 700); // all of it the application's
    room.roomBytes();
    room.reclaimed(100);
    assertEquals(50, room.roomBytes());
  }

  @Test
  void ofThisJvm_admitsLittleAndNotTheWholeHeap() {
    assertTrue(HeapHeadroom.OF_THIS_JVM.admits(1));
    assertFalse(HeapHeadroom.OF_THIS_JVM.admits(Runtime.getRuntime().maxMemory()));
  }
}
