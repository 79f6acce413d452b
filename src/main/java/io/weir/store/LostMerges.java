package io.weir.store;

import io.weir.lucene.MergeAborts;
import io.weir.lucene.SegmentFiles;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;

/**
 * The merges of one directory of which the disk could not take a part. None of their segments is
 * published, so their inputs stay and a later merge can do the work again.
 *
 * <p>A merge is aborted as soon as the loss is known. Where Lucene would not take that for the end
 * of the merge, in a compound file, its segment info is refused instead.
 *
 * <p><b>Threads:</b> any; nothing blocks. <b>Memory:</b> one entry for each lost file, until the
 * file is deleted.
 */
final class LostMerges implements LostWriteHandler {

  private final Map<String, LostWriteException> lossByFile = new ConcurrentHashMap<>();

  /**
   * A part of this file of a merge was lost.
   *
   * @throws MergeAbortedException when that ends the merge
   */
  @Override
  public void lost(String name, LostWriteException loss) throws MergeAbortedException {
    lossByFile.put(name, loss);
    if (MergeAborts.endMergeIn(name)) {
      throw aborted(name, loss);
    }
  }

  /**
   * The merge is about to write this file.
   *
   * @throws MergeAbortedException when it would make a segment visible that has lost a part
   */
  void checkPublishing(String name) throws MergeAbortedException {
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

  /** The file is gone, or is another one of this name. */
  void forget(String name) {
    lossByFile.remove(name);
  }

  private static MergeAbortedException aborted(String name, LostWriteException loss) {
    MergeAbortedException aborted =
        new MergeAbortedException(
            "a part of " + name + " could not be written to disk: " + loss.getMessage());
    aborted.initCause(loss);
    return aborted;
  }
}
