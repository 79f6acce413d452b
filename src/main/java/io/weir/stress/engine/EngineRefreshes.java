package io.weir.stress.engine;

import io.weir.nrt.ReopenCause;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.SlowCauses;
import io.weir.run.Values;
import io.weir.stress.arm.load.OpenLoop;
import io.weir.stress.arm.load.Reopener;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.timeline.Timeline;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Refreshes the index, and writes a line about each refresh. When the call returns, what was
 * indexed before is visible in every shard; its phases, and the cause of a slow refresh, are not
 * visible from outside: {@link PluginReadings} may add causes.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> closes the lines.
 */
final class EngineRefreshes implements OpenLoop.Operation, Closeable {

  private final EngineIndex index;
  private final Timeline timeline;
  private final FreshUpdates fresh;
  private final Duration slowOver;
  private final ArmCsv lines;
  private final Map<Phase, Long> slow = new EnumMap<>(Phase.class);
  private final Map<Phase, Long> slowNanos = new EnumMap<>(Phase.class);

  /**
   * Refreshes that have not begun.
   *
   * @param slowOver a refresh that takes longer from its real start is slow
   * @param lines with {@link Reopener#COLUMNS}
   */
  EngineRefreshes(
      EngineIndex index, Timeline timeline, FreshUpdates fresh, Duration slowOver, ArmCsv lines) {
    this.index = index;
    this.timeline = timeline;
    this.fresh = fresh;
    this.slowOver = slowOver;
    this.lines = lines;
  }

  @Override
  public void run(long dueNanos, long startedNanos) throws IOException, InterruptedException {
    String result = "failed";
    OptionalLong visible = OptionalLong.empty();
    try {
      index.refresh();
      result = "changed";
      long endedNanos = timeline.nowNanos();
      visible = OptionalLong.of(endedNanos);
      fresh.refreshed(startedNanos, endedNanos);
      if (endedNanos - startedNanos > slowOver.toNanos()) {
        Phase phase = timeline.phaseOf(dueNanos);
        slow.merge(phase, 1L, Long::sum);
        slowNanos.merge(phase, endedNanos - startedNanos, Long::sum);
      }
    } finally {
      line(dueNanos, OptionalLong.of(startedNanos), visible, timeline.nowNanos(), result);
    }
  }

  @Override
  public void abandoned(long dueNanos, long givenUpNanos) throws IOException {
    line(dueNanos, OptionalLong.empty(), OptionalLong.empty(), givenUpNanos, "abandoned");
  }

  /** Those that took long; after the last one. */
  Values slow() {
    Values.Builder values = Values.builder().put(ArmFigures.SLOW_THRESHOLD, slowOver.toMillis());
    for (Phase phase : Phase.MEASURED) {
      values
          .put(ArmFigures.SLOW_REOPENS, phase, slow.getOrDefault(phase, 0L))
          .put(ArmFigures.SLOW_LOST, phase, lostSeconds(phase))
          .put(ArmFigures.SLOW_CAUSES, phase, new SlowCauses(causes(phase)));
    }
    return values.build();
  }

  private double lostSeconds(Phase phase) {
    return slowNanos.getOrDefault(phase, 0L) / 1e9;
  }

  private List<SlowCauses.Cause> causes(Phase phase) {
    long reopens = slow.getOrDefault(phase, 0L);
    ReopenCause unknown = ReopenCause.UNKNOWN;
    return reopens == 0
        ? List.of()
        : List.of(
            new SlowCauses.Cause(
                unknown.name().toLowerCase(Locale.ROOT),
                unknown.label(),
                lostSeconds(phase),
                1,
                reopens));
  }

  private void line(
      long dueNanos,
      OptionalLong startedNanos,
      OptionalLong visibleNanos,
      long finishedNanos,
      String result)
      throws IOException {
    Optional<Long> unknown = Optional.empty();
    lines.line(
        timeline.phaseOf(dueNanos).label(),
        dueNanos,
        startedNanos,
        visibleNanos,
        finishedNanos,
        result,
        unknown,
        unknown,
        unknown,
        unknown,
        unknown,
        unknown);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
