package io.weir.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.weir.merge.MergeActivity;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.merge.MergeListener;
import io.weir.merge.MergeTotals;
import io.weir.merge.MergeTotals.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The meters of one index's merges: bytes written, pauses, outcomes, and whether they keep up. Bind
 * one per {@link MergeActivity}. Merges that run when it is bound count when they end, but not as
 * active.
 */
public final class MergeMetrics extends WeirMeterBinder {

  private final MergeActivity merges;

  /**
   * With additional tags.
   *
   * @param tags such as the name of the index, other than {@code kind} and {@code outcome}
   */
  public MergeMetrics(MergeActivity merges, Tags tags) {
    super(tags, TagKeys.KIND, TagKeys.OUTCOME);
    this.merges = Objects.requireNonNull(merges, "merges");
  }

  @Override
  Runnable register(MeterSet meters) {
    for (MergeKind kind : MergeKind.values()) {
      meters.all(MergeKindTotals.FIGURES, () -> merges.totals(kind), MeterSet.tagValue(kind));
    }
    meters.all(MergeActivity.FIGURES, () -> merges);
    Listener listener = new Listener(meters);
    merges.addListener(listener);
    return () -> {
      merges.removeListener(listener);
      listener.stop();
    };
  }

  /** Feeds the meters. <b>Threads:</b> any; nothing blocks. */
  private static final class Listener implements MergeListener {

    private final MeterSet meters;
    private final Map<MergeKind, Map<Outcome, Timer>> ended =
        new EnumMap<>(MergeKind.class); // guarded by this
    private final Map<MergeKind, LongTaskTimer> active = new EnumMap<>(MergeKind.class);
    private final Map<MergeKind, Timer> paused = new EnumMap<>(MergeKind.class);
    private final Map<Long, LongTaskTimer.Sample> running = new ConcurrentHashMap<>();
    private final Counter capLifts;
    private boolean stopped; // guarded by this

    Listener(MeterSet meters) {
      this.meters = meters;
      for (MergeKind kind : MergeKind.values()) {
        String ofKind = MeterSet.tagValue(kind);
        active.put(kind, meters.longTaskTimer(WeirMeter.MERGE_ACTIVE, ofKind));
        if (kind != MergeKind.CRITICAL) { // critical merges never pause
          paused.put(kind, meters.timer(WeirMeter.MERGE_PAUSED, ofKind));
        }
        ended.put(kind, new EnumMap<>(Outcome.class));
        ended(kind, Outcome.DONE);
      }
      capLifts = meters.counter(WeirMeter.MERGE_CAP_LIFTS);
    }

    @Override
    public void mergeStarted(MergeTotals merge) {
      running.put(merge.number(), active.get(merge.kind()).start());
    }

    @Override
    public void mergeFinished(MergeTotals merge) {
      LongTaskTimer.Sample sample = running.remove(merge.number());
      if (sample != null) {
        sample.stop();
      }
      ended(merge.kind(), merge.outcome()).ifPresent(timer -> timer.record(merge.elapsed()));
    }

    @Override
    public void pauseEnded(MergeKind kind, long pauseNanos) {
      Timer timer = paused.get(kind);
      if (timer != null) {
        timer.record(pauseNanos, TimeUnit.NANOSECONDS);
      }
    }

    @Override
    public void capLifted(String reason) {
      capLifts.increment();
    }

    /** Registers no more meters. */
    synchronized void stop() {
      stopped = true;
      running.values().forEach(LongTaskTimer.Sample::stop);
      running.clear();
    }

    /**
     * Registers the timers of aborted and failed merges at the first such merge, because they are
     * rare.
     *
     * @return empty after {@link #stop}
     */
    private synchronized Optional<Timer> ended(MergeKind kind, Outcome outcome) {
      if (stopped) {
        return Optional.empty();
      }
      return Optional.of(
          ended
              .get(kind)
              .computeIfAbsent(
                  outcome,
                  first ->
                      meters.timer(
                          WeirMeter.MERGE, MeterSet.tagValue(kind), MeterSet.tagValue(outcome))));
    }
  }
}
