package io.weir.merge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;

/** Merges the segments two by two, all pairs at once, when asked to; forced merges too. */
public final class PairsMergePolicy extends FilterMergePolicy {

  public PairsMergePolicy() {
    super(NoMergePolicy.INSTANCE);
  }

  @Override
  public MergeSpecification findMerges(
      MergeTrigger trigger, SegmentInfos infos, MergeContext context) throws IOException {
    return pairs(infos, context);
  }

  @Override
  public MergeSpecification findForcedMerges(
      SegmentInfos infos,
      int maxSegments,
      Map<SegmentCommitInfo, Boolean> toMerge,
      MergeContext context)
      throws IOException {
    return infos.size() <= maxSegments ? null : pairs(infos, context);
  }

  private static MergeSpecification pairs(SegmentInfos infos, MergeContext context) {
    List<SegmentCommitInfo> free = new ArrayList<>(infos.asList());
    free.removeAll(context.getMergingSegments());
    MergeSpecification pairs = new MergeSpecification();
    for (int i = 0; i + 1 < free.size(); i += 2) {
      pairs.add(new OneMerge(free.subList(i, i + 2)));
    }
    return pairs.merges.isEmpty() ? null : pairs;
  }
}
