package io.weir.lucene;

import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterDirectoryReader;

/**
 * Tells readers of an open writer from those of a commit.
 *
 * <p>Source: Lucene 10.5.1, {@code StandardDirectoryReader.toString}, the only place where a reader
 * says so; the same in 9.12.
 */
public final class WriterReaders {

  private static final String MARK = ":nrt";

  private WriterReaders() {}

  /** Whether the reader was opened from a writer, or by reopening one that was. */
  public static boolean isOfWriter(DirectoryReader reader) {
    String shown = FilterDirectoryReader.unwrap(reader).toString();
    return shown.split("[ )]", 2)[0].endsWith(MARK); // the segments follow
  }
}
