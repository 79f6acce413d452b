package io.weir.store.kernel;

import java.io.IOException;
import java.util.Map;
import java.util.Set;

/**
 * A call to the Linux kernel failed. The numbers are the same on every machine that Java 22 can
 * link on.
 */
public final class ErrnoException extends IOException {

  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  static final int ENXIO = 6;
  static final int EBADF = 9;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  static final int EACCES = 13;
  static final int ENODEV = 19;
  public static final int EINVAL = 22;
  public static final int EMFILE = 24;
  static final int EFBIG = 27;
  public static final int ENOSPC = 28;
  static final int ESPIPE = 29;
  static final int EROFS = 30;
  public static final int ENOSYS = 38;
  static final int EBADE = 52;
  static final int ENODATA = 61;
  static final int ETIME = 62;
  static final int ENOLINK = 67;
  static final int EILSEQ = 84;
  static final int EOPNOTSUPP = 95;
  static final int ENOTCONN = 107;
  static final int ESHUTDOWN = 108;
  static final int ETIMEDOUT = 110;
  static final int ESTALE = 116;
  static final int EUCLEAN = 117;
  static final int EREMOTEIO = 121;
  static final int EDQUOT = 122;

  private static final long serialVersionUID = 1;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(EPERM, "EPERM, not permitted"),
          Map.entry(ENOENT, "ENOENT, no such file"),
          Map.entry(EINTR, "EINTR, interrupted"),
          Map.entry(EIO, "EIO, input/output error"),
          Map.entry(ENXIO, "ENXIO, no such device or address"),
          Map.entry(EBADF, "EBADF, bad descriptor"),
          Map.entry(EAGAIN, "EAGAIN, try again"),
          Map.entry(ENOMEM, "ENOMEM, out of memory"),
          Map.entry(EACCES, "EACCES, access denied"),
          Map.entry(ENODEV, "ENODEV, no such device"),
          Map.entry(EINVAL, "EINVAL, invalid argument"),
          Map.entry(EMFILE, "EMFILE, too many open files"),
          Map.entry(EFBIG, "EFBIG, file too large"),
          Map.entry(ENOSPC, "ENOSPC, no space left on device"),
          Map.entry(ESPIPE, "ESPIPE, not a file"),
          Map.entry(EROFS, "EROFS, read-only file system"),
          Map.entry(ENOSYS, "ENOSYS, no such call"),
          Map.entry(EBADE, "EBADE, reservation conflict"),
          Map.entry(ENODATA, "ENODATA, medium error"),
          Map.entry(ETIME, "ETIME, time limit exceeded"),
          Map.entry(ENOLINK, "ENOLINK, transport error"),
          Map.entry(EILSEQ, "EILSEQ, protection error"),
          Map.entry(EOPNOTSUPP, "EOPNOTSUPP, not supported"),
          Map.entry(ENOTCONN, "ENOTCONN, not connected"),
          Map.entry(ESHUTDOWN, "ESHUTDOWN, shut down"),
          Map.entry(ETIMEDOUT, "ETIMEDOUT, timed out"),
          Map.entry(ESTALE, "ESTALE, stale file handle"),
          Map.entry(EUCLEAN, "EUCLEAN, file system corrupt"),
          Map.entry(EREMOTEIO, "EREMOTEIO, target error"),
          Map.entry(EDQUOT, "EDQUOT, quota exceeded"));

  private static final Set<Integer> DATA_ERRORS =
      Set.of(
          EIO,
          ENXIO,
          EACCES,
          ENODEV,
          EFBIG,
          ENOSPC,
          EROFS,
          EBADE,
          ENODATA,
          ETIME,
          ENOLINK,
          EILSEQ,
          EOPNOTSUPP,
          ENOTCONN,
          ESHUTDOWN,
          ETIMEDOUT,
          ESTALE,
          EUCLEAN,
          EREMOTEIO,
          EDQUOT);

  private final int errno;

  ErrnoException(String call, int errno) {
    super(call + " failed: " + NAMES.getOrDefault(errno, "errno " + errno));
    this.errno = errno;
  }

  /** The kernel's number of the failure. */
  public int errno() {
    return errno;
  }

  /**
   * Whether the number, returned by a writeback call, means that data of the file could not be
   * written.
   *
   * <p>These are the numbers that block devices and file systems record for a file when a write
   * fails permanently. Not included are errors of the call itself (EPERM, EINVAL, EBADF, ESPIPE,
   * ENOSYS, EINTR) and temporary errors (ENOMEM, EAGAIN, EBUSY), after which the data is still in
   * memory.
   *
   * <p>Source: Linux 6.18, {@code block/blk-core.c} ({@code blk_errors}); {@code fs/nfs/internal.h}
   * ({@code nfs_error_is_fatal}); ext4, XFS and Btrfs (EIO, ENOSPC, EROFS, EUCLEAN); FUSE
   * (ENOTCONN, when its server has ended); Ceph (ESHUTDOWN, when the client is blocked).
   */
  public boolean isDataError() {
    return DATA_ERRORS.contains(errno);
  }
}
