package io.weir.store;

import java.util.Objects;

/**
 * How a {@link WritebackDirectory} has the kernel write merge output to disk.
 *
 * <p>Of a file being written, no more waits in memory than {@code rangeBytes * (windowRanges + 1)}
 * and 64 KiB: the range being filled and those on their way. The smaller, the smoother; but each
 * range is a request to the disk, and a merge waits when it is ahead of the disk by a whole window.
 *
 * @param rangeBytes how much is started at once: a multiple of 64 KiB, from 64 KiB to 1 GiB. 0 is
 *     {@link #OFF}. Default 1 MiB
 * @param windowRanges how many finished ranges may be on their way to the disk while the next one
 *     is being filled: from 1 to 256; 0 only when off. Default 1
 * @param dropWritten of which merges what has reached the disk is dropped from the page cache. That
 *     keeps a merge from pushing out what readers use, but then the merged segment is read from
 *     disk as soon as it is searched. Done by {@link WritebackMethod#SYNC_FILE_RANGE} alone.
 *     Default {@link DropWritten#NEVER}
 */
public record WritebackOptions(long rangeBytes, int windowRanges, DropWritten dropWritten) {

  /**
   * The smallest range and the step between ranges: the largest page of any machine, so that no
   * page lies in two ranges.
   */
  public static final long RANGE_STEP_BYTES = 64 << 10;

  /** The largest range. */
  public static final long MAX_RANGE_BYTES = 1 << 30;

  /** The widest window. */
  public static final int MAX_WINDOW_RANGES = 256;

  /** Ranges of 1 MiB, one on its way, none dropped. */
  public static final WritebackOptions DEFAULT =
      new WritebackOptions(1 << 20, 1, DropWritten.NEVER);

  /** Nothing is smoothed: the kernel writes when it likes. */
  public static final WritebackOptions OFF = new WritebackOptions(0, 0, DropWritten.NEVER);

  /** Refuses what is out of range. */
  public WritebackOptions {
    Objects.requireNonNull(dropWritten, "dropWritten");
    boolean off = rangeBytes == 0 && windowRanges == 0 && dropWritten == DropWritten.NEVER;
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

  /** These, with another range. */
  public WritebackOptions withRangeBytes(long newRangeBytes) {
    return new WritebackOptions(newRangeBytes, windowRanges, dropWritten);
  }

  /** These, with another window. */
  public WritebackOptions withWindowRanges(int newWindowRanges) {
    return new WritebackOptions(rangeBytes, newWindowRanges, dropWritten);
  }

  /** These, dropping what other merges wrote. */
  public WritebackOptions withDropWritten(DropWritten newDropWritten) {
    return new WritebackOptions(rangeBytes, windowRanges, newDropWritten);
  }
}
