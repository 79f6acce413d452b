package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.host.HostMemory;

/**
 * The meters of the machine's memory; the page cache uses what is available. Bind one per registry,
 * with {@code oshi-common} on the class path. Figures that OSHI cannot read have no meters.
 */
public final class HostMemoryMetrics extends WeirMeterBinder {

  /** Without further tags. */
  public HostMemoryMetrics() {
    this(Tags.empty());
  }

  /** With additional tags. */
  public HostMemoryMetrics(Tags tags) {
    super(tags);
  }

  @Override
  Runnable register(MeterSet meters) {
    HostMemory.find()
        .ifPresent(
            memory -> {
              meters.gauge(WeirMeter.MEMORY_SIZE, memory::totalBytes);
              meters.gauge(WeirMeter.MEMORY_AVAILABLE, memory::availableBytes);
              meters.gauge(WeirMeter.SWAP_USED, memory::swapUsedBytes);
            });
    return () -> {};
  }
}
