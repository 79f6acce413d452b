package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the golden scripts cannot show: races with the grant without a lock, and turns alone. */
class FairQueueTest {

  private final FairQueue queue = new FairQueue();
  private final List<Waiter> granted = new ArrayList<>();

  /**
   * A thread took from the share, found none at the disk and gave back; meanwhile another one found
   * the share empty. When the first one stands in line, the second one is asked again.
   */
  @Test
  void add_afterTokensCameBack_servesTheOneWhoMissedThem() {
    BudgetNode disk = node(null, Rate.UNLIMITED);
    BudgetNode share = node(disk, Rate.perSecond(1));
    assertTrue(share.tryTake(2048, 0));
    assertTrue(share.tryTake(2048, 0));
    Waiter missed = wait(share, 2048);
    queue.serve(0, granted::add);
    assertEquals(2048L * 1_000_000_000, queue.nanosUntilNext(0));
    share.giveBack(2048, 0);
    Waiter gaveBack = wait(share, 2048);
    queue.serve(0, granted::add);
    assertEquals(List.of(missed), granted);
    assertFalse(gaveBack.isGranted());
  }

  /** Pieces of one byte, as of unbuffered writers: the shares are still 600 to 1000. */
  @Test
  void serve_smallPiecesAndLargeWeights_sharesByWeight() {
    BudgetNode disk = node(null, Rate.perSecond(Rate.MAX_BYTES_PER_SECOND));
    BudgetNode light = new BudgetNode(disk, BudgetOptions.named("light").withWeight(600), 0);
    BudgetNode heavy = new BudgetNode(disk, BudgetOptions.named("heavy").withWeight(1000), 0);
    for (int i = 0; i < 2000; i++) {
      wait(light, 1);
      wait(heavy, 1);
    }
    queue.serve(0, granted::add);
    assertEquals(600, granted.subList(0, 1600).stream().filter(w -> w.node == light).count(), 1);
  }

  /** So much passed while it was away that the tags have gone round: its turn is now, not then. */
  @Test
  void start_afterTheTagsWentRound_joinsAtThePresent() {
    BudgetNode flow = node(null, Rate.UNLIMITED);
    flow.start(-5);
    flow.charge(1);
    for (long virtualTag : new long[] {Long.MIN_VALUE, Long.MIN_VALUE / 2, Long.MAX_VALUE}) {
      flow.start(virtualTag);
      assertEquals(virtualTag, flow.startTag);
    }
    flow.start(-5);
    assertEquals(flow.finishTag, flow.startTag);
  }

  private Waiter wait(BudgetNode node, long bytes) {
    Waiter waiter = new Waiter(node, bytes, new ParkingStrategy(new AutoClock()), 0);
    queue.add(waiter);
    return waiter;
  }

  private static BudgetNode node(BudgetNode parent, Rate rate) {
    return new BudgetNode(parent, BudgetOptions.named("node").withRate(rate), 0);
  }
}
