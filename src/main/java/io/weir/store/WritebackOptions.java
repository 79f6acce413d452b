package io.weir.store;

/**
 * How a {@link WritebackDirectory} makes the kernel write the output of merges.
 *
 * <p>Of each file being written, at most {@code rangeBytes * (windowRanges + 1)} plus 64 KiB wait
 * in memory: the range being filled and those in flight. Smaller values are smoother. But each
 * range is a request to the disk, and a merge waits when it is a whole window ahead of the disk.
 *
 * @param rangeBytes bytes started at once: a multiple of 64 KiB, from 64 KiB to 1 GiB. 0 is {@link
 *     #OFF}. Default 1 MiB
 * @param windowRanges maximum number of finished ranges in flight while the next one is being
 *     filled: from 1 to 256; 0 only when off. Default 1
 */
public record WritebackOptions(long rangeBytes, int windowRanges) {

  /**
   * The smallest range, and the step of range sizes: the largest page size of all machines, so that
   * no page is in two ranges.
   */
  public static final long RANGE_STEP_BYTES = 64 << 10;

  /** The largest range. */
  public static final long MAX_RANGE_BYTES = 1 << 30;

  /** The widest window. */
  public static final int MAX_WINDOW_RANGES = 256;

  /** Ranges of 1 MiB, one in flight. */
  public static final WritebackOptions DEFAULT = new WritebackOptions(1 << 20, 1);

  /** No smoothing: the kernel decides when to write. */
  public static final WritebackOptions OFF = new WritebackOptions(0, 0);

  /** Refuses what is out of range. */
  public WritebackOptions {
    boolean off = rangeBytes == 0 && windowRanges == 0;
    if (!off) {
      if (rangeBytes < RANGE_STEP_BYTES
          || rangeBytes > MAX_RANGE_BYTES
          || rangeBytes % RANGE_STEP_BYTES != 0) {
        throw new IllegalArgumentException(
            "rangeBytes must be a multiple of "
                + RANGE_STEP_BYTES
                + ", from "
                + RANGE_STEP_BYTES
                + " to "
                + MAX_RANGE_BYTES
                + " bytes (for none use WritebackOptions.OFF): "
                + rangeBytes);
      }
      if (windowRanges < 1 || windowRanges > MAX_WINDOW_RANGES) {
        throw new IllegalArgumentException(
            "windowRanges must be from 1 to " + MAX_WINDOW_RANGES + " ranges: " + windowRanges);
      }
    }
  }

  /** Whether these are {@link #OFF}. */
  public boolean isOff() {
    return rangeBytes == 0;
  }

  /** These options, with another range. */
  public WritebackOptions withRangeBytes(long newRangeBytes) {
    return new WritebackOptions(newRangeBytes, windowRanges);
  }

  /** These options, with another window. */
  public WritebackOptions withWindowRanges(int newWindowRanges) {
    return new WritebackOptions(rangeBytes, newWindowRanges);
  }
}
