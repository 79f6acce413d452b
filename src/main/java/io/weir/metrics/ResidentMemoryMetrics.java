package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.store.ResidentMemory;

/**
 * The meters of the heap that Weir uses in this process to keep files in memory, for all indexes
 * together. Bind it once.
 */
public final class ResidentMemoryMetrics extends WeirMeterBinder {

  private static final double NANOS_PER_SECOND = 1e9;

  private static final String KEYS = "keys";
  private static final String SMALL_FILES = "small-files";
  private static final String FLUSHED_FILES = "flushed-files";

  /** Without further tags. */
  public ResidentMemoryMetrics() {
    this(Tags.empty());
  }

  /**
   * With additional tags.
   *
   * @param tags without the key {@code contents}
   */
  public ResidentMemoryMetrics(Tags tags) {
    super(tags, TagKeys.CONTENTS);
  }

  @Override
  Runnable register(MeterSet meters) {
    register(meters, KEYS, ResidentMemory.ofKeys());
    meters.timeGauge(
        WeirMeter.MEMORY_BACKOFF,
        () -> ResidentMemory.ofKeys().snapshot().backoff().toNanos() / NANOS_PER_SECOND,
        KEYS);
    register(meters, SMALL_FILES, ResidentMemory.ofSmallFiles());
    register(meters, FLUSHED_FILES, ResidentMemory.ofFlushedFiles());
    return () -> {};
  }

  private static void register(MeterSet meters, String contents, ResidentMemory memory) {
    meters.gauge(WeirMeter.MEMORY_HELD, memory::ramBytesUsed, contents);
    meters.gauge(WeirMeter.MEMORY_LIMIT, memory::maxBytes, contents);
    meters.counter(WeirMeter.MEMORY_REFUSED, () -> memory.snapshot().refusals(), contents);
    meters.counter(WeirMeter.MEMORY_RECLAIMED, () -> memory.snapshot().reclaims(), contents);
  }
}
