package io.weir.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.exporter.PrometheusServer;
import io.weir.suite.Slow;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import javax.management.Attribute;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two indexes on one disk under load, scraped by a real Prometheus while the cap is changed by JMX;
 * for two minutes with {@code -Dweir.prometheus.seconds=120}.
 */
@Timeout(240)
@EnabledIf("io.weir.exporter.PrometheusServer#isInstalled")
class SharedDiskTest {

  private static final long SECONDS = Long.getLong("weir.prometheus.seconds", 8);
  private static final Path RULES = Path.of("docs", "grafana", "weir-alerts.yml");
  private static final List<Long> CAPS = List.of(5_000_000L, 1_000_000L, 50_000_000L);

  @TempDir Path temp;

  @Test
  @Slow("starts an application")
  void counters_onlyGrow_andAreWhatWasCharged_whileTheCapIsChanged() throws Exception {
    MeterRegistry registry;
    try (SharedDisk application = new SharedDisk(temp, 0);
        PrometheusServer prometheus = new PrometheusServer(application.address(), RULES, temp)) {
      registry = application.registry();
      FutureTask<Void> load =
          new FutureTask<>(
              () -> {
                application.run();
                return null;
              });
      Thread.ofPlatform().daemon().start(load);
      ObjectName disk = new ObjectName("io.weir:type=ByteBudget,name=disk");
      long endNanos = System.nanoTime() + SECONDS * 1_000_000_000L;
      for (int i = 0; System.nanoTime() < endNanos || i < CAPS.size(); i++) {
        long cap = CAPS.get(i % CAPS.size());
        ManagementFactory.getPlatformMBeanServer()
            .setAttribute(disk, new Attribute("BytesPerSecond", cap));
        System.gc(); // no meter may be lost by that
        while (prometheus.value("lucene_merge_rate_limit_bytes_per_second{budget='disk'}") != cap) {
          LockSupport.parkNanos(PrometheusServer.SCRAPE_NANOS);
        }
      }
      application.stop();
      load.get();
      // Merges that it has begun go on for a while.
      while (prometheus.value("sum(lucene_merge_written_bytes_total)")
          != application.disk().snapshot().grantedBytes()) {
        LockSupport.parkNanos(PrometheusServer.SCRAPE_NANOS);
      }
      assertTrue(application.disk().snapshot().grantedBytes() > 0, "nothing was merged");
      assertEquals(
          application.disk().snapshot().grantedBytes(),
          prometheus.value("last_over_time(lucene_merge_throttle_granted_bytes_total[5m])"));
      int counters = 0;
      for (JsonNode name : prometheus.get("label/__name__/values").get("data")) {
        boolean runningNow = name.asText().startsWith("lucene_merge_active_");
        if (!runningNow && name.asText().matches("lucene_.*_(total|count|bucket)")) {
          assertEquals(0, prometheus.value("sum(resets(" + name.asText() + "[5m]))"), name::asText);
          counters++;
        }
      }
      assertTrue(counters > 20, "counters: " + counters);
      // Each series that was ever there is there still; after a scrape that took too long, none is.
      double ever = prometheus.value("count(last_over_time({__name__=~'lucene_.*'}[5m]))");
      double now = prometheus.value("count({__name__=~'lucene_.*'})");
      for (int again = 0; again < 100 && now != ever; again++) {
        LockSupport.parkNanos(PrometheusServer.SCRAPE_NANOS);
        now = prometheus.value("count({__name__=~'lucene_.*'})");
      }
      assertEquals(ever, now);
    }
    assertEquals(List.of(), registry.getMeters());
  }
}
