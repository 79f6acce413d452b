package io.weir.stress.arm;

import io.weir.stress.plan.ArmSettings;
import io.weir.stress.result.MergeResult;
import io.weir.time.NanoClock;
import java.util.Locale;

/**
 * Takes an arm that is under load through its phases: the warm-up, the time before the large merge,
 * the merge, and the time after it.
 *
 * <p><b>Threads:</b> one; it waits on it.
 */
final class PhaseSequence {

  private final ArmSettings settings;
  private final Timeline timeline;
  private final WarmUp warmUp;
  private final WritePath path;
  private final NanoClock clock;

  PhaseSequence(
      ArmSettings settings, Timeline timeline, WarmUp warmUp, WritePath path, NanoClock clock) {
    this.settings = settings;
    this.timeline = timeline;
    this.warmUp = warmUp;
    this.path = path;
    this.clock = clock;
  }

  /** What the merge came to; null when the arm ended before it began. */
  MergeResult run(LargeMerge merge) throws InterruptedException {
    if (!warmUp.await()
        || !timeline.awaitDue(timeline.warmupEndNanos() + settings.before().toNanos())) {
      return null;
    }
    MergeWindow window = new MergeWindow(path, clock);
    long startNanos = timeline.nowNanos();
    timeline.mergeStarts(startNanos);
    boolean ended = merge.run(startNanos);
    long endNanos = timeline.nowNanos();
    if (ended) {
      timeline.mergeEnded(endNanos); // at once: what is due from now on is after the merge
    }
    String kind = settings.merge().name().toLowerCase(Locale.ROOT);
    MergeResult result = window.until(kind, (endNanos - startNanos) / 1e9);
    if (ended) {
      timeline.endAt(endNanos + settings.after().toNanos());
      timeline.awaitEnd();
    }
    return result;
  }
}
