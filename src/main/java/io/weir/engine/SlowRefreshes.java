package io.weir.elasticsearch;

import io.weir.merge.MergeTracker;
import io.weir.nrt.ReopenCause;
import io.weir.nrt.ReopenListener;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenResult;
import io.weir.nrt.SlowReopen;
import io.weir.nrt.SlowReopenListener;
import io.weir.nrt.SlowReopenOptions;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.elasticsearch.index.shard.ShardId;

/**
 * The slow refreshes of a shard, and their causes: it logs each and counts the time of each cause.
 * It begins to look for causes after the first slow refresh. So a shard that is never slow has no
 * thread for it.
 *
 * <p><b>Threads:</b> those that refresh, and a daemon thread for each shard that was slow, which
 * sleeps while nothing refreshes. <b>Ownership:</b> closing the monitor ends it.
 */
final class SlowRefreshes implements ReopenListener, SlowReopenListener {

  private static final System.Logger LOGGER =
      System.getLogger(SlowRefreshes.class.getPackageName() + ".SlowRefreshes");

  private final ShardId shard;
  private final ReopenMonitor monitor;
  private final Duration threshold;
  private final MergeTracker merges;
  private final Map<ReopenCause, Long> causeNanos = new EnumMap<>(ReopenCause.class); // by this
  private long count; // guarded by this
  private boolean explains; // guarded by this

  private SlowRefreshes(
      ShardId shard, ReopenMonitor monitor, Duration threshold, MergeTracker merges) {
    this.shard = shard;
    this.monitor = monitor;
    this.threshold = threshold;
    this.merges = merges;
  }

  /** Of the refreshes that take {@code threshold} or longer; none if it is negative. */
  static SlowRefreshes of(
      ShardId shard, ReopenMonitor monitor, Duration threshold, MergeTracker merges) {
    SlowRefreshes slow = new SlowRefreshes(shard, monitor, threshold, merges);
    if (!threshold.isNegative()) {
      monitor.addListener(slow);
    }
    return slow;
  }

  @Override
  public void reopenEnded(ReopenResult result, long totalNanos, long latencyNanos) {
    if (totalNanos >= threshold.toNanos()) {
      firstSlow();
    }
  }

  private synchronized void firstSlow() {
    if (explains) {
      return;
    }
    count++; // without a cause
    explains = true;
    monitor.removeListener(this);
    monitor
        .explainSlow(
            SlowReopenOptions.defaults()
                .withThreshold(threshold)
                .withMerges(
                    () ->
                        merges.running().stream()
                            .map(merge -> merge.kind() + " " + merge.segment().orElse("?"))
                            .toList()))
        .addListener(this);
  }

  @Override
  public void slowReopen(SlowReopen slow) {
    synchronized (this) {
      count++;
      slow.causeNanos().forEach((cause, nanos) -> causeNanos.merge(cause, nanos, Long::sum));
    }
    LOGGER.log(
        Level.INFO,
        "{0} a refresh took {1} ms: {2}; merges: {3}",
        shard,
        Long.toString(Duration.ofNanos(slow.reopen().totalNanos()).toMillis()),
        slow.causeNanos().entrySet().stream()
            .map(
                cause ->
                    name(cause.getKey())
                        + " "
                        + Duration.ofNanos(cause.getValue()).toMillis()
                        + " ms")
            .collect(Collectors.joining(", ")),
        slow.merges().isEmpty() ? "none" : String.join(", ", slow.merges()));
  }

  /** The figures so far, as they appear in the answer. */
  synchronized Map<String, Object> figures() {
    Map<String, Object> causes = new LinkedHashMap<>();
    causeNanos.forEach(
        (cause, nanos) -> causes.put(name(cause), Duration.ofNanos(nanos).toMillis()));
    return Figures.of(
        "threshold_millis", threshold.toMillis(), "count", count, "cause_millis", causes);
  }

  private static String name(ReopenCause cause) {
    return cause.name().toLowerCase(Locale.ROOT);
  }
}
