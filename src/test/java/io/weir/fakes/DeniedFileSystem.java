package io.weir.fakes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.FileStore;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;

/**
 * A file system under a security policy, which denies in the way of a security manager ({@code
 * SecurityException}) or of an engine's entitlements (a {@code RuntimeException} of their own).
 */
public final class DeniedFileSystem extends FilterFileSystemProvider {

  private final RuntimeException refusal;
  private final boolean denyFiles;

  private DeniedFileSystem(Path path, RuntimeException refusal, boolean denyFiles) {
    super("denied://", path.getFileSystem());
    this.refusal = refusal;
    this.denyFiles = denyFiles;
  }

  /** The same directory, without a way to learn what kind of file system it is on. */
  public static Path withoutAttributes(Path directory, RuntimeException refusal) {
    return new DeniedFileSystem(directory, refusal, false).wrapPath(directory);
  }

  /** The same directory, without a way to read any file, or to see that it is there. */
  public static Path withoutFiles(Path directory, RuntimeException refusal) {
    return new DeniedFileSystem(directory, refusal, true).wrapPath(directory);
  }

  @Override
  public FileStore getFileStore(Path path) {
    throw refusal;
  }

  @Override
  public InputStream newInputStream(Path path, OpenOption... options) throws IOException {
    check();
    return super.newInputStream(path, options);
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    check();
    return super.newByteChannel(path, options, attributes);
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    check();
    super.checkAccess(path, modes);
  }

  private void check() {
    if (denyFiles) {
      throw refusal;
    }
  }
}
