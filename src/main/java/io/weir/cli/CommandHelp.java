package io.weir.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/**
 * What {@code --help} says of each command: one screen, with the options that matter most and two
 * examples. {@code --help=all} says everything.
 */
final class CommandHelp implements IModelTransformer {

  /** The heading of the examples in a footer; each begins with two spaces. */
  static final String EXAMPLES = "Examples:";

  /** A section of everything, between the options and the footer: the settings of arms. */
  static final String SETTINGS = "settings";

  /** Of commands with more options than one reads; the others show all of theirs. */
  private static final Map<String, List<String>> MATTER_MOST =
      Map.of(
          "weir stress", List.of("--docs", "--index", "--arm", "--rounds", "--slo"),
          "weir sweep", List.of("--slo", "--docs", "--index", "--arm", "--rounds"),
          "weir index", List.of("--docs", "--threads", "--ram-buffer", "--arm", "--rounds"),
          "weir load", List.of("--index", "--queries", "--limit", "--arm", "--target"));

  private static final String ALL = "all";
  private static final int EXAMPLES_SHOWN = 2;
  private static final int COMMAND_COLUMNS = 11;

  /** Where a sentence can end in a list of one line each. */
  private static final Pattern MORE_THAN_A_LINE = Pattern.compile("[,:] .*|\\.$");

  /** After these a line is broken although no space follows. */
  private static final String MARKS = ".:/";

  private static final Pattern BREAKABLE = Pattern.compile("[.:/](?=\\S)");

  /** What stands for each of them while lines are broken; no text here has such letters. */
  private static final String LETTERS = "\u0370\u0372\u0376";

  private static final List<String> OF_EVERY_COMMAND = List.of("--help", "--version");

  private static final List<String> EVERYTHING = everything();
  private static final List<String> ONE_SCREEN =
      List.of(
          UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING,
          UsageMessageSpec.SECTION_KEY_SYNOPSIS,
          "what",
          UsageMessageSpec.SECTION_KEY_PARAMETER_LIST,
          "options",
          "commands",
          "examples",
          "more");

  /** Found by picocli. */
  CommandHelp() {}

