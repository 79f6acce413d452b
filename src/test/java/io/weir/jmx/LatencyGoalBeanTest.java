package io.weir.jmx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.GoalOptions;
import io.weir.control.Latencies;
import io.weir.control.LatencyGoal;
import io.weir.control.Percentile;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LatencyGoalBeanTest {

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

  @Test
  void attributes_tellWhatTheGoalTells() throws Exception {
    ByteBudget budget =
        new ByteBudget(BudgetOptions.named("goal").withRate(Rate.perSecond(40_000_000)));
    ObjectName name = new ObjectName("io.weir:type=LatencyGoal,name=goal");
    CountDownLatch decided = new CountDownLatch(1);
    try (LatencyGoal goal = new LatencyGoal(budget, List.of(), GoalOptions.DEFAULT);
        LatencyGoalBean bean = LatencyGoalBean.register(goal)) {
      assertTrue(server.isRegistered(name), bean::toString);
      goal.addListener(decision -> decided.countDown());
      Latencies searches = goal.hold("search", Percentile.P99, Duration.ofMillis(100));
      searches.record(Duration.ofMillis(200).toNanos());
      decided.await();

      assertEquals(40_000_000L, server.getAttribute(name, "CeilingBytesPerSecond"));
      assertEquals(10_000_000L, server.getAttribute(name, "BytesPerSecond"));
      assertEquals(1_000_000L, server.getAttribute(name, "FloorBytesPerSecond"));
      String target = ((String[]) server.getAttribute(name, "Targets"))[0];
      assertTrue(target.startsWith("search.p99 < 100 ms: "), target);
      assertTrue(target.endsWith("; 1 of 1 over the limit"), target);
      String[] lastMinute = (String[]) server.getAttribute(name, "LastMinute");
      assertTrue(lastMinute[0].contains((String) server.getAttribute(name, "Reason")));
    }
  }
}
