package io.weir.procfs;

import java.util.OptionalLong;

/**
 * The counters and thresholds of the machine's dirty pages, from {@code /proc/vmstat}.
 *
 * <p><b>Units:</b> bytes; the kernel counts pages, so every field is absent when the page size is
 * unknown. All fields exist since Linux 2.6.37.
 *
 * @param dirtiedBytes bytes that became dirty since boot
 * @param writtenBytes bytes written back since boot
 * @param dirtyThresholdBytes above this a writing thread waits for the disk
 * @param dirtyBackgroundThresholdBytes above this the kernel starts writeback
 */
public record VmStat(
    OptionalLong dirtiedBytes,
    OptionalLong writtenBytes,
    OptionalLong dirtyThresholdBytes,
    OptionalLong dirtyBackgroundThresholdBytes) {

  static VmStat parse(String text, OptionalLong pageSizeBytes) {
    KeyedNumbers lines = new KeyedNumbers(text);
    return new VmStat(
        KeyedNumbers.times(lines.number("nr_dirtied"), pageSizeBytes),
        KeyedNumbers.times(lines.number("nr_written"), pageSizeBytes),
        KeyedNumbers.times(lines.number("nr_dirty_threshold"), pageSizeBytes),
        KeyedNumbers.times(lines.number("nr_dirty_background_threshold"), pageSizeBytes));
  }
}
