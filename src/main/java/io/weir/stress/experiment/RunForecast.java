package io.weir.stress.experiment;

import io.weir.rate.Rate;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a run would do and take, before it is begun.
 *
 * @param making the indexes that arms start from, and what becomes of each first
 * @param indexBytes how large one of them is, or may become; empty where that is unknown
 * @param neededBytes what must be free on their disk; empty likewise
 * @param usableBytes what is free there
 */
public record RunForecast(
    StressPlan plan,
    Map<Path, Making> making,
    OptionalLong indexBytes,
    OptionalLong neededBytes,
    long usableBytes) {

  /** How an index comes about. */
  public enum Making {
    /** It is there and is used again. */
    THERE,
    /** From the documents. */
    BUILT,
    /** From another index of the same documents. */
    REWRITTEN
  }

  /** What a merge writes in a second on an ordinary disk, if nothing caps it: a guess. */
  public static final long MERGE_BYTES_PER_SECOND = 50_000_000;

  /** What building an index writes in a second: a guess. */
  public static final long BUILD_BYTES_PER_SECOND = 20_000_000;

  /** A JVM, a copy of the index, and its opening. */
  private static final Duration STARTING = Duration.ofSeconds(4);

  /** Keeps the order of the map. */
  public RunForecast {
    making = Collections.unmodifiableMap(new LinkedHashMap<>(making));
  }

  /** How long it may take; empty when the size of the index is not known. */
  public Optional<Duration> time() {
    if (indexBytes.isEmpty()) {
      return Optional.empty();
    }
    Duration time = makingTime();
    for (Arm arm : plan.arms()) {
      Duration once = time(arm.settings(), indexBytes.getAsLong(), MERGE_BYTES_PER_SECOND);
      time = time.plus(once.multipliedBy(plan.rounds()));
    }
    return Optional.of(time);
  }

  /** How long it takes to make the indexes that are not there; nothing if their size is unknown. */
  public Duration makingTime() {
    Duration time = Duration.ZERO;
    for (Making made : making.values()) {
      if (made != Making.THERE && indexBytes.isPresent()) {
        time = time.plus(writing(indexBytes.getAsLong(), BUILD_BYTES_PER_SECOND));
      }
    }
    return time;
  }

  /**
   * How long an arm may take.
   *
   * @param mergeBytes what its large merge writes
   * @param freeBytesPerSecond what that writes in a second where no cap is lower
   */
  public static Duration time(ArmSettings settings, long mergeBytes, long freeBytesPerSecond) {
    return STARTING
        .plus(Experiment.CANARY)
        .plus(settings.get(ArmSetting.WARMUP))
        .plus(settings.get(ArmSetting.BEFORE))
        .plus(
            settings.get(ArmSetting.MERGE) == MergeWorkload.NONE
                ? settings.get(ArmSetting.DURING)
                : merging(settings, mergeBytes, freeBytesPerSecond))
        .plus(settings.get(ArmSetting.AFTER));
  }

  private static Duration merging(ArmSettings settings, long bytes, long freeBytesPerSecond) {
    Duration whole = writing(bytes, mergeBytesPerSecond(settings, freeBytesPerSecond));
    return settings
        .get(ArmSetting.MERGE_TIMEOUT)
        .filter(timeout -> timeout.compareTo(whole) < 0)
        .orElse(whole);
  }

  private static long mergeBytesPerSecond(ArmSettings settings, long freeBytesPerSecond) {
    Rate cap = settings.mergeCap();
    return cap.isLimited()
        ? Math.min(cap.bytesPerSecond(), freeBytesPerSecond)
        : freeBytesPerSecond;
  }

  private static Duration writing(long bytes, long bytesPerSecond) {
    return Duration.ofMillis(Math.round(bytes * 1e3 / bytesPerSecond));
  }
}
