package io.weir.store;

import io.weir.store.held.HeldMemory;

/**
 * The files that a {@link SmallFilesDirectory} reads into memory instead of mapping them.
 *
 * @param maxFileBytes length of the longest file to read: from 1 byte to 1 MiB. 0 is {@link #OFF}.
 *     Default 64 KiB
 * @param maxHeldBytes maximum heap for the open files of one directory, within the limit of the
 *     process, {@link ResidentMemory#ofSmallFiles}; the directory below opens files that do not
 *     fit. At least {@code maxFileBytes}; 0 only when off. Default 32 MiB
 */
public record SmallFilesOptions(long maxFileBytes, long maxHeldBytes) {

  /** The largest value of {@code maxFileBytes}: reading such a file must not delay a reopen. */
  public static final long MAX_FILE_BYTES = 1 << 20;

  /** Files up to 64 KiB, in at most 32 MiB of heap. */
  public static final SmallFilesOptions DEFAULT = new SmallFilesOptions(64 << 10, 32 << 20);

  /** The directory below opens every file. */
  public static final SmallFilesOptions OFF = new SmallFilesOptions(0, 0);

  /** Refuses what is out of range. */
  public SmallFilesOptions {
    HeldMemory.requireLimits("SmallFilesOptions", maxFileBytes, MAX_FILE_BYTES, maxHeldBytes);
  }

  /** Whether these are {@link #OFF}. */
  public boolean isOff() {
    return maxFileBytes == 0;
  }

  /** These options, with another longest file. */
  public SmallFilesOptions withMaxFileBytes(long newMaxFileBytes) {
    return new SmallFilesOptions(newMaxFileBytes, maxHeldBytes);
  }

  /** These options, with another limit for all files together. */
  public SmallFilesOptions withMaxHeldBytes(long newMaxHeldBytes) {
    return new SmallFilesOptions(maxFileBytes, newMaxHeldBytes);
  }
}
