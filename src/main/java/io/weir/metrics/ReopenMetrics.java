package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.weir.nrt.DeferredClose;
import io.weir.nrt.DeferredCloseListener;
import io.weir.nrt.ReopenListener;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenPhase;
import io.weir.nrt.ReopenResult;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The reopens of one index: how long they take and why, how old what is searched may be, how soon a
 * document is found, and the old readers that are closed behind them. One for each {@link
 * ReopenMonitor}.
 */
public final class ReopenMetrics extends WeirMeterBinder {

  private static final double NANOS_PER_SECOND = 1e9;

  private final ReopenMonitor monitor;

  /**
   * With tags of the application's.
   *
   * @param tags such as the name of the index, other than {@code result}, {@code phase} and {@code
   *     mode}
   */
  public ReopenMetrics(ReopenMonitor monitor, Tags tags) {
    super(tags);
    this.monitor = Objects.requireNonNull(monitor, "monitor");
  }

  @Override
  Runnable register(MeterSet meters) {
    meters.counter(WeirMeter.REFRESH_SKIPPED, () -> monitor.snapshot().skipped());
    meters.timeGauge(
        WeirMeter.REFRESH_STALENESS, () -> monitor.staleness().toNanos() / NANOS_PER_SECOND);
    Reopens reopens = new Reopens(meters);
    Optional<DeferredClose> close = monitor.deferredClose();
    Runnable closeEnd = close.map(found -> register(meters, found)).orElse(() -> {});
    monitor.addListener(reopens);
    return () -> {
      monitor.removeListener(reopens);
      closeEnd.run();
    };
  }

  private static Runnable register(MeterSet meters, DeferredClose close) {
    meters.gauge(WeirMeter.CLOSE_WAITING, () -> close.snapshot().waiting());
    meters.counter(WeirMeter.CLOSE_FAILED, () -> close.snapshot().failed());
    Timer deferred = meters.timer(WeirMeter.CLOSE, "deferred");
    Timer inline = meters.timer(WeirMeter.CLOSE, "inline");
    DeferredCloseListener listener =
        new DeferredCloseListener() {
          @Override
          public void released(long releaseNanos, boolean wasInline) {
            (wasInline ? inline : deferred).record(releaseNanos, TimeUnit.NANOSECONDS);
          }
        };
    close.addListener(listener);
    return () -> close.removeListener(listener);
  }

  /** The meters that are told. <b>Threads:</b> those that reopen. */
  private static final class Reopens implements ReopenListener {

    private final Map<ReopenResult, Timer> results = new EnumMap<>(ReopenResult.class);
    private final Map<ReopenPhase, Timer> phases = new EnumMap<>(ReopenPhase.class);
    private final Timer freshness;

    Reopens(MeterSet meters) {
      for (ReopenResult result : ReopenResult.values()) {
        if (result != ReopenResult.SKIPPED) { // which took no time
          results.put(result, meters.timer(WeirMeter.REFRESH, TagValues.of(result)));
        }
      }
      for (ReopenPhase phase : ReopenPhase.values()) {
        phases.put(
            phase,
            phase == ReopenPhase.LOCK_WAIT
                ? meters.timer(WeirMeter.REFRESH_LOCK_WAIT)
                : meters.timer(WeirMeter.REFRESH_PHASE, TagValues.of(phase)));
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
    public void documentVisible(long freshnessNanos) {
      freshness.record(freshnessNanos, TimeUnit.NANOSECONDS);
    }
  }
}
