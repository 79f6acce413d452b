package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.rate.ProcessorShare;
import java.util.Objects;

/** The meters of a {@link ProcessorShare}. Bind them once, however many indexes share it. */
public final class ProcessorShareMetrics extends WeirMeterBinder {

  private final ProcessorShare share;

  /** Without tags. */
  public ProcessorShareMetrics(ProcessorShare share) {
    this(share, Tags.empty());
  }

  /** With tags. */
  public ProcessorShareMetrics(ProcessorShare share, Tags tags) {
    super(tags);
    this.share = Objects.requireNonNull(share, "share");
  }

  @Override
  Runnable register(MeterSet meters) {
    meters.all(ProcessorShare.FIGURES, () -> share);
    return () -> {};
  }
}
