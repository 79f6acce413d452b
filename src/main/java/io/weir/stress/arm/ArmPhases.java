package io.weir.stress.arm;

import io.weir.stress.arm.load.WarmUp;
import io.weir.stress.arm.meters.MergeWindow;
import io.weir.stress.arm.meters.StorageReadMeter;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.Phase;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The phases of an arm, one after the other: the warm-up, before, the large merge, after.
 *
 * <p><b>Threads:</b> one.
 */
final class ArmPhases {

  private final ArmSettings settings;
  private final Timeline timeline;
  private final WarmUp warmUp;
  private final StorageReadMeter reads;
  private final Supplier<MergeWindow> windows;

  /**
   * @param reads in its warm-up; enters each phase
   * @param windows begins to count what merges do
   */
  ArmPhases(
      ArmSettings settings,
      Timeline timeline,
      WarmUp warmUp,
      StorageReadMeter reads,
      Supplier<MergeWindow> windows) {
    this.settings = settings;
    this.timeline = timeline;
    this.warmUp = warmUp;
    this.reads = reads;
    this.windows = windows;
  }

  /** Runs them to the end of the arm; empty when the arm ended before the merge began. */
  Optional<MergeResult> run(LargeMerge merge) throws InterruptedException {
    if (!warmUp.await()) {
      return Optional.empty();
    }
    reads.enter(Phase.BEFORE);
    if (!timeline.awaitDue(timeline.warmupEndNanos() + settings.get(ArmSetting.BEFORE).toNanos())) {
      return Optional.empty();
    }
    reads.enter(Phase.DURING);
    MergeWindow window = windows.get();
    long startNanos = timeline.nowNanos();
    timeline.mergeStarts(startNanos);
    boolean ended = merge.run(startNanos);
    long endNanos = timeline.nowNanos();
    if (ended) {
      timeline.mergeEnded(endNanos); // at once: what is due from now on is after the merge
      reads.enter(Phase.AFTER);
    }
    String kind = settings.get(ArmSetting.MERGE).name().toLowerCase(Locale.ROOT);
    MergeResult result = window.until(kind, (endNanos - startNanos) / 1e9);
    if (ended) {
      timeline.endAt(endNanos + settings.get(ArmSetting.AFTER).toNanos());
      timeline.awaitEnd();
    }
    return Optional.of(result);
  }
}
