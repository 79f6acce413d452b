package io.weir.store.writeback;

import io.weir.store.kernel.ErrnoException;
import io.weir.store.kernel.LinuxCalls;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writeback by {@code sync_file_range} on its own read-only descriptor: writeback concerns the
 * file, not the descriptor that wrote it.
 *
 * <p>A range is started with {@code WRITE} alone, which submits each dirty page that is not locked.
 * It is awaited with all three flags, which also write the pages that the start has skipped,
 * because the kernel then writes for integrity and not only to clean pages.
 *
 * <p>Source: Linux, {@code fs/sync.c}, and the manual page.
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
