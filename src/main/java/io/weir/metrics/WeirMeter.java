package io.weir.metrics;

import io.micrometer.core.instrument.Meter;
import java.util.List;

/**
 * Every meter of Weir: its name, type, unit, description, and its tags in addition to the
 * application's. A test keeps {@code docs/METRICS.md} equal to this list.
 *
 * <p>The names follow Micrometer's convention. A registry translates them for its system;
 * Prometheus uses underscores, the unit and {@code _total}.
 */
public enum WeirMeter {
  BUDGET_LIMIT(
      "lucene.merge.rate.limit",
      MeterForm.gauge("bytes_per_second"),
      "The cap in force; +Inf means none, 0 means paused",
      TagKeys.BUDGET),
  BUDGET_GRANTED(
      "lucene.merge.throttle.granted",
      MeterForm.counter("bytes"),
      "Bytes granted, including those that did not wait",
      TagKeys.BUDGET),
  BUDGET_REQUESTS(
      "lucene.merge.throttle.requests",
      MeterForm.counter("requests"),
      "Grants of bytes",
      TagKeys.BUDGET),
  BUDGET_DELAYED(
      "lucene.merge.throttle.delayed",
      MeterForm.counter("requests"),
      "Grants that had to wait",
      TagKeys.BUDGET),
  BUDGET_WAIT(
      "lucene.merge.throttle.wait",
      MeterForm.TIMER,
      "Waits for the budget, one record each",
      TagKeys.BUDGET),
  BUDGET_WAITING(
      "lucene.merge.throttle.waiting",
      MeterForm.gauge("threads"),
      "Threads that wait for the budget now",
      TagKeys.BUDGET),
  BUDGET_DEBT(
      "lucene.merge.throttle.debt",
      MeterForm.gauge("bytes"),
      "Bytes that passed without waiting and are not paid back yet",
      TagKeys.BUDGET),
  BUDGET_FORGIVEN(
      "lucene.merge.throttle.forgiven",
      MeterForm.counter("bytes"),
      "Bytes that passed without waiting and are never paid back",
      TagKeys.BUDGET),
  BUDGET_CHANGES(
      "lucene.merge.rate.changes",
      MeterForm.counter("changes"),
      "Changes of the cap",
      TagKeys.BUDGET),

  GOAL_LIMIT(
      "lucene.merge.goal.limit",
      MeterForm.gauge("seconds"),
      "Limit of a latency that sets the cap",
      TagKeys.BUDGET,
      TagKeys.LATENCY),
  GOAL_SEEN(
      "lucene.merge.goal.seen",
      MeterForm.gauge("seconds"),
      "The percentile that is held, over the last ten to twenty seconds; NaN without samples",
      TagKeys.BUDGET,
      TagKeys.LATENCY),
  GOAL_SAMPLES(
      "lucene.merge.goal.samples",
      MeterForm.counter("operations"),
      "Operations whose latency is held",
      TagKeys.BUDGET,
      TagKeys.LATENCY),
  GOAL_MISSES(
      "lucene.merge.goal.misses",
      MeterForm.counter("operations"),
      "Those that took longer than the limit",
      TagKeys.BUDGET,
      TagKeys.LATENCY),
  GOAL_FLOOR(
      "lucene.merge.goal.floor",
      MeterForm.gauge("bytes_per_second"),
      "The lowest cap that the goal may set; NaN before its first decision",
      TagKeys.BUDGET),
  GOAL_DECISIONS(
      "lucene.merge.goal.decisions",
      MeterForm.counter("decisions"),
      "Decisions about the cap, four per second, by reason",
      TagKeys.BUDGET,
      TagKeys.REASON),

  DEADLINE_LEFT(
      "lucene.merge.deadline.left",
      MeterForm.gauge("seconds"),
      "Time until the deadline; negative after it"),
  DEADLINE_NEEDED(
      "lucene.merge.deadline.needed",
      MeterForm.gauge("seconds"),
      "Time that the forced merges still need; NaN when unknown, or when none runs"),
  DEADLINE_RATE(
      "lucene.merge.deadline.rate",
      MeterForm.gauge("bytes_per_second"),
      "The rate at which forced merges may write; +Inf means no limit, NaN that none runs"),

  MERGE_WRITTEN(
      "lucene.merge.written",
      MeterForm.counter("bytes"),
      "Bytes that merges wrote, including temporary and compound files",
      TagKeys.KIND),
  MERGE_PAUSED(
      "lucene.merge.throttle.paused",
      MeterForm.TIMER,
      "Pauses of merges, for the budget or for readers, one record each",
      TagKeys.KIND),
  MERGE("lucene.merge", MeterForm.TIMER, "Merges that have ended", TagKeys.KIND, TagKeys.OUTCOME),
  MERGE_ACTIVE(
      "lucene.merge.active",
      MeterForm.LONG_TASK_TIMER,
      "Running merges, and how long they have run",
      TagKeys.KIND),
  MERGE_DEBT(
      "lucene.merge.debt",
      MeterForm.gauge("bytes"),
      "Bytes that running merges are expected to write still"),
  MERGE_REMAINING(
      "lucene.merge.remaining",
      MeterForm.gauge("seconds"),
      "Time left for the forced merges at the speed of the last seconds; NaN when unknown or when none"
          + " runs"),
  MERGE_DEMAND(
      "lucene.merge.demand",
      MeterForm.gauge("bytes_per_second"),
      "Write rate that merges need to keep up with indexing, over the last minutes"),
  MERGE_CAP_LIFTS(
      "lucene.merge.cap.lifts",
      MeterForm.counter("lifts"),
      "How often the cap was lifted so that indexing did not stall"),

