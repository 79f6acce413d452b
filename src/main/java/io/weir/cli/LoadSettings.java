package io.weir.cli;

import io.weir.load.plan.LoadPlan;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.Setting;
import java.util.Set;

/** The settings of arms that {@code weir load} has as options, with its own default of a merge. */
final class LoadSettings extends SettingOptions {

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
    super(LoadPlan.ARM_DEFAULTS, SHARED::contains);
  }
}
