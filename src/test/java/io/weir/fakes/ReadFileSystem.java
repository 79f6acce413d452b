package io.weir.fakes;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import org.apache.lucene.tests.mockfile.FilterFileSystem;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.apache.lucene.tests.mockfile.FilterPath;

/** A file system that asks before each file is opened, so that a test can count or refuse it. */
public final class ReadFileSystem extends FilterFileSystemProvider {

  /** Asked on the thread that opens the file; what it throws, the opening throws. */
  @FunctionalInterface
  public interface Hook {
    void opens(String file);
  }

  private final Hook hook;

  private ReadFileSystem(Path path, Hook hook) {
    super("read://", path.getFileSystem());
    this.hook = hook;
  }

  /** The same directory, in such a file system. */
  public static Path of(Path directory, Hook hook) {
    return new ReadFileSystem(directory, hook).wrapPath(directory);
  }

  @Override
  public FilterPath wrapPath(Path path) {
    return new Asking(path, fileSystem, hook);
  }

  @Override
  public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
    hook.opens(path.toString());
    return super.newInputStream(path, options);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    hook.opens(path.toString());
    return super.newByteChannel(path, options, attributes);
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    hook.opens(path.toString());
    return super.newFileChannel(path, options, attributes);
  }

  /** What leaves this file system as a {@link File} is opened there, too. */
  private static final class Asking extends FilterPath {

    private final Hook hook;

    Asking(Path delegate, FilterFileSystem fileSystem, Hook hook) {
      super(delegate, fileSystem);
      this.hook = hook;
    }

    @Override
    public File toFile() {
      hook.opens(toString());
      return super.toFile();
    }
  }
}
