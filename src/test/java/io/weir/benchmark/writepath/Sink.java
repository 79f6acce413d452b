package io.weir.benchmark.writepath;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.store.BaseDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NoLockFactory;
import org.apache.lucene.store.OutputStreamIndexOutput;

/** Where the bytes go in the end. */
public enum Sink {
  /**
   * Through the very output, buffer and checksum that {@code FSDirectory} writes with, to a stream
   * that drops them: all of Lucene's own work and none of the kernel's, which would hide a
   * difference.
   */
  NOTHING {
    @Override
    Directory open(Path path) {
      return new DroppingDirectory();
    }
  },

  /** To a file, that is to the page cache: what is left of the difference in real life. */
  FILE {
    @Override
    Directory open(Path path) throws IOException {
      return new NIOFSDirectory(path);
    }
  };

  abstract Directory open(Path path) throws IOException;

  /** Keeps the names of its files and nothing else. */
  private static final class DroppingDirectory extends BaseDirectory {

    /** What {@code FSDirectory} has. */
    private static final int BUFFER_BYTES = 8192;

    private final Set<String> names = ConcurrentHashMap.newKeySet();

    DroppingDirectory() {
      super(NoLockFactory.INSTANCE);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) {
      names.add(name);
      return new OutputStreamIndexOutput(
          "Dropping(" + name + ")", name, OutputStream.nullOutputStream(), BUFFER_BYTES);
    }

    @Override
    public IndexOutput createTempOutput(String prefix, String suffix, IOContext context) {
      return createOutput(prefix + "_" + suffix + ".tmp", context);
    }

    @Override
    public void deleteFile(String name) {
      names.remove(name);
    }

    @Override
    public String[] listAll() {
      return names.stream().sorted().toArray(String[]::new);
    }

    @Override
    public long fileLength(String name) {
      throw new UnsupportedOperationException("nothing was kept of " + name);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) {
      throw new UnsupportedOperationException("nothing was kept of " + name);
    }

    @Override
    public void rename(String source, String dest) {
      names.remove(source);
      names.add(dest);
    }

    @Override
    public void sync(java.util.Collection<String> synced) {}

    @Override
    public void syncMetaData() {}

    @Override
    public Set<String> getPendingDeletions() {
      return Set.of();
    }

    @Override
    public void close() {}
  }
}