  REFRESH(
      "lucene.refresh",
      MeterForm.TIMER,
      "Reopens, from the due time if it is known, otherwise from the call",
      TagKeys.RESULT),
  REFRESH_PHASE("lucene.refresh.phase", MeterForm.TIMER, "Phases of reopens", TagKeys.PHASE),
  REFRESH_LOCK_WAIT("lucene.refresh.lock.wait", MeterForm.TIMER, "Waits for another reopen to end"),
  REFRESH_SKIPPED(
      "lucene.refresh.skipped",
      MeterForm.counter("reopens"),
      "Reopens that did not begin because another one was in progress"),
  REFRESH_STALENESS(
      "lucene.refresh.staleness",
      MeterForm.gauge("seconds"),
      "Time since the last good reopen began"),
  REFRESH_FRESHNESS(
      "lucene.refresh.freshness",
      MeterForm.TIMER,
      "Time from indexing a document until it is searchable, on a sample"),
  REFRESH_SLOW(
      "lucene.refresh.slow", MeterForm.TIMER, "Slow reopens, by their main cause", TagKeys.CAUSE),

  WRITEBACK_IN_FLIGHT(
      "lucene.writeback.inflight",
      MeterForm.gauge("ranges"),
      "Ranges of merge output being written to the disk"),
  WRITEBACK_STARTED(
      "lucene.writeback.started",
      MeterForm.counter("bytes"),
      "Bytes of merge output whose writeback was started early"),
  WRITEBACK_WAIT(
      "lucene.writeback.wait",
      MeterForm.counter("seconds"),
      "Time that merges waited for this writeback"),
  WRITEBACK_DROPPED(
      "lucene.writeback.dropped",
      MeterForm.counter("bytes"),
      "Bytes of merge output dropped from the page cache after they reached the disk"),
  WRITEBACK_FAULTS(
      "lucene.writeback.faults",
      MeterForm.counter("files"),
      "Files whose writeback was not smoothed to the end because a call failed"),
  WRITEBACK_LOST(
      "lucene.writeback.lost",
      MeterForm.gauge("files"),
      "Files that may be incomplete on the disk; syncing them fails"),
  KEYS_RESIDENT(
      "lucene.keys.resident", MeterForm.gauge("bytes"), "Key dictionaries held in memory"),
  KEYS_WAITING(
      "lucene.keys.waiting",
      MeterForm.gauge("bytes"),
      "Key dictionaries read from the disk until there is room in memory"),
  KEYS_FAULTS(
      "lucene.keys.faults",
      MeterForm.counter("files"),
      "Files of key dictionaries left on disk because reading or allocation failed"),
  KEYS_ATTEMPTS(
      "lucene.keys.attempts",
      MeterForm.counter("attempts"),
      "How often the loading of a key dictionary was begun, with room for it or without"),
  KEYS_READ("lucene.keys.read", MeterForm.counter("bytes"), "Bytes read to load key dictionaries"),
  KEYS_WASTED(
      "lucene.keys.wasted",
      MeterForm.counter("bytes"),
      "Bytes of these read for nothing, because the heap was short soon after"),
  SMALL_FILES_HELD(
      "lucene.files.small.held",
      MeterForm.gauge("bytes"),
      "Small files held in memory instead of mapped"),
  FLUSHED_FILES_HELD(
      "lucene.files.flushed.held",
      MeterForm.gauge("bytes"),
      "Flushed files held in memory until a commit or their deletion"),
  FLUSHED_FILES_UNWRITTEN(
      "lucene.files.flushed.unwritten",
      MeterForm.counter("files"),
      "Flushed files that were deleted before they were ever on the disk"),
  UNMAP_PENDING(
      "lucene.files.unmap.pending",
      MeterForm.gauge("files"),
      "Files that are closed but still mapped, or deleted but not yet freed"),
  UNMAP_INLINE(
      "lucene.files.unmap.inline",
      MeterForm.counter("files"),
      "Files unmapped by the closing thread because too many were pending"),
  READ_AHEAD(
      "lucene.merge.read.ahead",
      MeterForm.counter("bytes"),
      "Bytes that merges read ahead of verifying and copying"),
  READ_AHEAD_FAULTS(
      "lucene.merge.read.ahead.faults",
      MeterForm.counter("files"),
      "Files that merges could not read ahead"),

