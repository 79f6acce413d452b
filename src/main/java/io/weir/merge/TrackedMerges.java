package io.weir.merge;

import io.weir.lucene.Merges;
import io.weir.lucene.SegmentFiles;
import io.weir.merge.ForwardingMergePolicy.Origin;
import io.weir.time.OnceLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.MergePolicy.MergeSpecification;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Sorter;
import org.apache.lucene.store.Directory;

/**
 * The merges that a tracked policy has chosen. It begins and ends them as the scheduler does, at
 * the calls that the writer makes to each.
 *
 * <p>The writer calls a merge in this order, on its thread:
 *
 * <ol>
 *   <li>{@code mergeInit} and {@code setMergeInfo}, under the writer's lock. So nothing may wait
 *       here; the merge is only registered.
 *   <li>{@code wrapForMerge} for each reader, without a lock. The first call binds the merge to its
 *       directories; from now on it may wait.
 *   <li>{@code reorder}, unless the index is sorted.
 *   <li>{@code setMergeInfo} again, when all its files are written.
 *   <li>{@code mergeFinished}, under the writer's lock, exactly once and whatever the outcome. A
 *       merge that is aborted while it is pending gets only this call, on another thread. One that
 *       the writer rejects gets none.
 * </ol>
 *
 * <p>Two merges differ. One of {@code addIndexes(CodecReader...)} gets its name and its directory
 * only at the end; its first file names it. One that a reopen or a commit waits for is wrapped by
 * the writer, which passes on everything but {@code mergeInit} and {@code setAborted}. So an abort
 * of it does not show here, and it must never wait.
 *
 * <p><b>Failure:</b> nothing is thrown into the writer. A merge whose end is never reported counts
 * as failed once its thread dies or begins another merge of this writer; another merge's beginning
 * finds out. <b>Memory:</b> holds merges weakly until they begin.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.merge}, {@code _mergeInit}, {@code mergeMiddle},
 * {@code commitMerge}, {@code addIndexesReaderMerge} and {@code preparePointInTimeMerge}.
 */
final class TrackedMerges {

  private final WriterMerges merges;
  private final Set<TrackedMerge> unfinished =
      Collections.newSetFromMap(new WeakHashMap<>()); // guarded by this
  private int cancellations; // guarded by this

  /** For each thread whose forced merge has just ended: how often they had been cancelled. */
  private final Map<Thread, Integer> cascading = new WeakHashMap<>(); // guarded by this

  private final OnceLog hiddenLog = new OnceLog(TrackedMerges.class);
  private final OnceLog unchargedLog = new OnceLog(TrackedMerges.class);
  private volatile Directory writers;

  TrackedMerges(WriterMerges merges) {
    this.merges = merges;
  }

  /** The writer has these segments, and so their directory. */
  void saw(SegmentInfos infos) {
    if (infos.size() > 0) {
      writers = infos.info(0).info.dir;
    }
  }

  /** Wraps the merges that the policy has chosen; null means none, as everywhere in Lucene. */
  synchronized MergeSpecification chosen(MergeSpecification found, Origin origin) {
    // When a forced merge has ended, its thread asks for the next merges of the same forceMerge.
    Integer before = cascading.remove(Thread.currentThread());
    if (found == null) {
      return null;
    }
    MergeSpecification tracked = new MergeSpecification();
    for (OneMerge merge : found.merges) {
      int chosenAt = before == null ? cancellations : before;
      TrackedMerge wrapped = new TrackedMerge(merge, origin, chosenAt, this);
      unfinished.add(wrapped);
      tracked.add(wrapped);
    }
    return tracked;
  }

  /** The merge's thread begins. The writer's lock is held. */
  void opens(TrackedMerge merge) {
    if (merge.isWriters()) {
      open(merge);
      if (wasCancelled(merge)) {
        merge.setAborted();
      }
    }
  }

  /** The merged segment has a name. The writer's lock is held, or all files are written. */
  void named(TrackedMerge merge, SegmentCommitInfo info) {
    if (merge.state() == TrackedMerge.State.CHOSEN && merge.origin == Origin.FULL_FLUSH) {
      merges.guard(() -> estimate(merge));
      open(merge);
    } else if (merge.state() == TrackedMerge.State.MERGING) {
      merges.guard(() -> found(merge).writes(info.info.name));
    }
  }

