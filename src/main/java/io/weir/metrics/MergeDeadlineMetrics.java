package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.control.DeadlineSnapshot;
import io.weir.control.DeadlineSnapshot.Outlook;
import io.weir.control.MergeDeadline;
import io.weir.rate.Rate;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The meters of a {@link MergeDeadline}: the time that is left, the time that forced merges still
 * take, and the rate at which they may write. Bind one per deadline, and close it with the
 * deadline.
 */
public final class MergeDeadlineMetrics extends WeirMeterBinder {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Supplier<DeadlineSnapshot> deadline;

  /**
   * With additional tags.
   *
   * @param tags such as the name of the index
   */
  public MergeDeadlineMetrics(MergeDeadline deadline, Tags tags) {
    this(Objects.requireNonNull(deadline, "deadline")::snapshot, tags);
  }

  MergeDeadlineMetrics(Supplier<DeadlineSnapshot> deadline, Tags tags) {
    super(tags);
    this.deadline = deadline;
  }

  @Override
  Runnable register(MeterSet meters) {
    meters.timeGauge(WeirMeter.DEADLINE_LEFT, () -> seconds(deadline.get().untilDeadline()));
    meters.timeGauge(
        WeirMeter.DEADLINE_NEEDED,
        () -> deadline.get().remaining().map(MergeDeadlineMetrics::seconds).orElse(Double.NaN));
    meters.gauge(WeirMeter.DEADLINE_RATE, () -> bytesPerSecond(deadline.get()));
    return () -> {};
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / NANOS_PER_SECOND;
  }

  private static double bytesPerSecond(DeadlineSnapshot now) {
    if (now.outlook() == Outlook.NO_MERGE) {
      return Double.NaN;
    }
    Rate rate = now.rate();
    return rate.isLimited() ? rate.bytesPerSecond() : Double.POSITIVE_INFINITY;
  }
}
