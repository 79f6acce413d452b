package io.weir.stress.arm;

import io.weir.run.LatencySummary;
import io.weir.run.Phase;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * How far an arm is, with the figures of its phase so far.
 *
 * @param indexBytes about what a forced merge will write
 */
public record ArmProgress(
    ArmSettings settings, Timeline timeline, Load load, Sampler sampler, long indexBytes) {

  private static final long BYTES_PER_MEGABYTE = 1_000_000;

  /** Reports to {@code listener}. */
  void report(ArmListener listener) {
    long nowNanos = timeline.nowNanos();
    Phase phase = timeline.phaseOf(nowNanos);
    listener.progress(
        stage(phase, settings.get(ArmSetting.MERGE)),
        OptionalDouble.of(fractionDone(phase, nowNanos)),
        "%s; %d MB merged%s%s"
            .formatted(
                reopens(load.reopens().latency().summary(phase)),
                sampler.merges().meter().writtenBytes() / BYTES_PER_MEGABYTE,
                sampler.merges().capTrouble().lifts() == 0 ? "" : "; cap lifted",
                sampler
                    .recentDirtyBytes()
                    .map(bytes -> "; dirty " + bytes / BYTES_PER_MEGABYTE + " MB")
                    .orElse("")));
  }

  /** Reopens of a phase so far, in a few words. */
  public static String reopens(LatencySummary latency) {
    return latency.count() == 0
        ? "no reopen yet"
        : String.format(
            Locale.ROOT,
            "reopen p50 %.0f, p99 %.0f, max %.0f ms",
            latency.p50Millis(),
            latency.p99Millis(),
            latency.maxMillis());
  }

  /** What an arm does in a phase, in a few words. */
  public static String stage(Phase phase, MergeWorkload merge) {
    return switch (phase) {
      case WARMUP -> "warming up";
      case BEFORE -> "before the merge";
      case DURING -> merge == MergeWorkload.NONE ? "without a merge" : "merging";
      case AFTER -> "after the merge";
    };
  }

  private double fractionDone(Phase phase, long nowNanos) {
    double fraction =
        switch (phase) {
          case WARMUP -> share(nowNanos - timeline.firstNanos(), settings.get(ArmSetting.WARMUP));
          case BEFORE ->
              share(nowNanos - timeline.warmupEndNanos(), settings.get(ArmSetting.BEFORE));
          case DURING ->
              switch (settings.get(ArmSetting.MERGE)) {
                case NONE ->
                    share(nowNanos - timeline.mergeStartNanos(), settings.get(ArmSetting.DURING));
                case FORCED -> (double) sampler.merges().meter().forcedBytes() / indexBytes;
                case NATURAL -> (double) sampler.merges().meter().writtenBytes() / indexBytes;
              };
          case AFTER -> share(nowNanos - timeline.mergeEndNanos(), settings.get(ArmSetting.AFTER));
        };
    return Math.clamp(fraction, 0, 1);
  }

  private static double share(long nanos, Duration of) {
    return (double) nanos / Math.max(1, of.toNanos());
  }
}
