package io.weir.control;

import io.weir.merge.MergeReadMeter;
import io.weir.procfs.IoFile;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Counts the bytes that a process or a thread reads from storage between two looks.
 *
 * <p><b>Threads:</b> one at a time. <b>Ownership:</b> owns the file. <b>Failure:</b> {@link
 * UncheckedIOException} if it cannot be read.
 */
final class ReadCounter implements MergeReadMeter.Counter {

  private final IoFile file;
  private long seenBytes;

  private ReadCounter(IoFile file) {
    this.file = file;
    this.seenBytes = bytes();
  }

  /** Counts from now on; closes the file if it cannot be read. */
  static ReadCounter of(IoFile file) {
    try {
      return new ReadCounter(file);
    } catch (RuntimeException e) {
      closeQuietly(file);
      throw e;
    }
  }

  @Override
  public long bytesSinceLast() {
    long before = seenBytes;
    seenBytes = Math.max(before, bytes());
    return seenBytes - before;
  }

  private long bytes() {
    try {
      return file.read().readBytes().orElseThrow(() -> new IOException("no read_bytes"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    closeQuietly(file);
  }

  private static void closeQuietly(IoFile file) {
    try {
      file.close();
    } catch (IOException e) {
      // Nothing was written.
    }
  }
}
