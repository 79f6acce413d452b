package io.weir.metrics;

import io.micrometer.core.instrument.Meter;
import java.util.List;

/**
 * Every meter of Weir: its name, what it counts in, what it tells, and the tags that it has besides
 * those of the application. {@code docs/METRICS.md} is held to this list.
 *
 * <p>Names are those of Micrometer; a registry writes them as its own system does, Prometheus with
 * underscores, the unit and {@code _total}.
 */
public enum WeirMeter {
  BUDGET_LIMIT(
      "lucene.merge.rate.limit",
      MeterForm.gauge("bytes_per_second"),
      "The cap in force; +Inf is none, 0 is paused",
      TagKeys.BUDGET),
  BUDGET_GRANTED(
      "lucene.merge.throttle.granted",
      MeterForm.counter("bytes"),
      "Bytes that were let pass, those that did not wait included",
      TagKeys.BUDGET),
  BUDGET_REQUESTS(
      "lucene.merge.throttle.requests",
      MeterForm.counter("requests"),
      "Pieces in which bytes were let pass",
      TagKeys.BUDGET),
  BUDGET_DELAYED(
      "lucene.merge.throttle.delayed",
      MeterForm.counter("requests"),
      "Pieces that had to wait",
      TagKeys.BUDGET),
  BUDGET_WAIT(
      "lucene.merge.throttle.wait",
      MeterForm.TIMER,
      "Waits for the budget, one record for each",
      TagKeys.BUDGET),
  BUDGET_WAITING(
      "lucene.merge.throttle.waiting",
      MeterForm.gauge("threads"),
      "Threads that wait for the budget now",
      TagKeys.BUDGET),
  BUDGET_DEBT(
      "lucene.merge.throttle.debt",
      MeterForm.gauge("bytes"),
      "Bytes that passed ahead of their time and are owed",
      TagKeys.BUDGET),
  BUDGET_FORGIVEN(
      "lucene.merge.throttle.forgiven",
      MeterForm.counter("bytes"),
      "Bytes that passed ahead of their time and were never paid back",
      TagKeys.BUDGET),
  BUDGET_CHANGES(
      "lucene.merge.rate.changes",
      MeterForm.counter("changes"),
      "How often the cap was set",
      TagKeys.BUDGET),

  MERGE_WRITTEN(
      "lucene.merge.written",
      MeterForm.counter("bytes"),
      "Bytes that merges wrote, temporary and compound files included",
      TagKeys.KIND),
  MERGE_PAUSED(
      "lucene.merge.throttle.paused",
      MeterForm.TIMER,
      "Pauses of merges, for the budget or for readers, one record for each",
      TagKeys.KIND),
  MERGE("lucene.merge", MeterForm.TIMER, "Merges that have ended", TagKeys.KIND, TagKeys.OUTCOME),
  MERGE_ACTIVE(
      "lucene.merge.active",
      MeterForm.LONG_TASK_TIMER,
      "Merges that run, and for how long",
      TagKeys.KIND),
  MERGE_DEBT(
      "lucene.merge.debt",
      MeterForm.gauge("bytes"),
      "What the merges that run are still expected to write"),
  MERGE_REMAINING(
      "lucene.merge.remaining",
      MeterForm.gauge("seconds"),
      "How long the forced merges will take at the speed of the last seconds; NaN when none runs"),
  MERGE_DEMAND(
      "lucene.merge.demand",
      MeterForm.gauge("bytes_per_second"),
      "What merges must write to keep up with indexing, over the last minutes"),
  MERGE_CAP_LIFTS(
      "lucene.merge.cap.lifts",
      MeterForm.counter("lifts"),
      "How often the cap gave way so that indexing need not stand still"),

  REFRESH(
      "lucene.refresh",
      MeterForm.TIMER,
      "Reopens, from when each was due if that was told, else from the call",
      TagKeys.RESULT),
  REFRESH_PHASE("lucene.refresh.phase", MeterForm.TIMER, "Parts of reopens", TagKeys.PHASE),
  REFRESH_LOCK_WAIT("lucene.refresh.lock.wait", MeterForm.TIMER, "Waits for another reopen to end"),
  REFRESH_SKIPPED(
      "lucene.refresh.skipped",
      MeterForm.counter("reopens"),
      "Reopens that did not begin because another was under way"),
  REFRESH_STALENESS(
      "lucene.refresh.staleness", MeterForm.gauge("seconds"), "Since the last good reopen began"),
  REFRESH_FRESHNESS(
      "lucene.refresh.freshness",
      MeterForm.TIMER,
      "From indexing a document until it can be found, by a sample"),

