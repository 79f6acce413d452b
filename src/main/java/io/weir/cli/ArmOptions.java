package io.weir.cli;

import io.weir.indexing.plan.IndexingSettings;
import io.weir.load.plan.LoadPlan;
import io.weir.option.NearestName;
import io.weir.stress.plan.Arm;
import io.weir.stress.setting.ArmKind;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.Setting;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.TextTable;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The arms of one command as people write them. {@code --arm} is {@code NAME: key=value,
 * key=value}, or only {@code key=value, ...}, which is its own name; each setting that all arms of
 * a run can share is an option as well, {@code --merge} for {@code merge}; and the help has a table
 * of what each setting does, how it is written and what it is by default.
 */
abstract class ArmOptions implements IModelTransformer {

  /** Those of {@code weir stress}; its help has the table for all commands. */
  static final class OfStress extends ArmOptions {

    /** Found by picocli. */
    OfStress() {
      super("stress", ArmSetting.all(), ArmKind.STRESS, ArmSettings.DEFAULT);
    }

    @Override
    public CommandSpec transform(CommandSpec command) {
      command.usageMessage().sectionMap().put(CommandHelp.SETTINGS, OfStress::table);
      return super.transform(command);
    }

    private static String table(Help help) {
      TextTable table =
          rows(help, ArmSetting.all().stream().filter(setting -> !setting.isOfTheRun()).toList());
      String ofTheRun =
          ArmSetting.all().stream()
              .filter(Setting::isOfTheRun)
              .map(Setting::key)
              .collect(Collectors.joining(", "));
      table.addRowValues("", "And, as the options above: " + ofTheRun + ".");
      TextTable before = TextTable.forColumnWidths(help.colorScheme(), Terminal.columns());
      before.indentWrappedLines = 0;
      before.addRowValues(
          "An arm is 'NAME: setting=value, ...'. What it does not set comes from the options above, then"
              + " from its preset. Settings:");
      return CommandHelp.shown("\n" + before + table);
    }
  }

  /** Those of {@code weir sweep}. */
  static final class OfSweep extends ArmOptions {

    /** Found by picocli. */
    OfSweep() {
      super("stress", ArmSetting.all(), ArmKind.STRESS, ArmSettings.DEFAULT);
    }
  }

  /** Those of {@code weir load}, which has a default of its own for the merge. */
  static final class OfLoad extends ArmOptions {

    /** Found by picocli. */
    OfLoad() {
      super("stress", ArmSetting.all(), ArmKind.LOAD, LoadPlan.ARM_DEFAULTS);
    }
  }

  /** Those of {@code weir index}, which are none of the run. */
  static final class OfIndex extends ArmOptions {

    private static final List<Setting<?>> KNOWN = ArmSetting.all(ArmKind.INDEX);

    /** Found by picocli. */
    OfIndex() {
      super("index", KNOWN, ArmKind.INDEX, IndexingSettings.DEFAULT);
    }

    @Override
    public CommandSpec transform(CommandSpec command) {
      command
          .usageMessage()
          .sectionMap()
          .put(
              CommandHelp.SETTINGS,
              help ->
                  CommandHelp.shown(
                      "%nAn arm is 'NAME: setting=value, ...'. Settings:%n".formatted()
                          + rows(help, KNOWN)));
      return command;
    }
  }

  /**
   * A comma inside a value (jvm-args) does not part settings: only one before the next key does.
   */
  private static final String BETWEEN_SETTINGS = "\\s*,\\s*(?=[a-z-]+=)";

  private static final int KEY_COLUMNS = 28;

  private static final ArmSettings WEIR = ArmSettings.DEFAULT;
  private static final ArmSettings STOCK = WEIR.with(ArmSetting.PRESET, Preset.STOCK);

  private final String explainedBy;
  private final List<Setting<?>> known;
  private final List<Setting<?>> shared;
  private final ArmSettings defaults;

  /**
   * Those of a command.
   *
   * @param explainedBy the command whose help has the table of settings
   * @param known the settings that an arm may name
   * @param kind of its arms, which says what all of them can share
   * @param defaults what an arm does that does not say otherwise
   */
  private ArmOptions(
      String explainedBy, List<Setting<?>> known, ArmKind kind, ArmSettings defaults) {
    this.explainedBy = explainedBy;
    this.known = known;
    this.shared = ArmSetting.all(kind).stream().filter(Setting::isOfTheRun).toList();
    this.defaults = defaults;
  }

  @Override
  public CommandSpec transform(CommandSpec command) {
    ArgGroupSpec.Builder group =
        ArgGroupSpec.builder()
            .exclusive(false)
            .multiplicity("0..1")
            .heading("%nThe load and its phases, for every arm that does not set them itself:%n");
    shared.forEach(setting -> group.addArg(option(setting)));
    return command.addArgGroup(group.build());
  }

  /** What every arm of a command does that does not say otherwise. */
  final ArmSettings ofTheRun(ParseResult command) {
    ArmSettings settings = defaults;
    for (Setting<?> setting : shared) {
      if (command.hasMatchedOption(name(setting))) {
        settings = settings.withText(setting, command.matchedOptionValue(name(setting), ""));
      }
    }
    return settings;
  }

  /**
   * What some texts stand for.
   *
   * @param ofTheRun what each does where it does not set it
   * @param made of its name and its settings
   * @throws IllegalArgumentException when one cannot be read or run, with a message for the user
   */
  final <A> List<A> parse(
      List<String> texts, ArmSettings ofTheRun, BiFunction<String, ArmSettings, A> made) {
    return texts.stream().map(text -> parse(text, ofTheRun, made)).toList();
  }

  /** The arm that a text stands for. */
  final Arm parse(String text, ArmSettings ofTheRun) {
    return parse(text, ofTheRun, Arm::new);
  }

  private <A> A parse(String text, ArmSettings ofTheRun, BiFunction<String, ArmSettings, A> made) {
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
    return made.apply(name.trim(), settings);
  }

  private Setting<?> setting(String key, String arm) {
    return ArmSetting.find(key)
        .filter(known::contains)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "--arm has no setting '%s' in '%s'%s (weir %s --help=all lists all)"
                        .formatted(
                            key,
                            arm,
                            NearestName.to(key, known.stream().map(Setting::key).toList())
                                .map(": did you mean %s?"::formatted)
                                .orElse(""),
                            explainedBy)));
  }

  private OptionSpec option(Setting<?> setting) {
    String byDefault =
        Optional.ofNullable(defaults.describe().get(setting.key()))
            .or(() -> setting.defaultText(defaults)) // of one that has no effect on a default arm
            .orElse("none");
    return OptionSpec.builder(name(setting))
        .paramLabel(setting.syntax())
        .type(String.class)
        .description("%s Default: %s.".formatted(setting.help(), byDefault).replace("%", "%%"))
        .build();
  }

  private static String name(Setting<?> setting) {
    return "--" + setting.key();
  }

  private static TextTable rows(Help help, List<Setting<?>> settings) {
    TextTable table =
        TextTable.forColumns(
            help.colorScheme(),
            new Column(KEY_COLUMNS, 2, Column.Overflow.SPAN),
            new Column(Terminal.columns() - KEY_COLUMNS, 0, Column.Overflow.WRAP));
    for (Setting<?> setting : settings) {
      table.addRowValues(
          setting.key() + "=" + setting.syntax(), CommandHelp.unbreakable(text(setting)));
    }
    return table;
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