  /** The merge is about to read. */
  void reads(TrackedMerge merge) {
    switch (merge.state()) {
      case CHOSEN ->
          hiddenLog.log(
              Level.WARNING,
              "another merge policy wraps the tracked one and hides its merges: their bytes are"
                  + " charged, but nothing else is known of them; track the outermost policy");
      case OPENED -> begin(merge);
      case MERGING, ENDED -> {}
    }
  }

  /** The calling thread does something for the merge, which need not run on it. */
  void works(TrackedMerge merge) {
    if (merge.state() == TrackedMerge.State.MERGING) {
      merges.works(merge);
    }
  }

  /** The merge may reorder documents: it shows its directory. */
  void reorders(TrackedMerge merge, Directory directory) {
    if (merge.state() == TrackedMerge.State.MERGING) {
      merges.guard(
          () -> {
            RunningMerge begun = found(merge);
            if (begun.directory() == null) {
              charge(begun, directory);
            }
          });
    }
  }

  /** The merge has ended. The writer's lock is held. */
  void finished(TrackedMerge merge, boolean success) {
    TrackedMerge.State last = merge.state();
    merge.setState(TrackedMerge.State.ENDED);
    synchronized (this) {
      unfinished.remove(merge);
      if (success && Merges.isForced(merge) && !merge.isAborted()) {
        cascading.put(Thread.currentThread(), cancellations);
      }
    }
    merges.find(merge).ifPresent(begun -> end(begun, last, outcome(merge, success)));
  }

  /** Aborts the forced merges that are not finished, and returns their number. */
  int cancelForced() {
    List<TrackedMerge> forced;
    synchronized (this) {
      cancellations++;
      forced =
          unfinished.stream()
              .filter(m -> m.isWriters() && Merges.isForced(m) && !m.isAborted())
              .toList();
    }
    forced.forEach(TrackedMerge::setAborted);
    return forced.size();
  }

  /**
   * The merges that run, and those that the writer has accepted and not begun. Merges whose
   * beginning is hidden do not count.
   */
  synchronized int unfinished() {
    return (int) unfinished.stream().filter(TrackedMerges::isUnfinished).count();
  }

  /** By the merge alone: one that begins now is on its way from one collection to the other. */
  private static boolean isUnfinished(TrackedMerge merge) {
    return switch (merge.state()) {
      case CHOSEN -> merge.isWriters();
      case OPENED, MERGING -> true;
      case ENDED -> false;
    };
  }

  /** Forced merges were cancelled since the policy chose this one for a {@code forceMerge}. */
  private synchronized boolean wasCancelled(TrackedMerge merge) {
    return merge.origin == Origin.FORCED && merge.cancellations != cancellations;
  }

  private void open(TrackedMerge merge) {
    merges.guard(
        () -> {
          endForgotten();
          RunningMerge opened = merges.open(merge, () -> kind(merge), Optional.empty());
          opened.thread = Thread.currentThread();
          merge.setState(TrackedMerge.State.OPENED);
          merges.announce(opened);
        });
  }

  /**
   * Ends merges whose end was not reported, as by a policy that passes on only some calls: their
   * thread has died, or begins another merge now. A thread of a pool may live on without another.
   */
  private void endForgotten() {
    for (RunningMerge other : merges.all()) {
      boolean here = other.thread == Thread.currentThread();
      if (here || other.thread != null && !other.thread.isAlive()) {
        TrackedMerge forgotten = (TrackedMerge) other.merge;
        if (here && forgotten.state() == TrackedMerge.State.MERGING) {
          merges.leave(other);
        }
        forgotten.setState(TrackedMerge.State.ENDED);
        merges.ended(other, MergeTotals.Outcome.FAILED);
      }
    }
  }

  private void begin(TrackedMerge merge) {
    merge.setState(TrackedMerge.State.MERGING);
    Directory directory = merge.segments.isEmpty() ? writers : merge.segments.get(0).info.dir;
    RunningMerge begun = found(merge);
    if (directory != null) {
      merges.guard(() -> charge(begun, directory));
    }
    merges.enter(begun);
    merges.guard(begun.computing::begins);
    merges.guard(() -> merges.backlog.warn(OptionalInt.empty()));
  }

