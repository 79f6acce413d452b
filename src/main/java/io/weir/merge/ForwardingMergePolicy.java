package io.weir.merge;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;

/**
 * Chooses the same merges as the policy below, each in a merge of ours.
 *
 * <p>The method that chose a merge shows its purpose.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.updatePendingMerges} and {@code addIndexes}. Only
 * {@code preparePointInTimeMerge} asks for the merges of a full flush, which a reopen or a commit
 * waits for.
 */
abstract class ForwardingMergePolicy extends FilterMergePolicy {

  /** The request that the policy answered with a merge. */
  enum Origin {
    NATURAL,
    FORCED,
    FULL_FLUSH,
    READERS
  }

  ForwardingMergePolicy(MergePolicy in) {
    super(in);
  }

  /**
   * Wraps each merge that was found.
   *
   * @param found null if there is none, as everywhere in Lucene
   */
  abstract MergeSpecification chosen(MergeSpecification found, Origin origin);

  @Override
  public MergeSpecification findMerges(
      MergeTrigger trigger, SegmentInfos infos, MergeContext context) throws IOException {
    return chosen(in.findMerges(trigger, infos, context), Origin.NATURAL);
  }

  @Override
  public MergeSpecification findMerges(CodecReader... readers) throws IOException {
    return chosen(in.findMerges(readers), Origin.READERS);
  }

  @Override
  public MergeSpecification findForcedMerges(
      SegmentInfos infos,
      int maxSegmentCount,
      Map<SegmentCommitInfo, Boolean> segmentsToMerge,
      MergeContext context)
      throws IOException {
    return chosen(
        in.findForcedMerges(infos, maxSegmentCount, segmentsToMerge, context), Origin.FORCED);
  }

  @Override
  public MergeSpecification findForcedDeletesMerges(SegmentInfos infos, MergeContext context)
      throws IOException {
    return chosen(in.findForcedDeletesMerges(infos, context), Origin.NATURAL);
  }

  @Override
  public MergeSpecification findFullFlushMerges(
      MergeTrigger trigger, SegmentInfos infos, MergeContext context) throws IOException {
    return chosen(in.findFullFlushMerges(trigger, infos, context), Origin.FULL_FLUSH);
  }
}
