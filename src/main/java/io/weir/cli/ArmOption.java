package io.weir.cli;

import io.weir.option.NearestName;
import io.weir.stress.plan.Arm;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.Setting;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;

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
    return parse(text, ofTheRun, Arm::new);
  }

  /**
   * What a text stands for in a command that does more than run an arm.
   *
   * @param made of its name and its settings
   * @throws IllegalArgumentException likewise
   */
  static <A> A parse(String text, ArmSettings ofTheRun, BiFunction<String, ArmSettings, A> made) {
    return parse(text, ofTheRun, "stress", ArmSetting.all(), made);
  }

  /**
   * The arm that a text stands for, in a command that knows only some settings.
   *
   * @param command its name
   * @param known the settings that mean something there
   * @throws IllegalArgumentException likewise
   */
  static Arm parse(String text, ArmSettings ofTheRun, String command, List<Setting<?>> known) {
    return parse(text, ofTheRun, command, known, Arm::new);
  }

  private static <A> A parse(
      String text,
      ArmSettings ofTheRun,
      String command,
      List<Setting<?>> known,
      BiFunction<String, ArmSettings, A> made) {
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
      Setting<?> setting = setting(pair.substring(0, equals).trim(), text, command, known);
      if (!seen.add(setting)) {
        throw new IllegalArgumentException(
            "--arm must set %s once: '%s'".formatted(setting.key(), text));
      }
      settings = settings.withText(setting, pair.substring(equals + 1).trim());
    }
    return made.apply(name.trim(), settings);
  }

  private static Setting<?> setting(
      String key, String arm, String command, List<Setting<?>> known) {
    return ArmSetting.find(key)
        .filter(known::contains)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--arm has no setting '%s' in '%s'%s (weir %s --help lists all)"
                        .formatted(
                            key,
                            arm,
                            NearestName.to(key, known.stream().map(Setting::key).toList())
                                .map(": did you mean %s?"::formatted)
                                .orElse(""),
                            command)));
  }
}
