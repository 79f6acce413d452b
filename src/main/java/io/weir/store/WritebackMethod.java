package io.weir.store;

/** How a {@link WritebackDirectory} makes the kernel write the output of merges. */
public enum WritebackMethod {

  /**
   * Linux's {@code sync_file_range}: starts the write of one range and waits for an earlier one,
   * without a journal commit or a flush of the disk's cache. Needs Java 22, for the Foreign
   * Function API.
   */
  SYNC_FILE_RANGE,

  /**
   * {@link java.nio.channels.FileChannel#force FileChannel.force(false)} every few megabytes, which
   * is {@code fdatasync} on Linux. Works everywhere, but the writing thread also waits for the
   * journal and for the disk's cache.
   */
  FDATASYNC,

  /** No smoothing: it is switched off, or the directory is not on a disk. */
  NONE
}
