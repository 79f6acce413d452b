package io.weir.merge;

import io.weir.lucene.Merges;
import io.weir.lucene.SegmentFiles;
import io.weir.store.MergeLimiter;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.store.Directory;

/**
 * The work after a merge has ended: charges bytes that were written past the scheduler, and deletes
 * what an aborted merge leaves behind.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.mergeMiddle}: the compound file and the {@code .si}
 * go to the writer's own directory.
 */
final class MergeCleanup {

  private MergeCleanup() {}

  /**
   * The outcome of the merge; {@code failure} is null if it did not throw.
   *
   * <p>A merge that is aborted after its commit is done all the same, and Lucene does not report
   * it. The files of an uncommitted merge are gone by now, which tells the two apart.
   */
  static MergeTotals.Outcome outcome(RunningMerge running, Throwable failure) {
    if (failure != null) {
      return failure instanceof MergeAbortedException
          ? MergeTotals.Outcome.ABORTED
          : MergeTotals.Outcome.FAILED;
    }
    boolean calledOff = running.merge.isAborted() && !isCommitted(running);
    return calledOff || brokeOff(running) ? MergeTotals.Outcome.ABORTED : MergeTotals.Outcome.DONE;
  }

  /**
   * Whether the merge ended before its segment info was written. A directory may abort a merge with
   * a {@link MergeAbortedException}, which the writer does not pass on.
   */
  private static boolean brokeOff(RunningMerge running) {
    SegmentCommitInfo merged = running.merge.getMergeInfo();
    if (merged == null) {
      return !running.created().isEmpty();
    }
    try {
      Set<String> files = merged.info.files(); // empty when no document was left
      return !files.isEmpty() && !files.contains(SegmentFiles.segmentInfoOf(merged.info.name));
    } catch (IllegalStateException e) {
      return true; // Lucene throws this when the files are not set yet
    }
  }

  private static boolean isCommitted(RunningMerge running) {
    SegmentCommitInfo merged = running.merge.getMergeInfo();
    Directory directory = running.directory();
    if (merged == null || directory == null || !Merges.isComplete(merged.info)) {
      return false;
    }
    try {
      return directory.fileLength(SegmentFiles.segmentInfoOf(merged.info.name)) > 0;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Settles the merge after that outcome. */
  static void settle(RunningMerge running, MergeTotals.Outcome outcome)
      throws IOException, InterruptedException {
    Directory directory = running.directory();
    if (directory == null) {
      return;
    }
    if (outcome == MergeTotals.Outcome.DONE && running.isAlone()) {
      debitUnseen(running, directory);
    } else if (outcome == MergeTotals.Outcome.ABORTED) {
      deleteLeftovers(running, directory);
    }
  }

  /**
   * Debits the files of the merged segment that were not written through the merge's own directory.
   * If another merge has already replaced the segment, a missing compound file counts with the size
   * of its parts; other missing files do not count.
   */
  private static void debitUnseen(RunningMerge seen, Directory directory)
      throws IOException, InterruptedException {
    SegmentCommitInfo merged = seen.merge.getMergeInfo();
    if (merged == null || !Merges.isComplete(merged.info)) {
      return;
    }
    long ofParts = seen.lastingBytes();
    for (String name : merged.info.files()) {
      if (!seen.created().contains(name)) {
        boolean compound = SegmentFiles.isCompound(name);
        long bytes = length(directory, name, SegmentFiles.isCompoundData(name) ? ofParts : 0);
        if (bytes > 0) {
          seen.debit(bytes, compound ? MergeLimiter.Part.COMPOUND : MergeLimiter.Part.LASTING);
        }
      }
    }
  }

  /**
   * Deletes the files that an aborted merge has created, including temporary ones. Lucene keeps
   * them until the writer closes, because it expects aborts only shortly before a close.
   *
   * <p>It does so only if the merge ended before its files were complete. Then the merge cannot
   * have been committed, however late it was aborted.
   *
   * <p>A tracked merge ends under the writer's lock, and the names must be gone when that lock is
   * released: the next writer may use them again. With a {@link
   * io.weir.store.DeferredUnmapDirectory} below, only the names are deleted here, and another
   * thread frees the space.
   */
  private static void deleteLeftovers(RunningMerge aborted, Directory directory) {
    SegmentCommitInfo merged = aborted.merge.getMergeInfo();
    if (merged != null && Merges.isComplete(merged.info)) {
      return;
    }
    for (String name : List.copyOf(aborted.created())) {
      try {
        directory.deleteFile(name);
      } catch (IOException | RuntimeException e) {
        // The file is gone already, or the writer is closed and deletes unknown files itself.
      }
    }
  }

  private static long length(Directory directory, String name, long ifGone) throws IOException {
    try {
      return directory.fileLength(name);
    } catch (NoSuchFileException | FileNotFoundException e) {
      return ifGone;
    }
  }
}
