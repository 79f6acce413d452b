package io.weir.procfs;

import java.util.OptionalLong;

/**
 * The counters of the machine's page cache and the thresholds of its dirty pages, from {@code
 * /proc/vmstat}.
 *
 * <p><b>Units:</b> bytes; the kernel counts pages, so every field is absent when the page size is
 * unknown. The fields of dirty pages exist since Linux 2.6.37.
 *
 * @param dirtiedBytes bytes that became dirty since boot
 * @param writtenBytes bytes written back since boot
 * @param refaultedBytes pages of files that were evicted and read again since boot, whoever read
 *     them; since Linux 3.15. A page that never was in the cache does not count, nor one that left
 *     it so long ago that the kernel has forgotten it. (Source: Linux, mm/workingset.c.)
 * @param dirtyThresholdBytes above this a writing thread waits for the disk
 * @param dirtyBackgroundThresholdBytes above this the kernel starts writeback
 */
public record VmStat(
    OptionalLong dirtiedBytes,
    OptionalLong writtenBytes,
    OptionalLong refaultedBytes,
    OptionalLong dirtyThresholdBytes,
    OptionalLong dirtyBackgroundThresholdBytes) {

  /** Pages of files that were evicted and read again; before Linux 5.9 it counts no others. */
  static final String REFAULTED = "workingset_refault_file";

  static final String REFAULTED_BEFORE_5_9 = "workingset_refault";

  static VmStat parse(String text, OptionalLong pageSizeBytes) {
    KeyedNumbers lines = new KeyedNumbers(text);
    return new VmStat(
        KeyedNumbers.times(lines.number("nr_dirtied"), pageSizeBytes),
        KeyedNumbers.times(lines.number("nr_written"), pageSizeBytes),
        KeyedNumbers.times(lines.numberOfAny(REFAULTED, REFAULTED_BEFORE_5_9), pageSizeBytes),
        KeyedNumbers.times(lines.number("nr_dirty_threshold"), pageSizeBytes),
        KeyedNumbers.times(lines.number("nr_dirty_background_threshold"), pageSizeBytes));
  }
}