  /** The command and all below it get their options of help and version, and their one screen. */
  @Override
  public CommandSpec transform(CommandSpec command) {
    if (command.findOption("--help") != null) {
      // Picocli's own. The documents name that for completion; among the others it would be wide.
      command.usageMessage().hidden(command.name().equals("generate-completion"));
      return command;
    }
    command.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .type(Boolean.class) // whether everything is asked for
            .arity("0..1")
            .parameterConsumer(new OnlyAll())
            .completionCandidates(List.of(ALL))
            .paramLabel(ALL)
            .description("Show the options that matter most, or, with --help=all, everything.")
            .build());
    command.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Print version information and exit.")
            .build());
    command.versionProvider(new WeirVersion());
    UsageMessageSpec usage = command.usageMessage();
    usage.sectionKeys(ONE_SCREEN);
    usage
        .sectionMap()
        .putAll(
            Map.of(
                "what",
                help -> wrapped(help, firstSentence(usage.description()[0])) + "\n",
                "options",
                CommandHelp::options,
                "commands",
                CommandHelp::commands,
                "examples",
                CommandHelp::examples,
                "more",
                CommandHelp::more,
                UsageMessageSpec.SECTION_KEY_FOOTER,
                CommandHelp::footer));
    usage.sectionMap().replaceAll((key, section) -> help -> shown(section.render(help)));
    command.subcommands().values().forEach(below -> transform(below.getCommandSpec()));
    return command;
  }

  /** Lets a command say everything if its help was asked for in this way. */
  static void obey(ParseResult parsed) {
    for (CommandLine command : parsed.asCommandLineList()) {
      OptionSpec help = command.getCommandSpec().findOption("--help");
      if (help != null && Boolean.TRUE.equals(help.getValue())) {
        command.getCommandSpec().usageMessage().sectionKeys(EVERYTHING);
      }
    }
  }

  /**
   * Breaks no address and no name of a file: who copies one wants all of it. {@link #shown} puts
   * back what it replaces.
   */
  static final class Unbroken extends Help {

    /** As picocli's own help. */
    Unbroken(CommandSpec command, ColorScheme colours) {
      super(command, colours);
      UsageMessageSpec usage = command.usageMessage();
      usage.description(
          Arrays.stream(usage.description()).map(CommandHelp::unbreakable).toArray(String[]::new));
    }

    @Override
    public IOptionRenderer createDefaultOptionRenderer() {
      IOptionRenderer form = super.createDefaultOptionRenderer();
      return (option, labels, colours) ->
          form.render(
              described(option, Arrays.stream(option.description()).map(CommandHelp::unbreakable)),
              labels,
              colours);
    }
  }

  private static OptionSpec described(OptionSpec option, Stream<String> description) {
    return OptionSpec.builder(option)
        .description(description.map(text -> text.replace("%", "%%")).toArray(String[]::new))
        .build();
  }

  /** The text with letters where it would be broken though there is no space. */
  static String unbreakable(String text) {
    return BREAKABLE
        .matcher(text)
        .replaceAll(mark -> String.valueOf(LETTERS.charAt(MARKS.indexOf(mark.group()))));
  }

  /** The text as it is meant, after its lines were broken. */
  static String shown(String rendered) {
    String shown = rendered;
    for (int i = 0; i < MARKS.length(); i++) {
      shown = shown.replace(LETTERS.charAt(i), MARKS.charAt(i));
    }
    return shown;
  }

  private static List<String> everything() {
    List<String> sections = new ArrayList<>(new UsageMessageSpec().sectionKeys());
    sections.add(sections.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), SETTINGS);
    return List.copyOf(sections);
  }

  private static String options(Help help) {
    CommandSpec command = help.commandSpec();
    List<String> names =
        MATTER_MOST.getOrDefault(
            command.qualifiedName(),
            command.options().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !OF_EVERY_COMMAND.contains(name))
                .toList());
    List<OptionSpec> options =
        names.stream()
            .map(command::findOption)
            .map(option -> described(option, Stream.of(firstSentence(option.description()[0]))))
            .toList();
    Help.Layout layout = help.createDefaultLayout(options, List.of(), help.colorScheme());
    layout.addOptions(options, help.createDefaultParamLabelRenderer());
    return options.isEmpty() ? "" : layout.toString();
  }

  private static String commands(Help help) {
    if (help.subcommands().isEmpty()) {
      return "";
    }
    StringBuilder list = new StringBuilder(options(help).isEmpty() ? "" : "\n");
    help.subcommands()
        .forEach(
            (name, below) -> {
              UsageMessageSpec usage = below.commandSpec().usageMessage();
              String what = (usage.header().length > 0 ? usage.header() : usage.description())[0];
              boolean fits = what.length() < Terminal.columns() - COMMAND_COLUMNS;
              String line = fits ? what : MORE_THAN_A_LINE.split(what)[0] + ".";
              list.append("  %-9s%s%n".formatted(name, line));
            });
    return list.toString();
  }

  private static String examples(Help help) {
    List<String> footer = List.of(help.commandSpec().usageMessage().footer());
    String start = "  " + help.commandSpec().root().name() + " ";
    int shown = 0;
    StringBuilder examples = new StringBuilder();
    for (String line : footer.subList(footer.indexOf(EXAMPLES) + 1, footer.size())) {
      shown += line.startsWith(start) ? 1 : 0;
      if (line.isBlank() || shown > EXAMPLES_SHOWN) {
        break;
      }
      examples.append(line).append('\n');
    }
    return examples.isEmpty() ? "" : "\n" + EXAMPLES + "\n" + examples;
  }

  /** Who copies an example wants it on its line. */
  private static String footer(Help help) {
    StringBuilder footer = new StringBuilder();
    boolean example = false;
    for (String line : help.commandSpec().usageMessage().footer()) {
      example = line.equals(EXAMPLES) || example && !line.isEmpty();
      footer.append(example || line.isEmpty() ? line + "\n" : wrapped(help, line));
    }
    return footer.toString();
  }

  private static String more(Help help) {
    String name = help.commandSpec().qualifiedName();
    return "\n%s --help=all shows every option and example.%n".formatted(name)
        + (help.subcommands().isEmpty()
            ? ""
            : "%s COMMAND --help shows one of a command.%n".formatted(name));
  }

  /** What stands before the first full stop that ends a sentence. */
  private static String firstSentence(String text) {
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }

  private static String wrapped(Help help, String text) {
    Help.TextTable table =
        Help.TextTable.forColumnWidths(
            help.colorScheme(), help.commandSpec().usageMessage().width());
    table.indentWrappedLines = 0;
    table.addRowValues(text);
    return table.toString();
  }

  /** {@code --help} takes no other word after it, which may be a run. */
  private static final class OnlyAll implements IParameterConsumer {

    @Override
    public void consumeParameters(Stack<String> left, ArgSpec option, CommandSpec command) {
      boolean all = !left.isEmpty() && left.peek().equals(ALL);
      if (all) {
        left.pop();
      }
      option.setValue(all);
    }
  }
}
