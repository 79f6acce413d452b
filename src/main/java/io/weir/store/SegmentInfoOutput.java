package io.weir.store;

import java.io.IOException;
import org.apache.lucene.store.FilterIndexOutput;
import org.apache.lucene.store.IndexOutput;

/**
 * The output of a merged segment's info file, which Lucene writes after all other files and without
 * a lock. After a successful close the segment is complete but not open yet.
 *
 * <p><b>Threads:</b> one, the merge's. <b>Failure:</b> exceptions of the output below and of {@code
 * onWritten}; both end the merge.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.mergeMiddle}.
 */
final class SegmentInfoOutput extends FilterIndexOutput {

  /** Called once, after the close. */
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
