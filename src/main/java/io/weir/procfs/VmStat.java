package io.weir.procfs;

import java.util.OptionalLong;

/**
 * How the machine's page cache is dirtied and cleaned, from {@code /proc/vmstat}.
 *
 * <p><b>Units:</b> bytes; the kernel counts pages, so every field is absent when the page size is
 * unknown. All four came with Linux 2.6.37.
 *
 * @param dirtiedBytes counter since boot: became dirty
 * @param writtenBytes counter since boot: was written back
 * @param dirtyThresholdBytes above this a writing thread is made to wait for the disk
 * @param dirtyBackgroundThresholdBytes above this the kernel starts to write back by itself
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
