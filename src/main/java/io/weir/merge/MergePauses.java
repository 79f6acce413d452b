package io.weir.merge;

import java.util.concurrent.atomic.LongAdder;

/**
 * How often threads of merges waited for the budget or yielded to readers, and for how long.
 *
 * @param count how often one began; one that lasts is included
 * @param totalNanos how long they were, summed over threads
 */
public record MergePauses(long count, long totalNanos) {

  MergePauses plus(MergePauses other) {
    return new MergePauses(count + other.count, totalNanos + other.totalNanos);
  }

  /** Counts them. <b>Threads:</b> any; nothing blocks. */
  static final class Tally {

    private final LongAdder count = new LongAdder();
    private final LongAdder nanos = new LongAdder();

    void started() {
      count.increment();
    }

    void ended(long nanosOfOne) {
      nanos.add(nanosOfOne);
    }

    MergePauses sum() {
      return new MergePauses(count.sum(), nanos.sum());
    }
  }
}
