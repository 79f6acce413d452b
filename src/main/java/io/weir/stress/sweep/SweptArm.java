package io.weir.stress.sweep;

import io.weir.rate.Rate;
import io.weir.run.SweepPoint;
import io.weir.stress.plan.Arm;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Preset;
import java.nio.charset.StandardCharsets;

/**
 * An arm of a sweep: one without a cap, which the sweep adds.
 *
 * @param name as the user gave it
 * @param settings what it does under each cap; without one, reads are not counted
 */
public record SweptArm(String name, ArmSettings settings) {

  /** What it is called without a cap, after its name and in objectives. */
  public static final String UNCAPPED = "uncapped";

  private static final int MAX_NAME_BYTES = 40;
  private static final Rate ANY_CAP = Rate.perSecond(1_000_000);

  /** Refuses what cannot be swept, and what no arm can be. */
  public SweptArm {
    if (settings.mergeCap().isLimited()) {
      throw refused("a sweep sets the cap itself, its arms must have none", name);
    }
    MergeWorkload merge = settings.get(ArmSetting.MERGE);
    if (merge == MergeWorkload.NONE) {
      throw refused("a sweep needs a merge to cap, not merge=none", name);
    }
    if (settings.get(ArmSetting.PRESET) == Preset.STOCK && merge != MergeWorkload.FORCED) {
      throw refused(
          "with preset=stock a sweep needs merge=forced, because lucene-force-merge-cap caps no"
              + " other",
          name);
    }
    if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
      throw refused(
          "arm names of a sweep must have at most "
              + MAX_NAME_BYTES
              + " bytes of UTF-8, because the cap is added",
          name);
    }
    capped(name, settings, ANY_CAP); // refuses what no arm can be
  }

  private static IllegalArgumentException refused(String rule, String name) {
    return new IllegalArgumentException(rule + ": '" + name + "'");
  }

  /** Whether its cap counts what merges read as well. */
  boolean countsReads() {
    return settings.get(ArmSetting.COUNT_READS);
  }

  /** It under a cap: {@code weir 42MB/s}, {@code weir uncapped}. */
  public Arm under(Rate cap) {
    return cap.isLimited()
        ? capped(name + " " + SweepPoint.capText(cap.bytesPerSecond()), settings, cap)
        : new Arm(name + " " + UNCAPPED, uncapped());
  }

  private static Arm capped(String name, ArmSettings settings, Rate cap) {
    return new Arm(name, settings.with(settings.capSetting(), cap));
  }

  private ArmSettings uncapped() {
    return countsReads() ? settings.with(ArmSetting.COUNT_READS, false) : settings;
  }
}
