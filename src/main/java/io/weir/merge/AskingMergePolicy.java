package io.weir.merge;

import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergePolicy.MergeAbortedException;
import org.apache.lucene.index.MergePolicy.OneMerge;

/**
 * Chooses the same merges as the policy below; each asks before each vector that it adds to a graph
 * whether it may go on.
 *
 * <p>Source: Lucene 10.5.1, {@code HnswGraphBuilder.addGraphNode} and {@code
 * MergeState.checkAborted}.
 */
final class AskingMergePolicy extends ForwardingMergePolicy {

  private final WriterMerges merges;

  private AskingMergePolicy(MergePolicy in, WriterMerges merges) {
    super(in);
    this.merges = merges;
  }

  /** A policy whose merges ask {@code merges}; {@code policy} itself if they do so already. */
  static MergePolicy over(MergePolicy policy, WriterMerges merges) {
    return policy instanceof AskingMergePolicy own && own.merges == merges
        ? policy
        : new AskingMergePolicy(policy, merges);
  }

  @Override
  MergeSpecification chosen(MergeSpecification found, Origin origin) {
    if (found == null) {
      return null;
    }
    MergeSpecification asking = new MergeSpecification();
    found.merges.forEach(merge -> asking.add(new AskingMerge(merge)));
    return asking;
  }

  private final class AskingMerge extends ForwardingMerge {

    AskingMerge(OneMerge in) {
      super(in);
    }

    @Override
    public void checkAborted() throws MergeAbortedException {
      merges.works(this); // which may wait
      super.checkAborted();
    }
  }
}
