package io.weir.merge;

import java.io.IOException;
import java.util.concurrent.Executor;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.Sorter;
import org.apache.lucene.store.Directory;

/**
 * A merge that does what the merge of another policy does.
 *
 * <p>Three methods of that merge cannot be reached from here, because only Lucene's own package may
 * override them: {@code initMergeReaders}, {@code onMergeComplete} and {@code getMergeReader}.
 * Lucene overrides them only in merges that it wraps around this one.
 *
 * <p><b>Threads:</b> those of the merge; any for {@link #setAborted}.
 */
class ForwardingMerge extends OneMerge {

  private final OneMerge in;

  ForwardingMerge(OneMerge in) {
    super(in);
    this.in = in;
  }

  @Override
  public void mergeInit() throws IOException {
    super.mergeInit();
    in.mergeInit();
  }

  @Override
  public void setMergeInfo(SegmentCommitInfo info) {
    super.setMergeInfo(info);
    in.setMergeInfo(info);
  }

  @Override
  public CodecReader wrapForMerge(CodecReader reader) throws IOException {
    return in.wrapForMerge(reader);
  }

  @Override
  public Sorter.DocMap reorder(CodecReader reader, Directory directory, Executor executor)
      throws IOException {
    return in.reorder(reader, directory, executor);
  }

  @Override
  public void setAborted() {
    super.setAborted();
    in.setAborted();
  }

  @Override
  public void mergeFinished(boolean success, boolean segmentDropped) throws IOException {
    in.mergeFinished(success, segmentDropped);
  }
}
