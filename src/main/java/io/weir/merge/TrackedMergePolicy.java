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
 * Chooses the same merges as the policy below, as merges that a tracker knows.
 *
 * <p>The method that chose a merge shows its purpose.
 *
 * <p>Source: Lucene 10.5.1, {@code IndexWriter.updatePendingMerges} and {@code addIndexes}. Only
 * {@code preparePointInTimeMerge} asks for the merges of a full flush, which a reopen or a commit
 * waits for.
 */
final class TrackedMergePolicy extends FilterMergePolicy {

  private final TrackedMerges tracked;

  TrackedMergePolicy(MergePolicy in, TrackedMerges tracked) {
    super(in);
    this.tracked = tracked;
  }

  boolean isOf(TrackedMerges merges) {
    return tracked == merges;
  }

  @Override
  public MergeSpecification findMerges(
      MergeTrigger trigger, SegmentInfos infos, MergeContext context) throws IOException {
    tracked.saw(infos);
    return tracked.chosen(in.findMerges(trigger, infos, context), TrackedMerge.Origin.NATURAL);
  }

  @Override
  public MergeSpecification findMerges(CodecReader... readers) throws IOException {
    return tracked.chosen(in.findMerges(readers), TrackedMerge.Origin.READERS);
  }

  @Override
  public MergeSpecification findForcedMerges(
      SegmentInfos infos,
      int maxSegmentCount,
      Map<SegmentCommitInfo, Boolean> segmentsToMerge,
      MergeContext context)
      throws IOException {
    return tracked.chosen(
        in.findForcedMerges(infos, maxSegmentCount, segmentsToMerge, context),
        TrackedMerge.Origin.FORCED);
  }

  @Override
  public MergeSpecification findForcedDeletesMerges(SegmentInfos infos, MergeContext context)
      throws IOException {
    return tracked.chosen(in.findForcedDeletesMerges(infos, context), TrackedMerge.Origin.NATURAL);
  }

  @Override
  public MergeSpecification findFullFlushMerges(
      MergeTrigger trigger, SegmentInfos infos, MergeContext context) throws IOException {
    return tracked.chosen(
        in.findFullFlushMerges(trigger, infos, context), TrackedMerge.Origin.FULL_FLUSH);
  }
}
