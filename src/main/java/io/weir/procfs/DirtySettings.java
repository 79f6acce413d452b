package io.weir.procfs;

import java.util.OptionalLong;

/**
 * The kernel's settings for dirty pages: the files {@code /proc/sys/vm/dirty_*}, verbatim.
 *
 * <p>Of each ratio and its bytes setting, only the one written last is in force; the other reads 0.
 * Ratios refer to available memory, not to all memory; {@link VmStat} has the resulting bytes.
 *
 * @param dirtyRatioPercent threshold at which writers wait
 * @param dirtyBackgroundRatioPercent threshold at which writeback starts
 * @param dirtyBytes threshold at which writers wait
 * @param dirtyBackgroundBytes threshold at which writeback starts
 * @param dirtyExpireCentisecs maximum age of a dirty page, in hundredths of a second
 * @param dirtyWritebackCentisecs interval of the flusher, in hundredths of a second; 0 disables it
 */
public record DirtySettings(
    OptionalLong dirtyRatioPercent,
    OptionalLong dirtyBackgroundRatioPercent,
    OptionalLong dirtyBytes,
    OptionalLong dirtyBackgroundBytes,
    OptionalLong dirtyExpireCentisecs,
    OptionalLong dirtyWritebackCentisecs) {}
