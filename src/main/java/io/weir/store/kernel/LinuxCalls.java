package io.weir.store.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * All Linux system calls that Weir uses and the JDK does not offer.
 *
 * <p><b>Threads:</b> any. Each call may block, and no interrupt ends it.
 *
 * <p><b>Failure:</b> {@link ErrnoException}; the manual page of the call describes the state
 * afterwards.
 */
public interface LinuxCalls {

  /** {@code SYNC_FILE_RANGE_WAIT_BEFORE}: wait for writes of the range in progress. */
  int WAIT_BEFORE = 1;

  /** {@code SYNC_FILE_RANGE_WRITE}: start to write the dirty pages of the range. */
  int WRITE = 2;

  /** {@code SYNC_FILE_RANGE_WAIT_AFTER}: wait for the writes that were just started. */
  int WAIT_AFTER = 4;

  /** {@code SCHED_OTHER}: the scheduling policy of most threads. */
  int SCHED_OTHER = 0;

  /** {@code SCHED_BATCH}: the same, for threads that compute. */
  int SCHED_BATCH = 3;

  /** {@code SCHED_IDLE}: a thread runs on what others leave. */
  int SCHED_IDLE = 5;

  /** {@code SCHED_RESET_ON_FORK}: a flag beside the policy, of threads that a thread creates. */
  int SCHED_RESET_ON_FORK = 0x40000000;

  /** {@code open(path, O_RDONLY | O_CLOEXEC)}: a descriptor that the caller closes. */
  int open(Path path) throws IOException;

  /** {@code sync_file_range}. */
  void syncFileRange(int descriptor, long offset, long bytes, int flags) throws IOException;

  /**
   * {@code posix_fadvise(POSIX_FADV_DONTNEED)}: drops clean pages of the range from the page cache;
   * 0 bytes means up to the end of the file.
   */
  void dropRange(int descriptor, long offset, long bytes) throws IOException;

  /** {@code getpagesize}. */
  int pageBytes();

  /**
   * {@code mincore} on a range of a file, mapped for this call only. The lowest bit of each byte
   * says whether that page is in the page cache. No page is touched.
   *
   * @param offset a multiple of the page size
   * @param bytes within the file, at least 1
   * @param states a direct buffer with one byte per page
   */
  void residency(FileChannel file, long offset, long bytes, ByteBuffer states) throws IOException;

  /**
   * {@code gettid}: the kernel's number of the calling thread; empty where the C library lacks it,
   * as glibc before 2.30.
   */
  OptionalInt threadNumber();

  /**
   * {@code sched_getscheduler}: the scheduling policy of a thread, with its flag.
   *
   * @param thread the kernel's number of the thread; 0 for the calling one
   */
  int schedulingPolicy(int thread) throws IOException;

  /**
   * {@code sched_setscheduler} with priority 0: gives a thread a policy that is not for real time.
   * Its niceness stays.
   */
  void setSchedulingPolicy(int thread, int policy) throws IOException;

  /**
   * {@code setxattr}: sets an extended attribute of a file, or replaces it.
   *
   * @param value a direct buffer, from its position to its limit
   */
  void setAttribute(Path file, String name, ByteBuffer value) throws IOException;

  /**
   * {@code getxattr}: an extended attribute of a file.
   *
   * @param value a direct buffer, which gets it from its position on
   * @return how many bytes it has
   */
  int attribute(Path file, String name, ByteBuffer value) throws IOException;

  /** {@code close}. */
  void close(int descriptor) throws IOException;
}
