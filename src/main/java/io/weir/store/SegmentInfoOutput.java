package io.weir.store;

import java.io.IOException;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IndexOutput;

/**
 * The file of a merged segment that Lucene writes after all others, under no lock. When it has been
 * closed well the segment is whole and not open yet.
 *
 * <p><b>Threads:</b> one, the merge's. <b>Failure:</b> what the output below throws, and what
 * {@code onWritten} throws; both end the merge.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.mergeMiddle}.
 */
final class SegmentInfoOutput extends FilterIndexOutput {

  /** Told once. */
  @FunctionalInterface
  interface Listener {

    /** May throw to end the merge. */
    void written() throws IOException;
  }

  private final Listener onWritten;
  private boolean closed;

  SegmentInfoOutput(IndexOutput out, Listener onWritten) {
    super("SegmentInfo(" + out + ")", out.getName(), out);
    this.onWritten = onWritten;
  }

  @Override
  public void close() throws IOException {
    super.close();
    if (!closed) {
      closed = true;
      onWritten.written();
    }
  }
}
