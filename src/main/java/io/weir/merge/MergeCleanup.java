package io.weir.merge;

import io.weir.lucene.Merges;
import io.weir.lucene.SegmentFiles;
import io.weir.store.MergeClaim;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.store.Directory;

/**
 * What is left to do for a merge when the writer has done with it: to charge what was written past
 * the scheduler, and to take away what an aborted merge leaves behind.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.mergeMiddle}: the compound file and the {@code .si}
 * go to the writer's own directory.
 */
final class MergeCleanup {

  private MergeCleanup() {}

  /**
   * How the merge ended; {@code failure} is null if it did not throw.
   *
   * <p>One that is called off after it was committed is done all the same, and Lucene does not say
   * so. But the files of one that was not are gone by now.
   */
  static MergeTotals.Outcome outcome(RunningMerge account, Throwable failure) {
    if (failure != null) {
      return failure instanceof MergeAbortedException
          ? MergeTotals.Outcome.ABORTED
          : MergeTotals.Outcome.FAILED;
    }
    boolean calledOff = account.merge.isAborted() && !isCommitted(account);
    return calledOff || brokeOff(account) ? MergeTotals.Outcome.ABORTED : MergeTotals.Outcome.DONE;
  }

  /**
   * Whether the merge ended before its segment info was made. A directory may abort a merge by a
   * {@link MergeAbortedException}; the writer keeps that to itself.
   */
  private static boolean brokeOff(RunningMerge account) {
    SegmentCommitInfo merged = account.merge.getMergeInfo();
    if (merged == null) {
      return !account.created().isEmpty();
    }
    try {
      Set<String> files = merged.info.files(); // empty when no document was left
      return !files.isEmpty() && !files.contains(SegmentFiles.segmentInfoOf(merged.info.name));
    } catch (IllegalStateException e) {
      return true; // how Lucene says that they are not complete
    }
  }

  private static boolean isCommitted(RunningMerge account) {
    SegmentCommitInfo merged = account.merge.getMergeInfo();
    Directory directory = account.directory();
    if (merged == null || directory == null || !Merges.isComplete(merged.info)) {
      return false;
    }
    try {
      return directory.fileLength(SegmentFiles.segmentInfoOf(merged.info.name)) > 0;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Does what is left to do after such an end. */
  static void settle(RunningMerge account, MergeTotals.Outcome outcome)
      throws IOException, InterruptedException {
    Directory directory = account.directory();
    if (directory == null) {
      return;
    }
    if (outcome == MergeTotals.Outcome.DONE && account.isAlone()) {
      debitUnseen(account, directory);
    } else if (outcome == MergeTotals.Outcome.ABORTED) {
      deleteLeftovers(account, directory);
    }
  }

  /**
   * Debits the files of the merged segment that were not written through {@code seen}'s directory.
   * One that is gone already, as another merge took the segment in, counts as what it was made of
   * if it is the compound file, and else not.
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
          seen.debit(bytes, compound ? MergeClaim.Part.COMPOUND : MergeClaim.Part.LASTING);
        }
      }
    }
  }

  /**
   * Deletes the files that an aborted merge has made, temporary ones included. Lucene keeps them
   * until the writer is closed: it expects aborts only when that is near.
   *
   * <p>Only if the merge broke off before its files were complete. Then it was not committed for
   * certain, however late it was called off.
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
        // Gone already, or the writer is: then it deletes what it does not know.
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
