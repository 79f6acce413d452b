package io.weir.store;

/** How a {@link WritebackDirectory} has the kernel write what a merge wrote. */
public enum WritebackMethod {

  /**
   * Linux's {@code sync_file_range}: the write of one range is started, and another one waited for,
   * without touching the journal or the disk's own cache. Needs Java 22, for the Foreign Function
   * API.
   */
  SYNC_FILE_RANGE,

  /**
   * {@link java.nio.channels.FileChannel#force FileChannel.force(false)} every few megabytes, which
   * is {@code fdatasync} on Linux. Works everywhere; the writing thread waits for the disk, for the
   * journal and for the disk's cache as well.
   */
  FDATASYNC,

  /** Nothing is done: it was switched off, or there is no disk behind the directory. */
  NONE
}
