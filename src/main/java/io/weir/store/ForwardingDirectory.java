package io.weir.store;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;

/**
 * A layer of Weir over a directory: forwards all methods, including those that Lucene's own filter
 * leaves to the defaults of {@link Directory}.
 *
 * <p>The default {@code copyFrom} would split a copy into an output and an input of this layer, so
 * the layers below would not recognize it. {@code openChecksumInput} stays Lucene's default, which
 * is built on this layer's {@code openInput}.
 */
abstract class ForwardingDirectory extends FilterDirectory {

  ForwardingDirectory(Directory in) {
    super(Objects.requireNonNull(in, "in"));
  }

  /** A codec of Weir begins to write the postings of a segment, which has these fields. */
  void writes(String segment, FieldInfos fields) {}

  @Override
  public void copyFrom(Directory from, String src, String dest, IOContext context)
      throws IOException {
    in.copyFrom(from, src, dest, context);
  }

  /**
   * Syncs a folder, whatever interrupts the thread; the interrupt is kept. In Lucene's {@code
   * FSDirectory} an interrupt ends the sync of a folder without an exception, and only the sync of
   * the next file fails. So no sync of a folder may be the last one before a renaming.
   *
   * <p>Source: Lucene 10.5.1, {@code IOUtils.fsync}.
   */
  static void syncFolder(Directory directory) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      directory.syncMetaData();
      while (Thread.interrupted()) {
        interrupted = true;
        directory.syncMetaData();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
