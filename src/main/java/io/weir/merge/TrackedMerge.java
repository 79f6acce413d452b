package io.weir.merge;

import java.io.IOException;
import java.util.concurrent.Executor;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.Sorter;
import org.apache.lucene.store.Directory;

/**
 * A merge that tells its {@link Observer} how far it is, and otherwise does what the merge of the
 * policy below does.
 *
 * <p>Three methods of that merge cannot be reached from here, because only Lucene's own package may
 * override them: {@code initMergeReaders}, {@code onMergeComplete} and {@code getMergeReader}.
 * Lucene overrides them only in merges that it wraps around this one.
 *
 * <p><b>Threads:</b> those of the merge; any for {@link #setAborted}. Its observer knows the locks
 * that the writer holds.
 */
final class TrackedMerge extends OneMerge {

  /** The request that the policy answered with this merge. */
  enum Origin {
    NATURAL,
    FORCED,
    FULL_FLUSH,
    READERS
  }

  /** Callbacks during a merge. */
  interface Observer {

    /** The merge's thread begins. The writer's lock is held. */
    void opens(TrackedMerge merge);

    /** The merged segment has a name. The writer's lock is held, or all files are written. */
    void named(TrackedMerge merge, SegmentCommitInfo info);

    /** The merge is about to read. */
    void merges(TrackedMerge merge);

    /** The merge may reorder documents: it shows its directory. */
    void reorders(TrackedMerge merge, Directory directory);

    /** The merge has ended. The writer's lock is held. */
    void finished(TrackedMerge merge, boolean success);
  }

  /** How far a merge has got. */
  enum State {
    /** Chosen; the writer may have registered it, or rejected it. */
    CHOSEN,
    /** Its thread has begun, and has not opened its input. */
    OPENED,
    /** It reads and writes. */
    MERGING,
    /** It has ended. */
    ENDED
  }

  final Origin origin;

  /** How often forced merges had been cancelled when it was chosen. */
  final int cancellations;

  private final OneMerge in;
  private final Observer observer;

  /** Written by the thread of the merge, or under the writer's lock before it has one. */
  private volatile State state = State.CHOSEN;

  TrackedMerge(OneMerge in, Origin origin, int cancellations, Observer observer) {
    super(in);
    this.in = in;
    this.origin = origin;
    this.cancellations = cancellations;
    this.observer = observer;
  }

  State state() {
    return state;
  }

  void setState(State newState) {
    state = newState;
  }

  /**
   * Whether the writer runs this merge itself, and not another one that wraps it.
   *
   * <p>Source: Lucene 10.5.1, {@code IndexWriter.registerMerge}, which adds up the sizes of the
   * segments in the merge that it will run. {@code addIndexes(CodecReader...)} wraps no merges.
   */
  boolean isWriters() {
    return totalBytesSize() > 0 || origin == Origin.READERS;
  }

  @Override
  public void mergeInit() throws IOException {
    super.mergeInit();
    observer.opens(this);
    in.mergeInit();
  }

  @Override
  public void setMergeInfo(SegmentCommitInfo info) {
    super.setMergeInfo(info);
    in.setMergeInfo(info);
    observer.named(this, info);
  }

  @Override
  public CodecReader wrapForMerge(CodecReader reader) throws IOException {
    observer.merges(this);
    return in.wrapForMerge(reader);
  }

  @Override
  public Sorter.DocMap reorder(CodecReader reader, Directory directory, Executor executor)
      throws IOException {
    observer.reorders(this, directory);
    return in.reorder(reader, directory, executor);
  }

  @Override
  public void setAborted() {
    super.setAborted();
    in.setAborted();
  }

  @Override
  public void mergeFinished(boolean success, boolean segmentDropped) throws IOException {
    try {
      in.mergeFinished(success, segmentDropped);
    } finally {
      observer.finished(this, success);
    }
  }
}
