package io.weir.procfs;

import java.util.OptionalLong;

/**
 * How the kernel was told to treat dirty pages: the files {@code /proc/sys/vm/dirty_*}, as they
 * read.
 *
 * <p>Of a ratio and its bytes only the one written last is in force; the other reads 0. Ratios are
 * of available memory, not of all memory; {@link VmStat} has the bytes they come to.
 *
 * @param dirtyRatioPercent where writers wait
 * @param dirtyBackgroundRatioPercent where writeback starts
 * @param dirtyBytes where writers wait
 * @param dirtyBackgroundBytes where writeback starts
 * @param dirtyExpireCentisecs how old a dirty page may grow, in hundredths of a second
 * @param dirtyWritebackCentisecs how often the flusher wakes, in hundredths of a second; 0 is never
 */
public record DirtySettings(
    OptionalLong dirtyRatioPercent,
    OptionalLong dirtyBackgroundRatioPercent,
    OptionalLong dirtyBytes,
    OptionalLong dirtyBackgroundBytes,
    OptionalLong dirtyExpireCentisecs,
    OptionalLong dirtyWritebackCentisecs) {}
