package io.weir.store;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Writeback by {@code sync_file_range} on a descriptor of its own, open for reading only: writeback
 * belongs to the file and not to who wrote it.
 *
 * <p>A range is started by {@code WRITE} alone, which takes each dirty page that is not locked, and
 * awaited by all three flags, which also write what the start may have passed by (the kernel then
 * writes for integrity and not only to clean).
 *
 * <p>Source: {@code fs/sync.c} of Linux and the manual page.
 */
final class RangeWritebackFile implements WritebackFile {

  private static final int WRITE_AND_WAIT =
      LinuxCalls.WAIT_BEFORE | LinuxCalls.WRITE | LinuxCalls.WAIT_AFTER;

  private final LinuxCalls calls;
  private final int descriptor;

  RangeWritebackFile(LinuxCalls calls, Path path) throws IOException {
    this.calls = calls;
    this.descriptor = calls.open(path);
  }

  @Override
  public void start(long offset, long bytes) throws IOException {
    sync(offset, bytes, LinuxCalls.WRITE);
  }

  @Override
  public void await(long offset, long bytes) throws IOException {
    sync(offset, bytes, WRITE_AND_WAIT);
  }

  private void sync(long offset, long bytes, int flags) throws IOException {
    try {
      calls.syncFileRange(descriptor, offset, bytes, flags);
    } catch (ErrnoException e) {
      throw e.isDataError() ? new LostWriteException(e) : e;
    }
  }

  @Override
  public long drop(long offset, long bytes) throws IOException {
    calls.dropRange(descriptor, offset, bytes);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    calls.close(descriptor);
  }
}
