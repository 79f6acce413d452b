package io.weir.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.Weir;
import io.weir.control.DeadlineSnapshot;
import io.weir.control.DeadlineSnapshot.Outlook;
import io.weir.control.MergeDeadline;
import io.weir.rate.Rate;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

class MergeDeadlineMetricsTest {

  private static final Tags INDEX = Tags.of("index", "products");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void meters_tellWhatTheDeadlineTells() {
    AtomicReference<DeadlineSnapshot> now =
        new AtomicReference<>(
            new DeadlineSnapshot(
                Outlook.ON_TIME,
                OptionalDouble.of(0.5),
                Optional.of(Duration.ofMillis(45_500)),
                Duration.ofSeconds(60),
                Rate.perSecond(2_000_000)));
    new MergeDeadlineMetrics(now::get, INDEX).bindTo(registry);

    assertEquals(60, gauge("left"));
    assertEquals(45.5, gauge("needed"));
    assertEquals(2_000_000, gauge("rate"));

    now.set(
        new DeadlineSnapshot(
            Outlook.LATE,
            OptionalDouble.of(0.9),
            Optional.empty(),
            Duration.ofSeconds(-3),
            Rate.UNLIMITED));
    assertEquals(-3, gauge("left"));
    assertEquals(Double.NaN, gauge("needed"));
    assertEquals(Double.POSITIVE_INFINITY, gauge("rate"));
  }

  @Test
  void metersOfADeadline_areThereUntilTheyAreClosed() {
    Weir weir = Weir.builder().open(new ByteBuffersDirectory());
    try (MergeDeadline deadline = MergeDeadline.within(Duration.ofHours(1), weir.scheduler());
        MergeDeadlineMetrics metrics = new MergeDeadlineMetrics(deadline, INDEX)) {
      metrics.bindTo(registry);
      assertTrue(gauge("left") > 3000 && gauge("left") <= 3600, () -> "left " + gauge("left"));
      assertEquals(Double.NaN, gauge("needed"));
      assertEquals(Double.NaN, gauge("rate"), "no forced merge runs");
    }
    assertEquals(0, registry.getMeters().size());
  }

  private double gauge(String name) {
    return registry.get("lucene.merge.deadline." + name).tags(INDEX).gauge().value();
  }
}
