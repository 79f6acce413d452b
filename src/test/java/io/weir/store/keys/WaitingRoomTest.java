package io.weir.store.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is next when there is room. */
class WaitingRoomTest {

  private static final long POSSIBLE = 100;
  private static final long TURN_NANOS = WaitingRoom.TURN.toNanos();

  private final WaitingRoom room = new WaitingRoom();

  /** One that waits; those of one name are the same. */
  private record Named(String name) implements WaitingRoom.Waiter {

    @Override
    public void enqueue() {}

    @Override
    public void load() {}
  }

  private void add(String name, long neededBytes) {
    room.add(new Named(name), neededBytes);
  }

  private List<String> take(long roomBytes, long possibleBytes, long nowNanos) {
    List<String> taken = new ArrayList<>();
    long left = roomBytes;
    for (long bytes = 0; bytes >= 0; left -= bytes) {
      bytes = room.take(left, possibleBytes, nowNanos, next -> taken.add(((Named) next).name()));
    }
    return taken;
  }

  @Test
  void take_withRoom_isInTheOrderOfArrival() {
    add("large", 50);
    add("small", 1);
    add("middle", 20);
    assertEquals(List.of("large", "small", "middle"), take(POSSIBLE, POSSIBLE, 0));
    assertTrue(room.isEmpty());
  }

  @Test
  void take_oldestDoesNotFit_smallOnesOvertakeIt() {
    add("large", 50);
    add("middle", 20);
    add("small", 1);
    assertEquals(List.of("small", "middle"), take(30, POSSIBLE, 0));
    assertFalse(room.isEmpty());
    assertEquals(List.of("large"), take(50, POSSIBLE, 0));
  }

  @Test
  void take_oldestWasOvertakenByItsOwnSize_roomIsKeptForIt_forItsTurn() {
    add("large", 50);
    for (int i = 0; i < 7; i++) {
      add("small" + i, 10);
    }
    assertEquals(5, take(49, POSSIBLE, 0).size() + take(10, POSSIBLE, 0).size());
    assertEquals(List.of(), take(49, POSSIBLE, TURN_NANOS - 1), "room is kept for the large one");
    assertEquals(List.of("small5", "small6"), take(49, POSSIBLE, 2 * TURN_NANOS));
    assertEquals(List.of("large"), take(50, POSSIBLE, 2 * TURN_NANOS));
  }

  @Test
  void take_oldestHasItsTurn_isNextWhenTheRoomComes() {
    add("large", 50);
    for (int i = 0; i < 7; i++) {
      add("small" + i, 25);
    }
    assertEquals(List.of("small0"), take(49, POSSIBLE, 0));
    assertEquals(List.of("small1"), take(49, POSSIBLE, 0));
    assertEquals(List.of(), take(49, POSSIBLE, 0));
    assertEquals(List.of("large", "small2"), take(75, POSSIBLE, 1));
  }

  @Test
  void take_oneThatCanNeverFit_holdsUpNoneUntilTheBoundRises() {
    add("huge", 101);
    add("large", 100);
    add("small", 60);
    assertEquals(List.of("small"), take(60, POSSIBLE, 0));
    assertEquals(List.of("large"), take(100, POSSIBLE, 0));
    assertEquals(List.of(), take(100, POSSIBLE, 0));
    assertEquals(List.of("huge"), take(101, 101, 0));
    assertTrue(room.isEmpty());
  }

  @Test
  void add_twiceAndRemove_isThereOnceAndThenGone() {
    add("a", 1);
    add("b", 1);
    add("a", 1);
    room.remove(new Named("b"));
    assertEquals(List.of("a"), take(POSSIBLE, POSSIBLE, 0));
    assertTrue(room.isEmpty());
  }
}
