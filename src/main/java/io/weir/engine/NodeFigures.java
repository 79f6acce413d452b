package io.weir.engine;

import io.weir.control.ReadersFirst;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.ResidentMemory;
import io.weir.store.ResidentMemorySnapshot;
import java.util.Map;

/** The figures of a node, as they appear in its answer. <b>Threads:</b> any. */
public final class NodeFigures {

  private NodeFigures() {}

  /**
   * Those of now, in a map that the caller may add to.
   *
   * @param holdsKeys whether the node holds dictionaries of keys in memory
   */
  public static Map<String, Object> of(
      ByteBudget budget, NodeCap cap, boolean holdsKeys, ReadersFirst readersFirst) {
    Rate rate = budget.rate();
    Map<String, Object> merge =
        Figures.of(
            "max_bytes_per_sec", rate.isLimited() ? rate.bytesPerSecond() : -1L,
            "schedule", cap.schedule().text(),
            "count_reads", budget.countsReads());
    merge.putAll(Figures.of(BudgetSnapshot.FIGURES, budget.snapshot()));
    return Figures.of(
        "merge", merge,
        "resident_keys",
            holdsKeys
                ? Figures.of(
                    ResidentMemorySnapshot.FIGURES_OF_KEYS, ResidentMemory.ofKeys().snapshot())
                : null,
        "small_files", memory(ResidentMemory.ofSmallFiles()),
        "flushed_files", memory(ResidentMemory.ofFlushedFiles()),
        "readers_first",
            Figures.of("active", readersFirst.isActive(), "reason", readersFirst.reason()));
  }

  private static Map<String, Object> memory(ResidentMemory memory) {
    return Figures.of(ResidentMemorySnapshot.FIGURES, memory.snapshot());
  }
}
