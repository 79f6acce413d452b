package io.weir.stress.plan;

import io.weir.rate.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * All that one arm does.
 *
 * @param preset what is in the write path
 * @param cap the budget's rate; null with {@link Preset#STOCK}, which has no budget
 * @param luceneForceMergeCapBytesPerSecond Lucene's own cap on forced merges; null for none
 * @param updatesPerSecond steady rate of updates or adds; 0 for none
 * @param reopensPerSecond steady rate of reopens, on a fixed schedule
 * @param searchesPerSecond mean rate of searches, with exponential gaps; 0 for none
 * @param before load without the large merge, to settle and to compare with
 * @param during how long the middle phase is when {@code merge} is {@link MergeKind#NONE}; otherwise
 *     the merge decides
 * @param after load after the merge
 * @param jvm the {@code java} to run; null for the one that runs this
 * @param jvmArguments further arguments for it; later ones win
 */
public record ArmSettings(
    Preset preset,
    Rate cap,
    Long luceneForceMergeCapBytesPerSecond,
    MergeKind merge,
    UpdateMode mode,
    double updatesPerSecond,
    double reopensPerSecond,
    double searchesPerSecond,
    Duration before,
    Duration during,
    Duration after,
    String jvm,
    List<String> jvmArguments) {

  /** The most operations of one kind a second that one run can be asked for. */
  public static final double MAX_PER_SECOND = 100_000;

  /** Refuses what cannot be run. */
  public ArmSettings {
    Objects.requireNonNull(preset, "preset");
    Objects.requireNonNull(merge, "merge");
    Objects.requireNonNull(mode, "mode");
    if ((preset == Preset.STOCK) != (cap == null)) {
      throw new IllegalArgumentException(
          preset == Preset.STOCK
              ? "cap needs preset=weir, because preset=stock has nothing that could cap: cap=" + cap
              : "preset=weir needs a cap (a rate or off)");
    }
    requirePerSecond("updates-per-second", updatesPerSecond, 0);
    requirePerSecond("reopens-per-second", reopensPerSecond, 0.01);
    requirePerSecond("searches-per-second", searchesPerSecond, 0);
    requireDuration("before", before);
    requireDuration("during", during);
    requireDuration("after", after);
    jvmArguments = List.copyOf(jvmArguments);
  }

  private static void requirePerSecond(String name, double value, double least) {
    if (!(value >= least && value <= MAX_PER_SECOND)) {
      throw new IllegalArgumentException(
          name + " must be from " + least + " to " + (long) MAX_PER_SECOND + " per second: " + value);
    }
  }

  private static void requireDuration(String name, Duration value) {
    if (value.isNegative() || value.compareTo(Duration.ofHours(24)) > 0) {
      throw new IllegalArgumentException(name + " must be from 0 s to 24 h: " + value);
    }
  }
}
