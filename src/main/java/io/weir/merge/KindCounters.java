package io.weir.merge;

import io.weir.store.MergeLimiter;
import io.weir.time.Listeners;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one kind of merges. <b>Threads:</b> any; nothing blocks. */
final class KindCounters {

  private final MergeKind kind;
  private final Listeners<MergeListener> listeners;

  final LongAdder started = new LongAdder();
  final LongAdder done = new LongAdder();
  final LongAdder aborted = new LongAdder();
  final LongAdder failed = new LongAdder();
  final WrittenBytes written = new WrittenBytes();

  /** What their threads have used; a look at a merge that runs adds to it. */
  final LongAdder processorNanos = new LongAdder();

  /** Times that one of their threads, in the idle class, was ready and never ran. */
  final LongAdder starved = new LongAdder();

  /** What their vector graphs take of the heap now, as predicted. */
  final LongAdder graphBytes = new LongAdder();

  /** Times that one of them waited for the heap before a graph, and for how long. */
  final LongAdder graphWaits = new LongAdder();

  final LongAdder graphWaitNanos = new LongAdder();

  private final MergePauses.Tally pauses = new MergePauses.Tally();

  /**
   * @param listeners receive each pause
   */
  KindCounters(MergeKind kind, Listeners<MergeListener> listeners) {
    this.kind = kind;
    this.listeners = listeners;
  }

  /** Bytes written, by part. */
  static final class WrittenBytes {

    private final LongAdder lasting = new LongAdder();
    private final LongAdder temporary = new LongAdder();
    private final LongAdder compound = new LongAdder();

    void add(long bytes, MergeLimiter.Part part) {
      switch (part) {
        case LASTING -> lasting.add(bytes);
        case TEMPORARY -> temporary.add(bytes);
        case COMPOUND -> compound.add(bytes);
      }
    }

    long lasting() {
      return lasting.sum();
    }

    long temporary() {
      return temporary.sum();
    }

    long compound() {
      return compound.sum();
    }

    long all() {
      return lasting() + temporary() + compound();
    }
  }

  void pauseStarted() {
    pauses.started();
  }

  void pauseEnded(long nanos) {
    pauses.ended(nanos);
    listeners.tell(l -> l.pauseEnded(kind, nanos));
  }

  void ended(MergeTotals.Outcome outcome) {
    switch (outcome) {
      case DONE -> done.increment();
      case ABORTED -> aborted.increment();
      case FAILED -> failed.increment();
      case RUNNING -> throw new IllegalArgumentException("outcome must be final: " + outcome);
    }
  }

  MergeKindTotals totals() {
    long ended = done.sum() + aborted.sum() + failed.sum();
    return new MergeKindTotals(
        Math.max(0, started.sum() - ended),
        done.sum(),
        aborted.sum(),
        failed.sum(),
        written.all(),
        written.temporary(),
        written.compound(),
        pauses.sum(),
        processorNanos.sum(),
        starved.sum(),
        graphBytes.sum(),
        graphWaits.sum(),
        graphWaitNanos.sum());
  }
}