  MEMORY_HELD(
      "lucene.memory.held",
      MeterForm.gauge("bytes"),
      "Heap used for these contents by all indexes of the process",
      TagKeys.CONTENTS),
  MEMORY_LIMIT(
      "lucene.memory.limit",
      MeterForm.gauge("bytes"),
      "Limit of the heap for these contents",
      TagKeys.CONTENTS),
  MEMORY_REFUSED(
      "lucene.memory.refused",
      MeterForm.counter("requests"),
      "Requests refused for lack of room; a file that waits repeats its request when there may be room",
      TagKeys.CONTENTS),
  MEMORY_RECLAIMED(
      "lucene.memory.reclaimed",
      MeterForm.counter("reclaims"),
      "How often a JVM short of heap reclaimed some of it",
      TagKeys.CONTENTS),
  MEMORY_BACKOFF(
      "lucene.memory.backoff",
      MeterForm.gauge("seconds"),
      "Time until files are read into memory again, after bytes were read for nothing",
      TagKeys.CONTENTS),

  QUERY_CACHE_LOOKUPS(
      "lucene.query.cache.lookups",
      MeterForm.counter("lookups"),
      "Lookups of a filter in a segment",
      TagKeys.RESULT),
  QUERY_CACHE_SETS(
      "lucene.query.cache.sets",
      MeterForm.gauge("sets"),
      "Sets of documents that are cached, one for each filter and segment"),
  QUERY_CACHE_USED(
      "lucene.query.cache.used",
      MeterForm.gauge("bytes"),
      "Memory outside the heap in cached sets"),
  QUERY_CACHE_RESERVED(
      "lucene.query.cache.reserved",
      MeterForm.gauge("bytes"),
      "Memory outside the heap that the cache has taken and keeps"),
  QUERY_CACHE_LIMIT("lucene.query.cache.limit", MeterForm.gauge("bytes"), "Limit of the cache"),
  QUERY_CACHE_INSERTS(
      "lucene.query.cache.inserts", MeterForm.counter("sets"), "Sets that were added"),
  QUERY_CACHE_EVICTIONS(
      "lucene.query.cache.evictions",
      MeterForm.counter("sets"),
      "Sets that were removed, for lack of room or with their segment"),
  QUERY_CACHE_REFUSED(
      "lucene.query.cache.refused",
      MeterForm.counter("requests"),
      "Requests for memory that failed; the search went on without the cache"),
  QUERY_CACHE_OVERTAKEN(
      "lucene.query.cache.overtaken",
      MeterForm.counter("iterators"),
      "Iterators that went on with the index because their set was evicted"),

  LINUX_DIRTY(
      "system.memory.linux.dirty",
      MeterForm.gauge("bytes"),
      "Written to files but not yet being written to disk",
      TagKeys.SCOPE),
  LINUX_WRITEBACK(
      "system.memory.linux.writeback",
      MeterForm.gauge("bytes"),
      "Being written to disk",
      TagKeys.SCOPE),
  LINUX_DIRTY_THRESHOLD(
      "system.memory.linux.dirty.threshold",
      MeterForm.gauge("bytes"),
      "Threshold at which writeback starts (background) or writers wait (limit)",
      TagKeys.LEVEL),
  LINUX_DIRTY_DISTANCE(
      "system.memory.linux.dirty.distance",
      MeterForm.gauge("bytes"),
      "Bytes left until a threshold is reached; negative above it",
      TagKeys.LEVEL),
  LINUX_DIRTIED(
      "system.linux.writeback.dirtied",
      MeterForm.counter("bytes"),
      "Bytes that became dirty since the machine started"),
  LINUX_WRITTEN(
      "system.linux.writeback.written",
      MeterForm.counter("bytes"),
      "Bytes written back since the machine started"),
  LINUX_PRESSURE_IO(
      "system.linux.pressure.io",
      MeterForm.counter("seconds"),
      "Time in which some or all tasks stalled on input and output",
      TagKeys.STALL,
      TagKeys.SCOPE),

  MEMORY_SIZE("system.memory.size", MeterForm.gauge("bytes"), "Memory of the machine"),
  MEMORY_AVAILABLE(
      "system.memory.available",
      MeterForm.gauge("bytes"),
      "Memory available without swapping, mostly page cache"),
  SWAP_USED("system.swap.used", MeterForm.gauge("bytes"), "Memory that was swapped out"),

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
      "Time in which a disk had requests",
      TagKeys.DISK),
  DISK_QUEUE(
      "system.disk.queue",
      MeterForm.gauge("requests"),
      "Requests that a disk has not completed yet",
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

  /** The name. */
  public String id() {
    return id;
  }

  /** The type; a counter or gauge may be a function of some state. */
  public Meter.Type type() {
    return form.type();
  }

  /** The unit; for a timer, the base unit. */
  public String unit() {
    return form.unit();
  }

  /** The description. */
  public String description() {
    return description;
  }

  /** The keys of the meter's own tags. */
  public List<String> tagKeys() {
    return tagKeys;
  }
}
