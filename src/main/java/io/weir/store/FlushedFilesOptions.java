package io.weir.store;

import io.weir.store.held.HeldMemory;

/**
 * The files of flushes that a {@link FlushedFilesDirectory} keeps in memory until a commit needs
 * them.
 *
 * @param maxFileBytes length of the longest file to keep: from 1 byte to 16 MiB. A longer one goes
 *     to the disk as soon as it exceeds this. 0 is {@link #OFF}. Default 1 MiB
 * @param maxHeldBytes maximum heap for the files of one directory, within the limit of the process,
 *     {@link ResidentMemory#ofFlushedFiles}; files that do not fit go to the disk at once. At least
 *     {@code maxFileBytes}; 0 only when off. Default 32 MiB
 */
public record FlushedFilesOptions(long maxFileBytes, long maxHeldBytes) {

  /** The largest value of {@code maxFileBytes}: a commit writes all that is held. */
  public static final long MAX_FILE_BYTES = 16 << 20;

  /** Files up to 1 MiB, in at most 32 MiB of heap. */
  public static final FlushedFilesOptions DEFAULT = new FlushedFilesOptions(1 << 20, 32 << 20);

  /** Every file goes to the disk at once. */
  public static final FlushedFilesOptions OFF = new FlushedFilesOptions(0, 0);

  /** Refuses what is out of range. */
  public FlushedFilesOptions {
    HeldMemory.requireLimits("FlushedFilesOptions", maxFileBytes, MAX_FILE_BYTES, maxHeldBytes);
  }

  /** Whether these are {@link #OFF}. */
  public boolean isOff() {
    return maxFileBytes == 0;
  }

  /** These options, with another longest file. */
  public FlushedFilesOptions withMaxFileBytes(long newMaxFileBytes) {
    return new FlushedFilesOptions(newMaxFileBytes, maxHeldBytes);
  }

  /** These options, with another limit for all files together. */
  public FlushedFilesOptions withMaxHeldBytes(long newMaxHeldBytes) {
    return new FlushedFilesOptions(maxFileBytes, newMaxHeldBytes);
  }
}
