package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.weir.nrt.ReopenListener;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenPhase;
import io.weir.nrt.ReopenResult;
import io.weir.nrt.ReopenSnapshot;
import io.weir.nrt.VisiblePart;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The meters of one index's reopens: their duration and phases, the staleness of the searcher, and
 * how long documents take to be visible. Bind one per {@link ReopenMonitor}.
 */
public final class ReopenMetrics extends WeirMeterBinder {

  private final ReopenMonitor monitor;

  /**
   * With additional tags.
   *
   * @param tags such as the name of the index, other than {@code result}, {@code phase} and {@code
   *     part}
   */
  public ReopenMetrics(ReopenMonitor monitor, Tags tags) {
    super(tags, TagKeys.RESULT, TagKeys.PHASE, TagKeys.PART);
    this.monitor = Objects.requireNonNull(monitor, "monitor");
  }

  @Override
  Runnable register(MeterSet meters) {
    meters.all(ReopenSnapshot.FIGURES, monitor::snapshot);
    Reopens reopens = new Reopens(meters);
    monitor.addListener(reopens);
    return () -> monitor.removeListener(reopens);
  }

  /** Feeds the meters. <b>Threads:</b> those that reopen. */
  private static final class Reopens implements ReopenListener {

    private final Map<ReopenResult, Timer> results = new EnumMap<>(ReopenResult.class);
    private final Map<ReopenPhase, Timer> phases = new EnumMap<>(ReopenPhase.class);
    private final Timer visible;
    private final Map<VisiblePart, Timer> parts = new EnumMap<>(VisiblePart.class);
    private final Timer freshness;

    Reopens(MeterSet meters) {
      for (ReopenResult result : ReopenResult.values()) {
        if (result != ReopenResult.SKIPPED) { // skipped reopens take no time
          results.put(result, meters.timer(WeirMeter.REFRESH, MeterSet.tagValue(result)));
        }
      }
      for (ReopenPhase phase : ReopenPhase.values()) {
        phases.put(
            phase,
            phase == ReopenPhase.LOCK_WAIT
                ? meters.timer(WeirMeter.REFRESH_LOCK_WAIT)
                : meters.timer(WeirMeter.REFRESH_PHASE, MeterSet.tagValue(phase)));
      }
      visible = meters.timer(WeirMeter.REFRESH_VISIBLE);
      for (VisiblePart part : VisiblePart.values()) {
        parts.put(part, meters.timer(WeirMeter.REFRESH_VISIBLE_PART, MeterSet.tagValue(part)));
      }
      freshness = meters.timer(WeirMeter.REFRESH_FRESHNESS);
    }

    @Override
    public void phaseEnded(ReopenPhase phase, long phaseNanos) {
      phases.get(phase).record(phaseNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void reopenEnded(ReopenResult result, long totalNanos, long latencyNanos) {
      Timer timer = results.get(result);
      if (timer != null) {
        timer.record(latencyNanos, TimeUnit.NANOSECONDS);
      }
    }

    @Override
    public void visiblePart(VisiblePart part, long nanos) {
      parts.get(part).record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void documentsVisible(long longestNanos) {
      visible.record(longestNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void documentVisible(long freshnessNanos) {
      freshness.record(freshnessNanos, TimeUnit.NANOSECONDS);
    }
  }
}
