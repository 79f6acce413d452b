package io.weir.store.writeback;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writeback by {@link FileChannel#force force(false)} on its own channel. A write cannot be started
 * without waiting for it, and the whole file is always written.
 */
public final class ForcedWritebackFile implements WritebackFile {

  private final FileChannel channel;

  public ForcedWritebackFile(Path path) throws IOException {
    // Windows can force only a file that is open for writing.
    this.channel = FileChannel.open(path, StandardOpenOption.WRITE);
  }

  @Override
  public void start(long offset, long bytes) {}

  /**
   * An earlier interrupt must not close the channel, as interruptible channels do. An interrupt
   * during the call closes it, and ends smoothing of this file.
   *
   * <p>Any other failure counts as a lost write: the JDK does not report the error number, and
   * nearly all errors of {@code fdatasync} on an open file concern its data.
   */
  @Override
  public void await(long offset, long bytes) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      channel.force(false);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      throw new LostWriteException(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public long drop(long offset, long bytes) {
    return 0;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
