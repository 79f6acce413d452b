package io.weir.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * What Weir asks of the Linux kernel that the JDK does not offer; the whole of it.
 *
 * <p><b>Threads:</b> any. Each call may block as the kernel pleases, and no interrupt ends it.
 *
 * <p><b>Failure:</b> {@link ErrnoException}, and nothing has changed but what the kernel's own
 * pages say.
 */
interface LinuxCalls {

  /** {@code SYNC_FILE_RANGE_WAIT_BEFORE}: wait for writes of the range that are under way. */
  int WAIT_BEFORE = 1;

  /** {@code SYNC_FILE_RANGE_WRITE}: start to write what is dirty in the range. */
  int WRITE = 2;

  /** {@code SYNC_FILE_RANGE_WAIT_AFTER}: wait for the writes just started. */
  int WAIT_AFTER = 4;

  /** {@code open(path, O_RDONLY | O_CLOEXEC)}: a descriptor that the caller closes. */
  int open(Path path) throws IOException;

  /** {@code sync_file_range}. */
  void syncFileRange(int descriptor, long offset, long bytes, int flags) throws IOException;

  /**
   * {@code posix_fadvise(POSIX_FADV_DONTNEED)}: clean pages of the range leave the page cache; 0
   * bytes are all to the end of the file.
   */
  void dropRange(int descriptor, long offset, long bytes) throws IOException;

  /** {@code getpagesize}. */
  int pageBytes();

  /**
   * {@code mincore} of a range of a file, mapped for this call alone: for each page of it a byte of
   * which the lowest bit says whether the page cache has it. No page is touched.
   *
   * @param offset a multiple of the page size
   * @param bytes within the file, at least 1
   * @param states direct, a byte a page
   */
  void residency(FileChannel file, long offset, long bytes, ByteBuffer states) throws IOException;

  /** {@code close}. */
  void close(int descriptor) throws IOException;
}
