package io.weir.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.control.GoalOptions;
import io.weir.control.GoalReason;
import io.weir.control.Latencies;
import io.weir.control.LatencyGoal;
import io.weir.control.Percentile;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LatencyGoalMetricsTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void meters_tellWhatTheGoalTells() throws InterruptedException {
    ByteBudget budget =
        new ByteBudget(BudgetOptions.named("volume").withRate(Rate.perSecond(40_000_000)));
    CountDownLatch decided = new CountDownLatch(1);
    try (LatencyGoal goal =
            new LatencyGoal(budget, List.of(), GoalOptions.DEFAULT.withFloor(2_000_000));
        LatencyGoalMetrics metrics = new LatencyGoalMetrics(goal)) {
      Latencies searches = goal.hold("search", Percentile.P99, Duration.ofMillis(1));
      long heldNanos = System.nanoTime();
      metrics.bindTo(registry);
      assertEquals(Double.NaN, gauge("seen"), "without samples");

      while (System.nanoTime() - heldNanos < 2_000_000) {
        Thread.onSpinWait(); // what began before is no evidence
      }
      searches.record(200_000);
      searches.record(2_000_000);
      goal.addListener(decision -> decided.countDown());
      decided.await();

      assertEquals(0.001, gauge("limit"));
      assertEquals(0.002, gauge("seen"), 0.002 / 8, "by buckets");
      assertEquals(2, counter("samples"));
      assertEquals(1, counter("misses"));
      assertEquals(
          2_000_000,
          registry.get("lucene.merge.goal.floor").tag("budget", "volume").gauge().value());
    }
    assertEquals(0, registry.getMeters().size(), "closed");
  }

  /** Each reason is a series from the beginning, so that a rate over it has no gap. */
  @Test
  void decisions_areCountedByReason() throws InterruptedException {
    CountDownLatch decided = new CountDownLatch(1);
    try (LatencyGoal goal =
            new LatencyGoal(ByteBudget.unlimited(), List.of(), GoalOptions.DEFAULT);
        LatencyGoalMetrics metrics = new LatencyGoalMetrics(goal)) {
      metrics.bindTo(registry);
      goal.addListener(decision -> decided.countDown());
      goal.hold("search", Percentile.P99, Duration.ofMillis(100));
      decided.await();

      GoalReason first = goal.snapshot().last().orElseThrow().reason();
      String tag = first.name().toLowerCase(Locale.ROOT).replace('_', '-');
      assertTrue(decisions(tag) >= 1, tag);
      assertEquals(0, decisions("queueing"));
      assertEquals(
          GoalReason.values().length,
          registry.get("lucene.merge.goal.decisions").functionCounters().size());
    }
  }

  private double gauge(String name) {
    return registry.get("lucene.merge.goal." + name).tag("latency", "search").gauge().value();
  }

  private double counter(String name) {
    return registry
        .get("lucene.merge.goal." + name)
        .tag("latency", "search")
        .functionCounter()
        .count();
  }

  private double decisions(String reason) {
    return registry
        .get("lucene.merge.goal.decisions")
        .tag("reason", reason)
        .functionCounter()
        .count();
  }
}
