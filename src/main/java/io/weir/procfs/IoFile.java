package io.weir.procfs;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * An {@code io} file of a process or a thread that is kept open, for those who read it hundreds of
 * times a second. Looks at a thread from any other, for as long as the thread lives.
 *
 * <p><b>Threads:</b> any; one reads at a time. Not closed by an interrupt, as a channel would be.
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
   * The counters now.
   *
   * @throws IOException when the thread has ended, this is closed, or reading is denied by now
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
