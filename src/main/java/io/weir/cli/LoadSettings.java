package io.weir.cli;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Setting;
import java.util.Set;

/** The settings of arms that {@code weir load} has as options, with its own default of a merge. */
final class LoadSettings extends SettingOptions {

  /** What an arm of {@code weir load} does that does not say otherwise. */
  private static final ArmSettings DEFAULTS =
      ArmSettings.DEFAULT.with(ArmSetting.MERGE, MergeWorkload.NONE);

  private static final Set<Setting<?>> SHARED =
      Set.of(
          ArmSetting.CACHE,
          ArmSetting.MERGE,
          ArmSetting.MODE,
          ArmSetting.UPDATES_PER_SECOND,
          ArmSetting.REOPENS_PER_SECOND,
          ArmSetting.COMMITS_PER_MINUTE);

  /** Found by picocli. */
  LoadSettings() {
    super(DEFAULTS, SHARED::contains);
  }
}
