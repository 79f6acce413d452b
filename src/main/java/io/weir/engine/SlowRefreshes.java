package io.weir.engine;

import io.weir.merge.MergeTotals;
import io.weir.nrt.ReopenListener;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenResult;
import io.weir.nrt.SlowReopen;
import io.weir.nrt.SlowReopenListener;
import io.weir.nrt.SlowReopenOptions;
import io.weir.nrt.SlowReopenTotals;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * The slow refreshes of a shard or core, and their causes: it logs and counts each, and adds up the
 * time of each cause.
 *
 * <p>Causes come from stacks that a thread samples while a refresh runs. That thread starts at the
 * end of the first slow refresh, so a shard that is never slow has none, and the first slow refresh
 * has no cause. The process has at most {@value #MAX_SAMPLED_SHARDS} such threads. A shard without
 * one tries again at each slow refresh.
 *
 * <p><b>Threads:</b> those that refresh, and the sampling daemon thread. <b>Ownership:</b> closing
 * it gives the thread's place to another shard; closing the monitor ends the thread.
 */
public final class SlowRefreshes implements ReopenListener, SlowReopenListener, Closeable {

  /** The setting of the plug-ins from when on a refresh is slow. */
  public static final String THRESHOLD = "weir.slow_refresh.threshold";

  static final int MAX_SAMPLED_SHARDS = 64;

  private static final Duration LEAST_THRESHOLD = Duration.ofMillis(1);
  private static final Duration MOST_THRESHOLD = Duration.ofHours(1);

  private static final Semaphore PLACES = new Semaphore(MAX_SAMPLED_SHARDS);

  private static final System.Logger LOGGER =
      System.getLogger(SlowRefreshes.class.getPackageName() + ".SlowRefreshes");

  private final String shard;
  private final ReopenMonitor monitor;
  private final SlowReopenOptions options;
  private final Semaphore places;
  private final SlowReopenTotals explained = new SlowReopenTotals();
  private long count; // guarded by this: also those without a cause
  private boolean sampled; // guarded by this
  private boolean closed; // guarded by this

  private SlowRefreshes(
      String shard, ReopenMonitor monitor, SlowReopenOptions options, Semaphore places) {
    this.shard = shard;
    this.monitor = monitor;
    this.options = options;
    this.places = places;
  }

  /**
   * The value of {@link #THRESHOLD}, if it is in range: from 1 ms to 1 h, or negative for none.
   *
   * @throws IllegalArgumentException if it is not; the message names the setting
   */
  public static Duration requireInRange(Duration threshold) {
    if (!threshold.isNegative()
        && (threshold.compareTo(LEAST_THRESHOLD) < 0 || threshold.compareTo(MOST_THRESHOLD) > 0)) {
      throw new IllegalArgumentException(
          THRESHOLD + " must be from 1ms to 1h, or -1 for none: " + threshold.toMillis() + "ms");
    }
    return threshold;
  }

  /**
   * Watches for refreshes that take {@code threshold} or longer; empty if that is negative.
   *
   * @param shard as the log names it
   * @param merges those that run
   * @throws IllegalArgumentException if it is from 0 to 1 ms, or longer than 1 h
   */
  public static Optional<SlowRefreshes> watch(
      String shard, ReopenMonitor monitor, Duration threshold, Supplier<List<MergeTotals>> merges) {
    return watch(shard, monitor, threshold, merges, PLACES);
  }

  /** The same, with places for the threads of other shards than those of the process. */
  static Optional<SlowRefreshes> watch(
      String shard,
      ReopenMonitor monitor,
      Duration threshold,
      Supplier<List<MergeTotals>> merges,
      Semaphore places) {
    if (threshold.isNegative()) {
      return Optional.empty();
    }
    SlowReopenOptions options =
        SlowReopenOptions.defaults().withThreshold(threshold).withMerges(() -> names(merges));
    SlowRefreshes slow = new SlowRefreshes(shard, monitor, options, places);
    monitor.addListener(slow);
    return Optional.of(slow);
  }

  @Override
  public void reopenEnded(ReopenResult result, long totalNanos, long latencyNanos) {
    if (totalNanos < options.threshold().toNanos()) {
      return;
    }
    synchronized (this) {
      count++;
      if (sampled) {
        return; // slowReopen logs it
      }
      startSampling();
    }
    LOGGER.log(
        Level.INFO,
        "{0} a refresh took {1} ms, of unknown cause",
        shard,
        Long.toString(Figures.millis(totalNanos)));
  }

  private void startSampling() {
    if (closed || !places.tryAcquire()) {
      return;
    }
    try {
      monitor.explainSlow(options).addListener(this);
      sampled = true;
    } finally {
      if (!sampled) {
        places.release();
      }
    }
  }

  private static List<String> names(Supplier<List<MergeTotals>> merges) {
    return merges.get().stream()
        .map(merge -> merge.kind() + " " + merge.segment().orElse("?"))
        .toList();
  }

  @Override
  public void slowReopen(SlowReopen slow) {
    explained.slowReopen(slow);
    LOGGER.log(
        Level.INFO,
        "{0} a refresh took {1} ms: {2}",
        shard,
        Long.toString(Figures.millis(slow.reopen().totalNanos())),
        slow.explanation());
  }

  /** The figures so far, as they appear in the answer. */
  public synchronized Map<String, Object> figures() {
    Map<String, Object> millis = new LinkedHashMap<>();
    Map<String, Object> counts = new LinkedHashMap<>();
    synchronized (explained) { // both of the same refreshes
      explained
          .causeNanos()
          .forEach((cause, nanos) -> millis.put(Figures.name(cause), Figures.millis(nanos)));
      explained
          .causeReopens()
          .forEach((cause, refreshes) -> counts.put(Figures.name(cause), refreshes));
    }
    return Figures.of(
        "threshold_millis", options.threshold().toMillis(),
        "count", count,
        "cause_millis", millis,
        "cause_count", counts);
  }

  /** May be called more than once. */
  @Override
  public synchronized void close() {
    if (!closed && sampled) {
      places.release();
    }
    closed = true;
  }
}
