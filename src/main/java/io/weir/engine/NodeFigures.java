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
    BudgetSnapshot now = budget.snapshot();
    Rate rate = budget.rate();
    return Figures.of(
        "merge",
            Figures.of(
                "max_bytes_per_sec", rate.isLimited() ? rate.bytesPerSecond() : -1L,
                "schedule", cap.schedule().text(),
                "count_reads", budget.countsReads(),
                "charged_bytes", now.grantedBytes(),
                "waits", now.delayedRequests(),
                "wait_millis", Figures.millis(now.waitNanos()),
                "waiting_threads", now.waiting(),
                "debt_bytes", now.debtBytes()),
        "resident_keys", holdsKeys ? keys(ResidentMemory.ofKeys().snapshot()) : null,
        "small_files", memory(ResidentMemory.ofSmallFiles().snapshot()),
        "flushed_files", memory(ResidentMemory.ofFlushedFiles().snapshot()),
        "readers_first",
            Figures.of("active", readersFirst.isActive(), "reason", readersFirst.reason()));
  }

  private static Map<String, Object> keys(ResidentMemorySnapshot memory) {
    Map<String, Object> figures = memory(memory);
    figures.put("wasted_bytes", memory.wastedBytes());
    figures.put("backoff_millis", memory.backoff().toMillis());
    return figures;
  }

  private static Map<String, Object> memory(ResidentMemorySnapshot memory) {
    return Figures.of(
        "bytes", memory.bytes(),
        "peak_bytes", memory.peakBytes(),
        "max_bytes", memory.maxBytes(),
        "refusals", memory.refusals());
  }
}
