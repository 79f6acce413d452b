package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.host.HostMemory;

/**
 * The memory of the machine: what is left of it is what the page cache can have. One for each
 * registry, with {@code oshi-common} on the class path; where OSHI cannot tell there are no meters.
 */
public final class HostMemoryMetrics extends WeirMeterBinder {

  /** Without further tags. */
  public HostMemoryMetrics() {
    this(Tags.empty());
  }

  /** With tags of the application's. */
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
