package io.weir.store.writeback;

import io.weir.lucene.MergeAborts;
import io.weir.lucene.SegmentFiles;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;

/**
 * The merges of one directory that lost a part of their output on the way to the disk. None of
 * their segments is published, so their inputs stay, and a later merge can repeat the work.
 *
 * <p>A merge is aborted as soon as the loss is known. In a compound file that would not end the
 * merge; then its segment info is refused instead.
 *
 * <p><b>Threads:</b> any; nothing blocks. <b>Memory:</b> one entry per damaged file, until the file
 * is deleted.
 */
public final class LostMerges implements FileWriteback.LossHandler {

  private final Map<String, WritebackMedium.LostWriteException> lossByFile =
      new ConcurrentHashMap<>();

  /**
   * A part of this merge file was lost.
   *
   * @throws MergeAbortedException if that ends the merge
   */
  @Override
  public void lost(String name, WritebackMedium.LostWriteException loss)
      throws MergeAbortedException {
    lossByFile.put(name, loss);
    if (MergeAborts.endMergeIn(name)) {
      throw aborted(name, loss);
    }
  }

  /**
   * Checks a file that a merge is about to write.
   *
   * @throws MergeAbortedException if it would publish a segment that lost a part
   */
  public void checkPublishing(String name) throws MergeAbortedException {
    if (lossByFile.isEmpty() || !SegmentFiles.isSegmentInfo(name)) {
      return;
    }
    String segment = SegmentFiles.segmentOf(name);
    for (String file : lossByFile.keySet()) {
      if (SegmentFiles.segmentOf(file).equals(segment)) {
        throw aborted(file, lossByFile.remove(file));
      }
    }
  }

  /** The file was deleted or replaced. */
  public void forget(String name) {
    lossByFile.remove(name);
  }

  private static MergeAbortedException aborted(
      String name, WritebackMedium.LostWriteException loss) {
    MergeAbortedException aborted =
        new MergeAbortedException(
            "a part of " + name + " could not be written to disk: " + loss.getMessage());
    aborted.initCause(loss);
    return aborted;
  }
}
