package io.weir.stress.engine;

import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.LatencyRecorder;
import io.weir.stress.arm.timeline.Timeline;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How long updates take to become visible, from the time they were due: until the end of the first
 * refresh that began after the engine had confirmed them. A refresh makes visible all that was
 * confirmed before it began, which is what each engine promises.
 *
 * <p><b>Threads:</b> any.
 */
final class FreshUpdates {

  private record Written(long dueNanos, long confirmedNanos) {}

  private final Timeline timeline;
  private final Deque<Written> waiting = new ArrayDeque<>(); // guarded by itself
  private final LatencyRecorder visible = new LatencyRecorder();

  FreshUpdates(Timeline timeline) {
    this.timeline = timeline;
  }

  /** The engine has confirmed a bulk just now. */
  void written(long dueNanos) {
    synchronized (waiting) {
      waiting.addLast(new Written(dueNanos, timeline.nowNanos()));
    }
  }

  /** A refresh has ended. */
  void refreshed(long startedNanos, long endedNanos) {
    synchronized (waiting) {
      while (!waiting.isEmpty() && waiting.getFirst().confirmedNanos() < startedNanos) {
        long dueNanos = waiting.removeFirst().dueNanos();
        visible.record(timeline.phaseOf(dueNanos), endedNanos - dueNanos);
      }
    }
  }

  /** Of the bulks that became visible, by the phase in which they were due. */
  Values values() {
    Values.Builder values = Values.builder();
    for (Phase phase : Phase.MEASURED) {
      values.put(ArmFigures.VISIBLE, phase, visible.summary(phase));
    }
    return values.build();
  }
}
