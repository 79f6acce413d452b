package io.weir.merge;

import java.util.List;
import java.util.Optional;

/**
 * The merges of one writer: those that run, and the totals of all. For metrics and events, which
 * need not know who runs the merges.
 *
 * <p><b>Threads:</b> any; nothing blocks.
 */
public interface MergeActivity {

  /** Adds a listener. */
  void addListener(MergeListener listener);

  /** Removes a listener. */
  void removeListener(MergeListener listener);

  /** The merges that run now. */
  List<MergeTotals> running();

  /** The totals of one kind of merges. */
  MergeKindTotals totals(MergeKind kind);

  /** The progress of the forced merges; empty when none runs. */
  Optional<ForcedMergeProgress> forcedMerge();

  /** Whether merges keep up with indexing. */
  MergeDebtSnapshot debt();
}
