package io.weir.store;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writeback by {@link FileChannel#force force(false)} on a channel of its own. Nothing can be
 * started without waiting for it, and whatever the range, the whole file is written.
 */
final class ForcedWritebackFile implements WritebackFile {

  private final FileChannel channel;

  ForcedWritebackFile(Path path) throws IOException {
    // Windows forces only what is open for writing.
    this.channel = FileChannel.open(path, StandardOpenOption.WRITE);
  }

  @Override
  public void start(long offset, long bytes) {}

  /**
   * An interrupt that came earlier must not close the channel, which is what an interruptible
   * channel does; one that comes meanwhile does, and ends smoothing of this file.
   *
   * <p>Any other failure counts as a lost write. The JDK passes no error number on, and of those
   * that {@code fdatasync} has on an open file nearly all are about its data.
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
