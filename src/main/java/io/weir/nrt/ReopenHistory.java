package io.weir.nrt;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The history of reopens: counts, the longest, and the last ones in full.
 *
 * <p><b>Threads:</b> any; one lock, held for a few stores. Adding allocates nothing.
 */
final class ReopenHistory {

  private static final ReopenPhase[] PHASES = ReopenPhase.values();
  private static final ReopenResult[] RESULTS = ReopenResult.values();
  private static final int TIMES = 5; // columns before the phases

  private final long[] counts = new long[RESULTS.length]; // guarded by this, as all below
  private final long[] cells; // a ring of rows: result, four times, the phases
  private final int capacity;
  private long rows; // added so far
  private long totalNanos;
  private long lastNanos = Measurement.UNKNOWN_NANOS;
  private long maxNanos = Measurement.UNKNOWN_NANOS;
  private long goodSinceNanos;

  /**
   * @param attachedNanos staleness counts from here until the first good reopen
   */
  ReopenHistory(int capacity, long attachedNanos) {
    this.capacity = capacity;
    this.cells = new long[capacity * rowLength()];
    this.goodSinceNanos = attachedNanos;
  }

  private static int rowLength() {
    return TIMES + PHASES.length;
  }

  synchronized void add(Measurement measurement, ReopenResult result) {
    counts[result.ordinal()]++;
    // Many callers may find the lock taken; they would push everything else out of the ring.
    if (result == ReopenResult.SKIPPED) {
      return;
    }
    lastNanos = measurement.totalNanos();
    totalNanos += lastNanos;
    maxNanos = Math.max(maxNanos, lastNanos);
    // Two threads may finish in a different order than they began.
    if (result.isGood() && measurement.begunNanos - goodSinceNanos > 0) {
      goodSinceNanos = measurement.begunNanos;
    }
    if (capacity > 0) {
      int at = (int) (rows % capacity) * rowLength();
      cells[at] = result.ordinal();
      cells[at + 1] = measurement.intendedNanos;
      cells[at + 2] = measurement.startedNanos;
      cells[at + 3] = measurement.visibleNanos;
      cells[at + 4] = measurement.finishedNanos;
      for (int phase = 0; phase < PHASES.length; phase++) {
        cells[at + TIMES + phase] = measurement.phase(PHASES[phase]);
      }
    }
    rows++;
  }

  /** Counts a reopen that has no measurement. */
  synchronized void count(ReopenResult result) {
    counts[result.ordinal()]++;
  }

  synchronized long goodSinceNanos() {
    return goodSinceNanos;
  }

  /** The last reopens, oldest first. */
  synchronized List<Reopen> recent() {
    List<Reopen> recent = new ArrayList<>();
    for (long row = Math.max(0, rows - capacity); row < rows; row++) {
      recent.add(reopen((int) (row % capacity) * rowLength()));
    }
    return Collections.unmodifiableList(recent);
  }

  synchronized ReopenSnapshot snapshot(long nowNanos, Freshness freshness) {
    return new ReopenSnapshot(
        counts[ReopenResult.CHANGED.ordinal()],
        counts[ReopenResult.UNCHANGED.ordinal()],
        counts[ReopenResult.FAILED.ordinal()],
        counts[ReopenResult.SKIPPED.ordinal()],
        counts[ReopenResult.UNCLEAR.ordinal()],
        totalNanos,
        Measurement.known(lastNanos),
        Measurement.known(maxNanos),
        nowNanos - goodSinceNanos,
        freshness.samples(),
        freshness.lost(),
        Measurement.known(freshness.lastNanos()),
        Measurement.known(freshness.maxNanos()));
  }

  private Reopen reopen(int at) {
    Map<ReopenPhase, Long> phases = new EnumMap<>(ReopenPhase.class);
    for (int phase = 0; phase < PHASES.length; phase++) {
      long nanos = cells[at + TIMES + phase];
      if (nanos != Measurement.UNKNOWN_NANOS) {
        phases.put(PHASES[phase], nanos);
      }
    }
    return new Reopen(
        RESULTS[(int) cells[at]],
        Measurement.known(cells[at + 1]),
        cells[at + 2],
        Measurement.known(cells[at + 3]),
        cells[at + 4],
        phases);
  }
}
