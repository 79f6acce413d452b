package io.weir.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.control.OperationsReason;
import io.weir.control.OperationsScope;
import io.weir.control.OperationsSnapshot;
import io.weir.rate.Rate;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class OperationsCapMetricsTest {

  private static final Tags DISK = Tags.of("disk", "sda");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  static OperationsSnapshot snapshot(OptionalDouble measured, Rate ceiling) {
    return new OperationsSnapshot(
        "sda",
        OperationsScope.DEVICE,
        3000,
        measured,
        Rate.perSecond(2_000_000),
        ceiling,
        OperationsReason.AT_LIMIT);
  }

  @Test
  void meters_tellWhatTheCapTells_untilTheyAreClosed() {
    AtomicReference<OperationsSnapshot> now =
        new AtomicReference<>(snapshot(OptionalDouble.of(2950.5), Rate.perSecond(125_000_000)));
    try (OperationsCapMetrics metrics = new OperationsCapMetrics(now::get, DISK)) {
      metrics.bindTo(registry);
      assertEquals(3000, gauge("limit"));
      assertEquals(2950.5, gauge("measured"));
      assertEquals(125_000_000, gauge("ceiling"));

      now.set(snapshot(OptionalDouble.empty(), Rate.UNLIMITED));
      assertEquals(Double.NaN, gauge("measured"));
      assertEquals(Double.POSITIVE_INFINITY, gauge("ceiling"));
    }
    assertEquals(0, registry.getMeters().size());
  }

  private double gauge(String name) {
    return registry.get("lucene.merge.operations." + name).tags(DISK).gauge().value();
  }
}
