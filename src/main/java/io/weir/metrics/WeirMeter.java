package io.weir.metrics;

import io.micrometer.core.instrument.Meter;
import java.util.List;

/**
 * The meters that are no figure of a source: listeners feed them, or the kernel and the machine
 * have them.
 */
enum WeirMeter {
  BUDGET_LIMIT(
      "lucene.merge.rate.limit",
      gauge("bytes_per_second"),
      "The cap in force; +Inf means none, 0 means paused",
      TagKeys.BUDGET),
  BUDGET_WAIT(
      "lucene.merge.throttle.wait",
      Form.TIMER,
      "Waits for the budget, one record each",
      TagKeys.BUDGET),
  BUDGET_CHANGES(
      "lucene.merge.rate.changes", counter("changes"), "Changes of the cap", TagKeys.BUDGET),
  GOAL_DECISIONS(
      "lucene.merge.goal.decisions",
      counter("decisions"),
      "Decisions about the cap, four per second, by reason",
      TagKeys.BUDGET,
      TagKeys.REASON),
  MERGE_PAUSED(
      "lucene.merge.throttle.paused",
      Form.TIMER,
      "Pauses of merges, for the budget or for readers, one record each",
      TagKeys.KIND),
  MERGE("lucene.merge", Form.TIMER, "Merges that have ended", TagKeys.KIND, TagKeys.OUTCOME),
  MERGE_ACTIVE(
      "lucene.merge.active",
      Form.LONG_TASK_TIMER,
      "Running merges, and how long they have run",
      TagKeys.KIND),
  MERGE_CAP_LIFTS(
      "lucene.merge.cap.lifts",
      counter("lifts"),
      "How often the cap was lifted so that indexing did not stall"),
  REFRESH(
      "lucene.refresh",
      Form.TIMER,
      "Reopens, from the due time if it is known, otherwise from the call",
      TagKeys.RESULT),
  REFRESH_PHASE("lucene.refresh.phase", Form.TIMER, "Phases of reopens", TagKeys.PHASE),
  REFRESH_LOCK_WAIT("lucene.refresh.lock.wait", Form.TIMER, "Waits for another reopen to end"),
  REFRESH_VISIBLE(
      "lucene.refresh.visible",
      Form.TIMER,
      "Time from handing a document over until it is searchable, of the one that waited longest"
          + " for each reopen"),
  REFRESH_VISIBLE_PART(
      "lucene.refresh.visible.part",
      Form.TIMER,
      "Parts of that time, of the same document",
      TagKeys.PART),
  REFRESH_FRESHNESS(
      "lucene.refresh.freshness",
      Form.TIMER,
      "Time from indexing a document until it is searchable, on a sample"),
  REFRESH_SLOW(
      "lucene.refresh.slow", Form.TIMER, "Slow reopens, by their main cause", TagKeys.CAUSE),
  QUERY_CACHE_LOOKUPS(
      "lucene.query.cache.lookups",
      counter("lookups"),
      "Lookups of a filter in a segment",
      TagKeys.RESULT),
  LINUX_DIRTY(
      "system.memory.linux.dirty",
      gauge("bytes"),
      "Written to files but not yet being written to disk",
      TagKeys.SCOPE),
  LINUX_WRITEBACK(
      "system.memory.linux.writeback", gauge("bytes"), "Being written to disk", TagKeys.SCOPE),
  LINUX_DIRTY_THRESHOLD(
      "system.memory.linux.dirty.threshold",
      gauge("bytes"),
      "Threshold at which writeback starts (background) or writers wait (limit)",
      TagKeys.LEVEL),
  LINUX_DIRTY_DISTANCE(
      "system.memory.linux.dirty.distance",
      gauge("bytes"),
      "Bytes left until a threshold is reached; negative above it",
      TagKeys.LEVEL),
  LINUX_REFAULTED(
      "system.memory.linux.refaulted",
      counter("bytes"),
      "Pages of files that were evicted from the page cache and read again",
      TagKeys.SCOPE),
  LINUX_DIRTIED(
      "system.linux.writeback.dirtied",
      counter("bytes"),
      "Bytes that became dirty since the machine started"),
  LINUX_WRITTEN(
      "system.linux.writeback.written",
      counter("bytes"),
      "Bytes written back since the machine started"),
  LINUX_PRESSURE_IO(
      "system.linux.pressure.io",
      counter("seconds"),
      "Time in which some or all tasks stalled on input and output",
      TagKeys.STALL,
      TagKeys.SCOPE),
  MEMORY_SIZE("system.memory.size", gauge("bytes"), "Memory of the machine"),
  MEMORY_AVAILABLE(
      "system.memory.available",
      gauge("bytes"),
      "Memory available without swapping, mostly page cache"),
  SWAP_USED("system.swap.used", gauge("bytes"), "Memory that was swapped out");

  private final MeterSpec spec;

  WeirMeter(String id, Form form, String description, String... tagKeys) {
    spec = new MeterSpec(id, form.type, form.unit, description, List.of(tagKeys));
  }

  private record Form(Meter.Type type, String unit) {

    static final Form TIMER = new Form(Meter.Type.TIMER, "seconds");
    static final Form LONG_TASK_TIMER = new Form(Meter.Type.LONG_TASK_TIMER, "seconds");
  }

  private static Form counter(String unit) {
    return new Form(Meter.Type.COUNTER, unit);
  }

  private static Form gauge(String unit) {
    return new Form(Meter.Type.GAUGE, unit);
  }

  /** What it is. */
  MeterSpec spec() {
    return spec;
  }
}
