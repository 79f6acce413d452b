package io.weir.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.stress.Await;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class JvmAndProcessMetricsTest {

  private final MeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void close_leavesNoMeter_notEvenThoseThatCameWithACollection() {
    registry.counter("mine").increment();
    registry.config().meterFilter(MeterFilter.renameTag("jvm.memory", "area", "part"));
    try (JvmAndProcessMetrics process = new JvmAndProcessMetrics()) {
      process.bindTo(registry);
      System.gc(); // a thread of the JVM's tells who listens
      Await.until(
          "the meter of a collection", () -> !registry.find("jvm.gc.pause").meters().isEmpty());
      assertTrue(registry.get("process.uptime").timeGauge().value() > 0);
      assertEquals(
          0, registry.find("jvm.memory.used").tagKeys("area").meters().size(), "not renamed");
    }
    assertEquals(
        List.of("mine"),
        registry.getMeters().stream().map(Meter::getId).map(Meter.Id::getName).toList());
  }

  @Test
  void bindTo_aRegistryThatHasThem_isRefused_andThoseStay() {
    try (JvmAndProcessMetrics first = new JvmAndProcessMetrics()) {
      first.bindTo(registry);
      int before = registry.getMeters().size();
      try (JvmAndProcessMetrics second = new JvmAndProcessMetrics()) {
        IllegalStateException refused =
            assertThrows(IllegalStateException.class, () -> second.bindTo(registry));
        assertTrue(refused.getMessage().contains("jvm.memory.used"), refused.getMessage());
      }
      assertEquals(before, registry.getMeters().size());
    }
  }
}
