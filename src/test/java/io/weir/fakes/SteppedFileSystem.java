package io.weir.fakes;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.apache.lucene.tests.mockfile.FilterOutputStream2;

/**
 * A file system that asks before each change of a file, so that a test can make it fail there or do
 * something at just that moment. Nothing is really synced: a test that lives needs no durability.
 */
public final class SteppedFileSystem extends FilterFileSystemProvider {

  /** What is about to be done. */
  public enum Step {
    CREATE,
    WRITE,
    CLOSE,
    /** A sync without metadata, as writeback makes it where there is no better way. */
    WRITEBACK,
    SYNC,
    RENAME,
    DELETE
  }

  /** Asked on the thread that changes the file, before; a file is closed whatever this throws. */
  @FunctionalInterface
  public interface Hook {
    void at(Step step, String file) throws IOException;
  }

  private final Hook hook;

  private SteppedFileSystem(Path path, Hook hook) {
    super("stepped://", path.getFileSystem());
    this.hook = hook;
  }

  /** The same directory, in such a file system. */
  public static Path of(Path directory, Hook hook) {
    return new SteppedFileSystem(directory, hook).wrapPath(directory);
  }

  @Override
  public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
    step(Step.CREATE, path);
    return new FilterOutputStream2(super.newOutputStream(path, options)) {
      @Override
      public void write(byte[] b, int offset, int length) throws IOException {
        step(Step.WRITE, path);
        delegate.write(b, offset, length);
      }

      @Override
      public void close() throws IOException {
        try (delegate) {
          step(Step.CLOSE, path);
        }
      }
    };
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    FileChannel channel = super.newFileChannel(path, options, attributes);
    if (path.getFileName().toString().equals("write.lock")) {
      return channel; // Lucene locks it
    }
    boolean fallible = options.contains(StandardOpenOption.WRITE);
    return new FilterFileChannel(channel) {
      @Override
      public void force(boolean metaData) throws IOException {
        if (fallible) { // that of a directory does not fail: Lucene asserts it
          step(metaData ? Step.SYNC : Step.WRITEBACK, path);
        }
      }
    };
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) throws IOException {
    step(Step.RENAME, target);
    super.move(source, target, options);
  }

  @Override
  public void delete(Path path) throws IOException {
    if (Files.exists(path)) { // or it fails with NoSuchFileException, as on any disk
      step(Step.DELETE, path);
    }
    super.delete(path);
  }

  private void step(Step step, Path path) throws IOException {
    hook.at(step, path.getFileName().toString());
  }
}
