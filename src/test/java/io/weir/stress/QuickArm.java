package io.weir.stress;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.LoadRate;
import io.weir.stress.setting.Setting;
import java.time.Duration;

/** Settings of an arm that takes a second or two; a test sets what it is about. */
public final class QuickArm {

  private ArmSettings settings =
      ArmSettings.DEFAULT
          .with(ArmSetting.UPDATES_PER_SECOND, LoadRate.steady(100.0))
          .with(ArmSetting.REOPENS_PER_SECOND, LoadRate.steady(20.0))
          .with(ArmSetting.SEARCHES_PER_SECOND, LoadRate.steady(50.0))
          .with(ArmSetting.WARMUP, Duration.ofMillis(300))
          .with(ArmSetting.BEFORE, Duration.ofMillis(400))
          .with(ArmSetting.DURING, Duration.ofMillis(500))
          .with(ArmSetting.AFTER, Duration.ofMillis(400));

  /** Sets one of them. */
  public <T> QuickArm set(Setting<T> setting, T value) {
    settings = settings.with(setting, value);
    return this;
  }

  public ArmSettings settings() {
    return settings;
  }
}
