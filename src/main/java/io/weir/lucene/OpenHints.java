package io.weir.lucene;

import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.ReadOnceHint;

/**
 * Recognizes from an open's context how the file will be used.
 *
 * <p>Source: Lucene 10.5.1, {@code IOContext}, {@code MMapDirectory.openInput}, {@code
 * ReadersAndUpdates.getReaderForMerge}.
 */
public final class OpenHints {

  private OpenHints() {}

  /**
   * Whether the caller reads the file once, from end to end, and closes it. Such a mapping is
   * confined to the thread.
   */
  public static boolean isReadOnce(IOContext context) {
    return context.hints().contains(ReadOnceHint.INSTANCE);
  }

  /** Whether a merge writes the file, or opens it because it is about to read it. */
  public static boolean isForMerge(IOContext context) {
    return context.context() == IOContext.Context.MERGE;
  }
}
