package io.weir.cli;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.Setting;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Gives a command an option for each setting that all arms of a run can share: {@code --merge} for
 * {@code merge}, and so on.
 */
final class SettingOptions implements IModelTransformer {

  @Override
  public CommandSpec transform(CommandSpec command) {
    ArgGroupSpec.Builder group =
        ArgGroupSpec.builder()
            .exclusive(false)
            .multiplicity("0..1")
            .heading("%nThe load and its phases, for every arm that does not set them itself:%n");
    for (Setting<?> setting : ArmSetting.all()) {
      if (setting.isOfTheRun()) {
        group.addArg(option(setting));
      }
    }
    return command.addArgGroup(group.build());
  }

  /** What every arm of a command does that does not say otherwise. */
  static ArmSettings of(ParseResult command) {
    ArmSettings settings = ArmSettings.DEFAULT;
    for (Setting<?> setting : ArmSetting.all()) {
      if (command.hasMatchedOption(name(setting))) {
        settings = settings.withText(setting, command.matchedOptionValue(name(setting), ""));
      }
    }
    return settings;
  }

  private static OptionSpec option(Setting<?> setting) {
    return OptionSpec.builder(name(setting))
        .paramLabel(setting.syntax())
        .type(String.class)
        .description(
            "%s Default: %s."
                .formatted(setting.help(), setting.defaultText(ArmSettings.DEFAULT).orElse("none"))
                .replace("%", "%%"))
        .build();
  }

  private static String name(Setting<?> setting) {
    return "--" + setting.key();
  }
}
