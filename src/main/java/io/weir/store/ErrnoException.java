package io.weir.store;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** A call to the Linux kernel failed. The numbers are those of every machine Java 22 links on. */
final class ErrnoException extends IOException {

  static final int EPERM = 1;
  static final int EINTR = 4;
  static final int EIO = 5;
  static final int EBADF = 9;
  static final int EMFILE = 24;
  static final int ENOSPC = 28;
  static final int ESPIPE = 29;
  static final int ENOSYS = 38;

  private static final long serialVersionUID = 1;

  private static final Map<Integer, String> NAMES =
      Map.of(
          EPERM, "EPERM, not permitted",
          EINTR, "EINTR, interrupted",
          EIO, "EIO, input/output error",
          EBADF, "EBADF, bad descriptor",
          EMFILE, "EMFILE, too many open files",
          ENOSPC, "ENOSPC, no space left on device",
          ESPIPE, "ESPIPE, not a file",
          ENOSYS, "ENOSYS, no such call");

  private static final Set<Integer> REFUSALS = Set.of(EPERM, EINTR, EBADF, ESPIPE, ENOSYS);

  private final int errno;

  ErrnoException(String call, int errno) {
    super(call + " failed: " + NAMES.getOrDefault(errno, "errno " + errno));
    this.errno = errno;
  }

  /** The kernel's number of the failure. */
  int errno() {
    return errno;
  }

  /**
   * Whether the call was refused before it looked at the file's data. Any other number may be the
   * news that an earlier write of that data failed: block devices report nearly every one.
   */
  boolean isRefusal() {
    return REFUSALS.contains(errno);
  }
}
