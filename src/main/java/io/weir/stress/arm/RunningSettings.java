package io.weir.stress.arm;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of an arm as seen in its own JVM. */
final class RunningSettings {

  private RunningSettings() {}

  /** The requested settings, with the JVM as it really is. */
  static Map<String, String> of(ArmSettings settings) {
    Map<String, String> described = new LinkedHashMap<>(settings.describe());
    described.put("java", Runtime.version().toString());
    described.put(
        ArmSetting.JVM_ARGS.key(),
        String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    return described;
  }
}
