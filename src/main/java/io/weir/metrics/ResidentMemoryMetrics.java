package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.weir.store.ResidentMemory;
import io.weir.store.ResidentMemorySnapshot;

/**
 * The meters of the heap that Weir uses in this process to keep files in memory, for all indexes
 * together. Bind it once.
 */
public final class ResidentMemoryMetrics extends WeirMeterBinder {

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
    meters.all(
        ResidentMemorySnapshot.FIGURES_OF_KEYS, () -> ResidentMemory.ofKeys().snapshot(), KEYS);
    register(meters, SMALL_FILES, ResidentMemory.ofSmallFiles());
    register(meters, FLUSHED_FILES, ResidentMemory.ofFlushedFiles());
    return () -> {};
  }

  private static void register(MeterSet meters, String contents, ResidentMemory memory) {
    meters.all(ResidentMemorySnapshot.FIGURES, memory::snapshot, contents);
  }
}
