package io.weir.cli;

import io.weir.option.NearestName;
import io.weir.stress.plan.Arm;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.Setting;
import java.util.HashSet;
import java.util.Set;

/**
 * An arm as people write it: {@code NAME: key=value, key=value}, or only {@code key=value, ...},
 * which is its own name.
 */
final class ArmOption {

  /**
   * A comma inside a value (jvm-args) does not part settings: only one before the next key does.
   */
  private static final String BETWEEN_SETTINGS = "\\s*,\\s*(?=[a-z-]+=)";

  private ArmOption() {}

  /**
   * The arm that a text stands for.
   *
   * @param ofTheRun what it does where it does not set it
   * @throws IllegalArgumentException when it cannot be read or run, with a message for the user
   */
  static Arm parse(String text, ArmSettings ofTheRun) {
    int colon = text.indexOf(':');
    boolean named = colon >= 0 && !text.substring(0, colon).contains("=");
    String name = named ? text.substring(0, colon) : text;
    String pairs = named ? text.substring(colon + 1) : text;
    ArmSettings settings = ofTheRun;
    Set<Setting<?>> seen = new HashSet<>();
    for (String pair : pairs.trim().split(BETWEEN_SETTINGS)) {
      if (pair.isBlank()) {
        continue;
      }
      int equals = pair.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "--arm must be NAME: key=value, key=value, ...; no key=value: '%s' in '%s'"
                .formatted(pair, text));
      }
      Setting<?> setting = setting(pair.substring(0, equals).trim(), text);
      if (!seen.add(setting)) {
        throw new IllegalArgumentException(
            "--arm must set %s once: '%s'".formatted(setting.key(), text));
      }
      settings = settings.withText(setting, pair.substring(equals + 1).trim());
    }
    return new Arm(name.trim(), settings);
  }

  private static Setting<?> setting(String key, String arm) {
    return ArmSetting.find(key)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--arm has no setting '%s' in '%s'%s (weir stress --help lists all)"
                        .formatted(
                            key,
                            arm,
                            NearestName.to(
                                    key, ArmSetting.all().stream().map(Setting::key).toList())
                                .map(": did you mean %s?"::formatted)
                                .orElse(""))));
  }
}
