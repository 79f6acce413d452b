package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.control.DeadlineSnapshot;
import io.weir.control.MergeDeadline;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The meters of a {@link MergeDeadline}: the time that is left, the time that forced merges still
 * take, and the rate at which they may write. Bind one per deadline, and close it with the
 * deadline.
 */
public final class MergeDeadlineMetrics extends WeirMeterBinder {

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
    meters.all(DeadlineSnapshot.FIGURES, deadline);
    return () -> {};
  }
}
