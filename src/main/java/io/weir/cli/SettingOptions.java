package io.weir.cli;

import io.weir.stress.setting.ArmKind;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.Setting;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Gives a command an option for each setting that all arms of a run can share: {@code --merge} for
 * {@code merge}, and so on.
 */
class SettingOptions implements IModelTransformer {

  private final ArmSettings defaults;
  private final List<Setting<?>> shared;

  /** Those of {@code weir stress}. */
  SettingOptions() {
    this(ArmSettings.DEFAULT, ArmKind.STRESS);
  }

  /**
   * Those of a command with arms of a kind.
   *
   * @param defaults what every arm does that does not say otherwise
   */
  SettingOptions(ArmSettings defaults, ArmKind kind) {
    this.defaults = defaults;
    this.shared = ArmSetting.all(kind).stream().filter(Setting::isOfTheRun).toList();
  }

  @Override
  public CommandSpec transform(CommandSpec command) {
    ArgGroupSpec.Builder group =
        ArgGroupSpec.builder()
            .exclusive(false)
            .multiplicity("0..1")
            .heading("%nThe load and its phases, for every arm that does not set them itself:%n");
    for (Setting<?> setting : shared) {
      group.addArg(option(setting, defaults));
    }
    return command.addArgGroup(group.build());
  }

  /** What every arm of a command does that does not say otherwise. */
  static ArmSettings of(ParseResult command) {
    return new SettingOptions().settings(command);
  }

  /** Likewise, of a command with these options. */
  final ArmSettings settings(ParseResult command) {
    ArmSettings settings = defaults;
    for (Setting<?> setting : shared) {
      if (command.hasMatchedOption(name(setting))) {
        settings = settings.withText(setting, command.matchedOptionValue(name(setting), ""));
      }
    }
    return settings;
  }

  private static OptionSpec option(Setting<?> setting, ArmSettings defaults) {
    return OptionSpec.builder(name(setting))
        .paramLabel(setting.syntax())
        .type(String.class)
        .description(
            "%s Default: %s."
                .formatted(setting.help(), defaultText(setting, defaults))
                .replace("%", "%%"))
        .build();
  }

  private static String defaultText(Setting<?> setting, ArmSettings defaults) {
    return Optional.ofNullable(defaults.describe().get(setting.key()))
        .or(() -> setting.defaultText(defaults)) // of one that has no effect on a default arm
        .orElse("none");
  }

  private static String name(Setting<?> setting) {
    return "--" + setting.key();
  }
}
