package io.weir.stress.arm;

import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.load.WarmUp;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import java.util.Locale;

/**
 * The phases of an arm, one after the other: the warm-up, before, the large merge, after.
 *
 * <p><b>Threads:</b> one.
 */
public final class ArmPhases {

  /** What an arm does in its phases besides the load. */
  public interface PhaseActions {

    /** A phase begins; with {@link Phase#DURING} the counting of what merges do. */
    void enter(Phase phase) throws InterruptedException;

    /**
     * Merges, or lets the same time pass when there is nothing to merge.
     *
     * @param startNanos now
     * @return false when the arm ended first, or the merge failed
     */
    boolean merge(long startNanos) throws InterruptedException;

    /**
     * What merges did since the middle phase began.
     *
     * @param ended whether the large one ended before the arm
     */
    Values merged(String kind, double seconds, boolean ended) throws InterruptedException;
  }

  private final ArmSettings settings;
  private final Timeline timeline;
  private final WarmUp warmUp;

  /** Of an arm whose load has begun. */
  public ArmPhases(ArmSettings settings, Timeline timeline, WarmUp warmUp) {
    this.settings = settings;
    this.timeline = timeline;
    this.warmUp = warmUp;
  }

  /** Runs them to the end of the arm; nothing when the arm ended before the merge began. */
  public Values run(PhaseActions actions) throws InterruptedException {
    if (!warmUp.await()) {
      return Values.NONE;
    }
    actions.enter(Phase.BEFORE);
    if (!timeline.awaitDue(timeline.warmupEndNanos() + settings.get(ArmSetting.BEFORE).toNanos())) {
      return Values.NONE;
    }
    actions.enter(Phase.DURING);
    long startNanos = timeline.nowNanos();
    timeline.mergeStarts(startNanos);
    boolean ended = actions.merge(startNanos);
    long endNanos = timeline.nowNanos();
    if (ended) {
      timeline.mergeEnded(endNanos); // at once: what is due from now on is after the merge
      // The end first: a look at a server may take longer than the phase.
      timeline.endAt(endNanos + settings.get(ArmSetting.AFTER).toNanos());
      actions.enter(Phase.AFTER);
    }
    String kind = settings.get(ArmSetting.MERGE).name().toLowerCase(Locale.ROOT);
    Values result = actions.merged(kind, (endNanos - startNanos) / 1e9, ended);
    if (ended) {
      timeline.awaitEnd();
    }
    return result;
  }
}
