package io.weir.rate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.rate.RequestQueue.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the golden scripts cannot show: races with the grant without a lock, and turns alone. */
class FairQueueTest {

  private final FairQueue queue = new FairQueue();
  private final Map<BudgetNode, RequestQueue> requests = new HashMap<>();
  private final List<Request> granted = new ArrayList<>();

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
    Request missed = wait(share, 2048);
    queue.serve(0, granted::add);
    assertEquals(2048L * 1_000_000_000, queue.nanosUntilNext(0));
    share.giveBack(2048, 0);
    Request gaveBack = wait(share, 2048);
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
    assertEquals(600, granted.subList(0, 1600).stream().filter(w -> w.node() == light).count(), 1);
  }

  /** A short absence is made good, a long one only up to the credit; one that is new has none. */
  @Test
  void start_afterAnAbsence_joinsWhereItLeftButNoFurtherBackThanTheCredit() {
    BudgetNode flow = node(null, Rate.UNLIMITED);
    flow.start(1000, 1 << 30);
    assertEquals(1000, flow.startTag);
    flow.charge(100);
    long oneByte = (flow.finishTag - flow.startTag) / 100;
    long later = flow.finishTag + 50 * oneByte;
    flow.start(later, 50);
    assertEquals(flow.finishTag, flow.startTag);
    flow.start(later, 49);
    assertEquals(later - 49 * oneByte, flow.startTag);
  }

  /** So much passed while it was away that the tags have gone round: its turn is now, not then. */
  @Test
  void start_afterTheTagsWentRound_joinsAtThePresent() {
    BudgetNode flow = node(null, Rate.UNLIMITED);
    flow.start(-5, 0);
    flow.charge(1);
    for (long virtualTag : new long[] {Long.MIN_VALUE, Long.MIN_VALUE / 2, Long.MAX_VALUE}) {
      flow.start(virtualTag, 0);
      assertEquals(virtualTag, flow.startTag);
    }
    flow.start(-5, 0);
    assertEquals(flow.finishTag, flow.startTag);
  }

  /**
   * Anything at any time, from clocks that are about to wrap: as long as time can help there is one
   * who is next, and once all have a rate everybody is served and nothing is left behind.
   */
  @Test
  void serve_anyScript_leavesNobodyBehind() {
    for (int seed = 0; seed < 500; seed++) {
      new Script(new Random(seed)).play();
    }
  }

  private static final class Script {

    private final Random random;
    private final FairQueue queue = new FairQueue();
    private final BudgetNode[] nodes = new BudgetNode[6];
    private final Map<BudgetNode, RequestQueue> requests = new HashMap<>();
    private final List<Request> waiting = new ArrayList<>();
    private long nowNanos;

    Script(Random random) {
      this.random = random;
      nowNanos = random.nextBoolean() ? Long.MAX_VALUE - random.nextInt(1_000_000_000) : -1;
      for (int i = 0; i < nodes.length; i++) {
        BudgetNode parent = i == 0 ? null : nodes[random.nextInt(i)];
        BudgetOptions options = BudgetOptions.named("node").withRate(anyRate());
        nodes[i] = new BudgetNode(parent, options.withWeight(1 + random.nextInt(1000)), nowNanos);
      }
    }

    void play() {
      for (int step = 0; step < 200; step++) {
        act(nodes[random.nextInt(nodes.length)]);
        serve();
      }
      for (BudgetNode node : nodes) {
        node.changeRate(Rate.perSecond(1_000_000), nowNanos);
        queue.reconsider(node);
      }
      serve();
      for (int step = 0; !waiting.isEmpty(); step++) {
        assertTrue(step < 10_000, "no end in sight");
        nowNanos += queue.nanosUntilNext(nowNanos);
        serve();
      }
      for (BudgetNode node : nodes) {
        BudgetSnapshot snapshot = node.snapshotLocked(nowNanos);
        assertEquals(0, snapshot.waiting());
        assertTrue(snapshot.waitNanos() >= 0 && snapshot.forgivenBytes() >= 0);
        assertFalse(node.queued || node.throttled || node.isBacklogged());
      }
    }

    private void act(BudgetNode node) {
      switch (random.nextInt(8)) {
        case 0 -> {
          node.changeRate(anyRate(), nowNanos);
          queue.reconsider(node);
        }
        case 1 -> queue.setDebited(node, random.nextInt(3) == 0);
        case 2 -> {
          if (!waiting.isEmpty()) {
            queue.remove(waiting.remove(random.nextInt(waiting.size())), nowNanos);
          }
        }
        case 3, 4 -> {
          long untilNext = queue.nanosUntilNext(nowNanos);
          nowNanos += Math.min(untilNext, 1 + random.nextInt(2_000_000_000));
        }
        default -> {
          long bytes = random.nextInt(9) == 0 ? 1L << 50 : 1 + random.nextInt(100_000);
          WaitStrategy strategy = new ParkingStrategy(new AutoClock());
          RequestQueue own = requests.computeIfAbsent(node, RequestQueue::new);
          waiting.add(new Request(own, bytes, strategy, nowNanos));
          queue.add(waiting.get(waiting.size() - 1));
        }
      }
    }

    private void serve() {
      queue.serve(nowNanos, waiting::remove);
      if (queue.nanosUntilNext(nowNanos) != TokenBucket.FOREVER) {
        assertTrue(waiting.contains(queue.next()));
      }
    }

    private Rate anyRate() {
      return switch (random.nextInt(5)) {
        case 0 -> Rate.PAUSED;
        case 1 -> Rate.UNLIMITED;
        case 2 -> Rate.perSecond(1 + random.nextInt(5000));
        case 3 -> Rate.perSecond(Rate.MAX_BYTES_PER_SECOND);
        default -> Rate.perSecond(100_000 + random.nextInt(50_000_000));
      };
    }
  }

  private Request wait(BudgetNode node, long bytes) {
    RequestQueue own = requests.computeIfAbsent(node, RequestQueue::new);
    Request request = new Request(own, bytes, new ParkingStrategy(new AutoClock()), 0);
    queue.add(request);
    return request;
  }

  private static BudgetNode node(BudgetNode parent, Rate rate) {
    return new BudgetNode(parent, BudgetOptions.named("node").withRate(rate), 0);
  }
}
