package io.weir.stress.arm;

import io.weir.stress.arm.load.WarmUp;
import io.weir.stress.arm.meters.MergeWindow;
import io.weir.stress.arm.meters.StorageReadMeter;
import io.weir.stress.arm.storage.WritePath;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.Phase;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.time.NanoClock;
import java.util.Locale;

/**
 * The phases of an arm, one after the other: the warm-up, before, the large merge, after.
 *
 * <p><b>Threads:</b> one.
 */
final class ArmPhases {

  private final ArmSettings settings;
  private final Timeline timeline;
  private final WarmUp warmUp;
  private final WritePath path;
  private final NanoClock clock;
  private final StorageReadMeter reads;

  /**
   * @param reads in its warm-up; is told when a phase begins
   */
  ArmPhases(
      ArmSettings settings,
      Timeline timeline,
      WarmUp warmUp,
      WritePath path,
      NanoClock clock,
      StorageReadMeter reads) {
    this.settings = settings;
    this.timeline = timeline;
    this.warmUp = warmUp;
    this.path = path;
    this.clock = clock;
    this.reads = reads;
  }

  /** Runs them to the end of the arm; null when that came before the merge began. */
  MergeResult run(LargeMerge merge) throws InterruptedException {
    if (!warmUp.await()) {
      return null;
    }
    reads.enter(Phase.BEFORE);
    if (!timeline.awaitDue(timeline.warmupEndNanos() + settings.get(ArmSetting.BEFORE).toNanos())) {
      return null;
    }
    reads.enter(Phase.DURING);
    MergeWindow window = new MergeWindow(path, clock);
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
    return result;
  }
}
