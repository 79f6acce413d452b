package io.weir.solr;

import io.weir.engine.Figures;
import io.weir.merge.MergeTotals;
import io.weir.nrt.ReopenCause;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.SlowReopen;
import io.weir.nrt.SlowReopenListener;
import io.weir.nrt.SlowReopenOptions;
import java.io.Closeable;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The slow refreshes of a core, and their causes: it logs each and counts the time of each cause.
 *
 * <p><b>Threads:</b> a daemon thread for each core, which sleeps while nothing refreshes. So a node
 * explains the refreshes of {@link #MAX_CORES} cores, those that open first. <b>Ownership:</b>
 * closing the monitor ends the thread; closing this gives the place to another core.
 */
final class SlowRefreshes implements SlowReopenListener, Closeable {

  private static final int MAX_CORES = 64;
  private static final Semaphore PLACES = new Semaphore(MAX_CORES);

  private static final System.Logger LOGGER =
      System.getLogger(SlowRefreshes.class.getPackageName() + ".SlowRefreshes");

  private final String core;
  private final Duration threshold;
  private final Map<ReopenCause, Long> causeNanos = new EnumMap<>(ReopenCause.class); // by this
  private long count; // guarded by this

  private SlowRefreshes(String core, Duration threshold) {
    this.core = core;
    this.threshold = threshold;
  }

  /**
   * Explains the refreshes that take {@code threshold} or longer; empty if that is negative, or if
   * enough cores are explained.
   */
  static Optional<SlowRefreshes> start(
      String core, ReopenMonitor monitor, Duration threshold, Supplier<List<MergeTotals>> merges) {
    if (threshold.isNegative() || !PLACES.tryAcquire()) {
      return Optional.empty();
    }
    SlowRefreshes slow = new SlowRefreshes(core, threshold);
    monitor
        .explainSlow(
            SlowReopenOptions.defaults()
                .withThreshold(threshold)
                .withMerges(
                    () ->
                        merges.get().stream()
                            .map(merge -> merge.kind() + " " + merge.segment().orElse("?"))
                            .toList()))
        .addListener(slow);
    return Optional.of(slow);
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
        core,
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

  @Override
  public void close() {
    PLACES.release();
  }

  private static String name(ReopenCause cause) {
    return cause.name().toLowerCase(Locale.ROOT);
  }
}
