package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.control.OperationsCap;
import io.weir.control.OperationsSnapshot;
import io.weir.rate.Rate;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The meters of an {@link OperationsCap}: its limit, the operations that it measured, and the
 * highest rate of merges. Bind one per cap, and close it with the cap.
 */
public final class OperationsCapMetrics extends WeirMeterBinder {

  private final Supplier<OperationsSnapshot> cap;

  /**
   * With additional tags.
   *
   * @param tags such as the name of the disk
   */
  public OperationsCapMetrics(OperationsCap cap, Tags tags) {
    this(Objects.requireNonNull(cap, "cap")::snapshot, tags);
  }

  OperationsCapMetrics(Supplier<OperationsSnapshot> cap, Tags tags) {
    super(tags);
    this.cap = cap;
  }

  @Override
  Runnable register(MeterSet meters) {
    meters.gauge(WeirMeter.OPERATIONS_LIMIT, () -> cap.get().limitPerSecond());
    meters.gauge(
        WeirMeter.OPERATIONS_MEASURED, () -> cap.get().measuredPerSecond().orElse(Double.NaN));
    meters.gauge(WeirMeter.OPERATIONS_CEILING, () -> bytesPerSecond(cap.get().ceiling()));
    return () -> {};
  }

  private static double bytesPerSecond(Rate rate) {
    return rate.isLimited() ? rate.bytesPerSecond() : Double.POSITIVE_INFINITY;
  }
}
