package io.weir.stress.setting;

import java.util.Map;

/**
 * What a search engine can follow of an arm: the settings of {@link ArmKind#ENGINE}, with values
 * that it can have. The other settings are Lucene's own, and an engine decides on them.
 */
public final class EngineSettings {

  private EngineSettings() {}

  /**
   * The same arm, but of updates, reopens, commits and the large merge it does only what was set.
   */
  public static ArmSettings readingUnlessAsked(ArmSettings arm) {
    ArmSettings reading = arm;
    if (!arm.isSet(ArmSetting.UPDATES_PER_SECOND)) {
      reading = reading.with(ArmSetting.UPDATES_PER_SECOND, LoadRate.NONE);
    }
    if (!arm.isSet(ArmSetting.REOPENS_PER_SECOND)) {
      reading = reading.with(ArmSetting.REOPENS_PER_SECOND, LoadRate.NONE);
    }
    if (!arm.isSet(ArmSetting.COMMITS_PER_MINUTE)) {
      reading = reading.with(ArmSetting.COMMITS_PER_MINUTE, LoadRate.NONE);
    }
    if (!arm.isSet(ArmSetting.MERGE)) {
      reading = reading.with(ArmSetting.MERGE, MergeWorkload.NONE);
    }
    return reading;
  }

  /**
   * Refuses an arm that asks for what an engine does not do.
   *
   * @throws IllegalArgumentException with the setting and the reason
   */
  public static void check(ArmSettings arm) {
    for (Setting<?> setting : ArmSetting.all()) {
      if (arm.isSet(setting) && !setting.isFor(ArmKind.ENGINE)) {
        throw refusal(arm, setting, "an engine decides on that itself");
      }
    }
    if (arm.get(ArmSetting.MODE) == UpdateMode.SOFT_UPDATE) {
      throw refusal(arm, ArmSetting.MODE, "an engine decides how it deletes; say mode=update");
    }
    if (arm.get(ArmSetting.CACHE) == CacheState.WARM) {
      throw refusal(arm, ArmSetting.CACHE, "a server reads more than its index when it starts");
    }
  }

  /** Refuses what needs a server of the run's own. */
  public static void checkTarget(ArmSettings arm) {
    for (Setting<?> setting : ArmSetting.all(ArmKind.ENGINE)) {
      if (arm.isSet(setting) && !setting.isFor(ArmKind.TARGET)) {
        throw refusal(arm, setting, "the cluster of --target runs already");
      }
    }
  }

  /**
   * What is asked of an engine, by key.
   *
   * @param target whether the cluster runs already, so that nothing is asked of its servers
   */
  public static Map<String, String> describe(ArmSettings arm, boolean target) {
    return arm.describe(target ? ArmKind.TARGET : ArmKind.ENGINE);
  }

  private static IllegalArgumentException refusal(
      ArmSettings arm, Setting<?> setting, String reason) {
    return new IllegalArgumentException(
        "%s is not for an engine, because %s: %s=%s"
            .formatted(setting, reason, setting, arm.text(setting).orElse("")));
  }
}
