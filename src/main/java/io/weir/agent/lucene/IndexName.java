package io.weir.agent.lucene;

import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;

/**
 * What the agent calls an index: the path of its directory, which an operator knows. A directory
 * that is not in a file system is called by its class.
 */
final class IndexName {

  private IndexName() {}

  static String of(Directory directory) {
    Directory files = FilterDirectory.unwrap(directory);
    return files instanceof FSDirectory inFileSystem
        ? inFileSystem.getDirectory().toString()
        : files.getClass().getSimpleName();
  }

  /** The index that {@code manager} has a reader of, or the manager's class. */
  static <G> String of(ReferenceManager<G> manager) throws IOException {
    G reference;
    try {
      reference = manager.acquire();
    } catch (AlreadyClosedException e) {
      return manager.getClass().getSimpleName();
    }
    try {
      Object reader =
          reference instanceof IndexSearcher searcher ? searcher.getIndexReader() : reference;
      return reader instanceof DirectoryReader ofDirectory
          ? of(ofDirectory.directory())
          : manager.getClass().getSimpleName();
    } finally {
      manager.release(reference);
    }
  }
}