  /** A merge that was opened and has not ended. */
  private RunningMerge found(TrackedMerge merge) {
    return merges.find(merge).orElseThrow(() -> new AssertionError("the merge was not opened"));
  }

  private void charge(RunningMerge begun, Directory directory) {
    if (!merges.charge(begun, directory)) {
      unchargedLog.log(
          Level.WARNING,
          "there is no RateLimitedDirectory below the writer: tracked merges are not charged");
    }
  }

  private void end(RunningMerge begun, TrackedMerge.State last, MergeTotals.Outcome outcome) {
    if (last == TrackedMerge.State.MERGING) {
      merges.leave(begun);
    }
    if (outcome == MergeTotals.Outcome.ABORTED) {
      merges.guard(() -> findCreated(begun));
    }
    merges.ended(begun, outcome);
  }

  /** An aborted merge leaves its files behind; they are named after its segment. */
  private static void findCreated(RunningMerge aborted) throws IOException {
    SegmentCommitInfo merged = aborted.merge.getMergeInfo();
    if (merged != null && aborted.directory() != null) {
      Arrays.stream(aborted.directory().listAll())
          .filter(name -> merged.info.name.equals(SegmentFiles.segmentOf(name)))
          .forEach(aborted.created()::add);
    }
  }

  private static MergeKind kind(TrackedMerge merge) {
    return merge.origin == Origin.FULL_FLUSH ? MergeKind.CRITICAL : MergeKind.of(merge);
  }

  /**
   * The writer does not show the exception of a merge. But of the merges whose abort does not show,
   * those that fail close the writer anyway.
   */
  private static MergeTotals.Outcome outcome(TrackedMerge merge, boolean success) {
    if (success) {
      return MergeTotals.Outcome.DONE;
    }
    return merge.isAborted() || !merge.isWriters()
        ? MergeTotals.Outcome.ABORTED
        : MergeTotals.Outcome.FAILED;
  }

  /** The writer estimates only the merge that it wraps around this one. */
  private static void estimate(TrackedMerge merge) throws IOException {
    long bytes = 0;
    for (SegmentCommitInfo segment : merge.segments) {
      double deleted = (double) segment.getDelCount() / segment.info.maxDoc();
      bytes += (long) (segment.sizeInBytes() * (1 - deleted));
    }
    merge.estimatedMergeBytes = bytes;
  }

  /**
   * A merge that reports to {@link TrackedMerges} how far it is, and otherwise does what the merge
   * of the policy below does.
   *
   * <p><b>Threads:</b> those of the merge; any for {@link #setAborted}. {@link TrackedMerges} knows
   * the locks that the writer holds.
   */
  static final class TrackedMerge extends ForwardingMerge {

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

    private final TrackedMerges tracked;

    /** Written by the thread of the merge, or under the writer's lock before it has one. */
    private volatile State state = State.CHOSEN;

    TrackedMerge(OneMerge in, Origin origin, int cancellations, TrackedMerges tracked) {
      super(in);
      this.origin = origin;
      this.cancellations = cancellations;
      this.tracked = tracked;
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
      tracked.opens(this);
      super.mergeInit();
    }

    @Override
    public void setMergeInfo(SegmentCommitInfo info) {
      super.setMergeInfo(info);
      tracked.named(this, info);
    }

    @Override
    public CodecReader wrapForMerge(CodecReader reader) throws IOException {
      tracked.reads(this);
      return super.wrapForMerge(reader);
    }

    @Override
    public Sorter.DocMap reorder(CodecReader reader, Directory directory, Executor executor)
        throws IOException {
      tracked.reorders(this, directory);
      return super.reorder(reader, directory, executor);
    }

    /** Asked by each thread that builds a graph, before each vector. */
    @Override
    public void checkAborted() throws MergeAbortedException {
      tracked.works(this);
      super.checkAborted();
    }

    @Override
    public void mergeFinished(boolean success, boolean segmentDropped) throws IOException {
      try {
        super.mergeFinished(success, segmentDropped);
      } finally {
        tracked.finished(this, success);
      }
    }
  }
}
