package io.weir.stress.arm;

import io.weir.stress.setting.ArmSetting;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/** The settings of an arm, or a cell, as seen in its own JVM. */
public final class RunningSettings {

  private RunningSettings() {}

  /** The requested settings, with the JVM as it really is. */
  public static Map<String, String> of(Map<String, String> settings) {
    Map<String, String> described = new LinkedHashMap<>(settings);
    described.put("java", Runtime.version().toString());
    described.put(
        ArmSetting.JVM_ARGS.key(),
        String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    return described;
  }
}
