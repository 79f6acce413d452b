package io.weir.cli;

import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Gives a command {@link SettingOptions}, and its help the table of an arm's settings: what each
 * does, how it is written and what it is by default.
 */
final class SettingTable implements IModelTransformer {

  private static final String SECTION = "settings";
  private static final int KEY_COLUMNS = 28;
  private static final int HELP_COLUMNS = 72;

  private static final ArmSettings WEIR = ArmSettings.DEFAULT;
  private static final ArmSettings STOCK = WEIR.with(ArmSetting.PRESET, Preset.STOCK);

  @Override
  public CommandSpec transform(CommandSpec command) {
    UsageMessageSpec usage = command.usageMessage();
    List<String> sections = new ArrayList<>(usage.sectionKeys());
    sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), SECTION);
    usage.sectionKeys(sections);
    usage.sectionMap().put(SECTION, SettingTable::render);
    return new SettingOptions().transform(command);
  }

  private static String render(Help help) {
    TextTable table = table(help);
    addRows(table, ArmSetting.all().stream().filter(setting -> !setting.isOfTheRun()).toList());
    String ofTheRun =
        ArmSetting.all().stream()
            .filter(Setting::isOfTheRun)
            .map(Setting::key)
            .collect(Collectors.joining(", "));
    table.addRowValues("", "And, as the options above: " + ofTheRun + ".");
    return """

        An arm is 'NAME: setting=value, ...'. What it does not set comes from the options above, then
        from its preset. Settings:
        """
        + table;
  }

  /** The settings alone, each with what it does, as a text for the help of a command. */
  static String render(Help help, List<Setting<?>> settings) {
    TextTable table = table(help);
    addRows(table, settings);
    return "%nAn arm is 'NAME: setting=value, ...'. Settings:%n".formatted() + table;
  }

  private static TextTable table(Help help) {
    return TextTable.forColumns(
        help.colorScheme(),
        new Column(KEY_COLUMNS, 2, Column.Overflow.SPAN),
        new Column(HELP_COLUMNS, 0, Column.Overflow.WRAP));
  }

  private static void addRows(TextTable table, List<Setting<?>> settings) {
    for (Setting<?> setting : settings) {
      table.addRowValues(setting.key() + "=" + setting.syntax(), text(setting));
    }
  }

  private static String text(Setting<?> setting) {
    Optional<String> weir = setting.defaultText(WEIR);
    Optional<String> stock = setting.defaultText(STOCK);
    if (weir.isEmpty() && stock.isEmpty()) {
      return setting.help();
    }
    String text = setting.help() + " Default: " + weir.orElse("Lucene's own");
    return setting.appliesTo(STOCK) && !weir.equals(stock)
        ? text + "; with preset=stock " + stock.orElse("Lucene's own") + "."
        : text + ".";
  }
}
