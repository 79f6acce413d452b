package io.weir.merge;

import java.util.function.Consumer;
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

  private final Consumer<OneMerge> ask;

  /**
   * Wraps a policy.
   *
   * @param ask called on the thread that goes on then; it may wait
   */
  AskingMergePolicy(MergePolicy in, Consumer<OneMerge> ask) {
    super(in);
    this.ask = ask;
  }

  /** What is asked. */
  Consumer<OneMerge> ask() {
    return ask;
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
      ask.accept(this);
      super.checkAborted();
    }
  }
}
