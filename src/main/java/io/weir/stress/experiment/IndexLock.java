package io.weir.stress.experiment;

import io.weir.stress.experiment.StressException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;

/**
 * Keeps everybody else from writing to an index while arms take their copies of it.
 *
 * <p><b>Failure:</b> an index that another process has locked is a {@link StressException} of kind
 * usage.
 */
final class IndexLock implements Closeable {

  private final Directory directory;
  private final Lock lock;

  private IndexLock(Directory directory, Lock lock) {
    this.directory = directory;
    this.lock = lock;
  }

  static IndexLock hold(Path index) throws StressException, IOException {
    Directory directory = FSDirectory.open(index);
    try {
      return new IndexLock(directory, directory.obtainLock(IndexWriter.WRITE_LOCK_NAME));
    } catch (LockObtainFailedException e) {
      directory.close();
      throw new StressException(
          Kind.USAGE,
          "--index must not be in use, another process has locked it: "
              + index.resolve(IndexWriter.WRITE_LOCK_NAME));
    }
  }

  /** Whether there is a commit in {@code index}. */
  static boolean holdsIndex(Path index) throws IOException {
    try (Directory directory = FSDirectory.open(index)) {
      return DirectoryReader.indexExists(directory);
    }
  }

  @Override
  public void close() throws IOException {
    try (directory) {
      lock.close();
    }
  }
}