  WRITEBACK_IN_FLIGHT(
      "lucene.writeback.inflight",
      MeterForm.gauge("ranges"),
      "Ranges of merge output on their way to the disk"),
  WRITEBACK_STARTED(
      "lucene.writeback.started",
      MeterForm.counter("bytes"),
      "Bytes of merge output whose way to the disk was begun early"),
  WRITEBACK_WAIT(
      "lucene.writeback.wait",
      MeterForm.counter("seconds"),
      "Time that merges waited for the disk meanwhile"),
  WRITEBACK_DROPPED(
      "lucene.writeback.dropped",
      MeterForm.counter("bytes"),
      "Bytes of merge output that were dropped from the page cache when they had reached the disk"),
  WRITEBACK_FAULTS(
      "lucene.writeback.faults",
      MeterForm.counter("files"),
      "Files that were written on without it because a call failed"),
  WRITEBACK_LOST(
      "lucene.writeback.lost",
      MeterForm.gauge("files"),
      "Files of which a part may never have reached the disk; a sync of each fails"),
  KEYS_RESIDENT(
      "lucene.keys.resident", MeterForm.gauge("bytes"), "Key dictionaries held in memory"),
  KEYS_WAITING(
      "lucene.keys.waiting",
      MeterForm.gauge("bytes"),
      "Key dictionaries that are read from the disk until there is room for them in memory"),
  KEYS_FAULTS(
      "lucene.keys.faults",
      MeterForm.counter("files"),
      "Files of key dictionaries that were left on disk because they could not be read or allocated"),
  SMALL_FILES_HELD(
      "lucene.files.small.held",
      MeterForm.gauge("bytes"),
      "Small files held in memory instead of mapped"),
  UNMAP_PENDING(
      "lucene.files.unmap.pending",
      MeterForm.gauge("files"),
      "Files that were closed and are still mapped"),
  UNMAP_INLINE(
      "lucene.files.unmap.inline",
      MeterForm.counter("files"),
      "Files that were unmapped by the thread that closed them, because too many were pending"),

  MEMORY_HELD(
      "lucene.memory.held",
      MeterForm.gauge("bytes"),
      "Heap that all indexes of the process use for it",
      TagKeys.CONTENTS),
  MEMORY_LIMIT(
      "lucene.memory.limit",
      MeterForm.gauge("bytes"),
      "The most heap that they may use for it",
      TagKeys.CONTENTS),
  MEMORY_REFUSED(
      "lucene.memory.refused",
      MeterForm.counter("requests"),
      "How often there was no room; what waits for room asks again and again",
      TagKeys.CONTENTS),
  MEMORY_RECLAIMED(
      "lucene.memory.reclaimed",
      MeterForm.counter("reclaims"),
      "How often the JVM, short of heap, took some of it back",
      TagKeys.CONTENTS),

  LINUX_DIRTY(
      "system.memory.linux.dirty",
      MeterForm.gauge("bytes"),
      "Written to files and not yet on its way to disk",
      TagKeys.SCOPE),
  LINUX_WRITEBACK(
      "system.memory.linux.writeback",
      MeterForm.gauge("bytes"),
      "On its way to disk",
      TagKeys.SCOPE),
  LINUX_DIRTY_THRESHOLD(
      "system.memory.linux.dirty.threshold",
      MeterForm.gauge("bytes"),
      "Where the kernel begins to write back (background), and where writers wait (limit)",
      TagKeys.LEVEL),
  LINUX_DIRTY_DISTANCE(
      "system.memory.linux.dirty.distance",
      MeterForm.gauge("bytes"),
      "How much more may become dirty until a threshold is reached; negative beyond it",
      TagKeys.LEVEL),
  LINUX_DIRTIED(
      "system.linux.writeback.dirtied",
      MeterForm.counter("bytes"),
      "Became dirty since the machine started"),
  LINUX_WRITTEN(
      "system.linux.writeback.written",
      MeterForm.counter("bytes"),
      "Was written back since the machine started"),
  LINUX_PRESSURE_IO(
      "system.linux.pressure.io",
      MeterForm.counter("seconds"),
      "Time in which some or all tasks stood still for input and output",
      TagKeys.STALL,
      TagKeys.SCOPE),

  MEMORY_SIZE("system.memory.size", MeterForm.gauge("bytes"), "Memory that the machine has"),
  MEMORY_AVAILABLE(
      "system.memory.available",
      MeterForm.gauge("bytes"),
      "Memory that can still be had without swapping; the page cache is most of it"),
  SWAP_USED("system.swap.used", MeterForm.gauge("bytes"), "Memory that was moved out to swap"),

  DISK_READ(
      "system.disk.read",
      MeterForm.counter("bytes"),
      "Bytes read from a disk since the machine started",
      TagKeys.DISK),
  DISK_WRITTEN(
      "system.disk.written",
      MeterForm.counter("bytes"),
      "Bytes written to a disk since the machine started",
      TagKeys.DISK),
  DISK_BUSY(
      "system.disk.busy",
      MeterForm.counter("seconds"),
      "Time in which a disk had something to do",
      TagKeys.DISK),
  DISK_QUEUE(
      "system.disk.queue",
      MeterForm.gauge("requests"),
      "Requests that a disk has not answered yet",
      TagKeys.DISK);

  private final String id;
  private final MeterForm form;
  private final String description;
  private final List<String> tagKeys;

  WeirMeter(String id, MeterForm form, String description, String... tagKeys) {
    this.id = id;
    this.form = form;
    this.description = description;
    this.tagKeys = List.of(tagKeys);
  }

  /** Its name. */
  public String id() {
    return id;
  }

  /** What it is; a counter or gauge may be a function of a state. */
  public Meter.Type type() {
    return form.type();
  }

  /** What it counts in; of a timer, as registries that count in base units write it. */
  public String unit() {
    return form.unit();
  }

  /** What it tells. */
  public String description() {
    return description;
  }

  /** The keys of its own tags. */
  public List<String> tagKeys() {
    return tagKeys;
  }
}
