package io.weir.procfs;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * An open {@code io} file of a process or a thread, for reading it hundreds of times a second. Any
 * thread can read another thread's file, as long as that thread lives.
 *
 * <p><b>Threads:</b> any; reads are serialized. An interrupt does not close it, as it would close a
 * channel.
 */
public final class IoFile implements Closeable {

  private static final int MAX_BYTES = 512;

  private final RandomAccessFile file;
  private final byte[] bytes = new byte[MAX_BYTES]; // guarded by this

  private IoFile(RandomAccessFile file) {
    this.file = file;
  }

  static IoFile open(Path path) throws IOException {
    return new IoFile(new RandomAccessFile(path.toFile(), "r"));
  }

  /**
   * Reads the counters.
   *
   * @throws IOException when the thread has ended, this file is closed, or reading is denied
   */
  public synchronized IoCounters read() throws IOException {
    int length;
    try {
      file.seek(0);
      length = Math.max(0, file.read(bytes));
    } catch (RuntimeException e) {
      throw new IOException("denied: " + e, e);
    }
    return IoCounters.parse(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
