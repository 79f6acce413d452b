package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What {@code --help} and {@code --help=all} say of every command. */
class CommandHelpTest {

  private static final int LINES_OF_A_TERMINAL = 24;
  private static final String COLUMNS = "weir.terminal.columns";

  @TempDir Path temp;

  @AfterEach
  void forgetTheTerminal() {
    System.clearProperty(COLUMNS);
  }

  /** The words of every command, from the model that the parser uses. */
  static Stream<List<String>> commands() {
    List<List<String>> commands = new ArrayList<>();
    add(commands, new CommandLine(Main.class), List.of());
    return commands.stream();
  }

  private static void add(List<List<String>> commands, CommandLine command, List<String> words) {
    commands.add(words);
    command
        .getSubcommands()
        .forEach(
            (name, below) -> {
              List<String> longer = new ArrayList<>(words);
              longer.add(name);
              if (!List.of("help", "generate-completion").contains(name)) {
                add(commands, below, longer);
              }
            });
  }

  private static String help(List<String> command, String option) {
    List<String> arguments = new ArrayList<>(command);
    arguments.add(option);
    WeirProcess.Ended ended = InProcess.run(arguments.toArray(String[]::new));
    assertEquals(0, ended.exitCode(), ended.toString());
    assertEquals("", ended.err());
    return ended.out();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void help_ofEachCommand_isOneScreenWithTwoExamplesAndTheWayToAll(List<String> command) {
    System.setProperty(COLUMNS, "80");
    String name = ("weir " + String.join(" ", command)).strip();
    String said = help(command, "--help");

    assertTrue(said.lines().count() <= LINES_OF_A_TERMINAL, said.lines().count() + "\n" + said);
    assertTrue(said.startsWith("Usage: " + name), said);
    assertEquals(2, Pattern.compile("(?m)^ {2}weir ").matcher(said).results().count(), said);
    assertTrue(said.contains("\n" + name + " --help=all shows every option and example.\n"), said);
    assertTrue(Pattern.compile("(?m)^ {6}--").matcher(said).results().count() <= 5, said);
  }

  @ParameterizedTest
  @MethodSource("commands")
  void helpAll_ofEachCommand_hasEveryOption(List<String> command) {
    String said = help(command, "--help=all");
    CommandLine model = new CommandLine(Main.class);
    for (String word : command) {
      model = model.getSubcommands().get(word);
    }

    model
        .getCommandSpec()
        .options()
        .forEach(option -> assertTrue(said.contains(option.longestName()), option.longestName()));
    assertTrue(said.contains("Examples:"), said);
    assertFalse(said.contains("shows every option"), said);
  }

  /** Who has only the zip finds no {@code tools} and no {@code target} there. */
  @ParameterizedTest
  @MethodSource("commands")
  void help_ofEachCommand_namesNothingOfAClone(List<String> command) {
    String said = help(command, "--help") + help(command, "--help=all");

    assertFalse(Pattern.compile("tools/|target/|docs/|src/main|mvn").matcher(said).find(), said);
  }

  /** Who copies an address wants all of it. */
  @ParameterizedTest
  @MethodSource("commands")
  void help_ofEachCommand_breaksNoAddressAndNoFileName(List<String> command) {
    for (String columns : List.of("60", "72", "80", "100", "120")) {
      System.setProperty(COLUMNS, columns);
      String said = help(command, "--help") + help(command, "--help=all");

      assertFalse(
          Pattern.compile(
                  "(?m)http:$|^ +//|^ +/_search|http://NAME:$|\\w+\\.\\n +(txt|zst|html)\\b")
              .matcher(said)
              .find(),
          said);
      assertTrue(said.chars().allMatch(letter -> letter < 0x100), said);
    }
  }

  @Test
  void help_beforeARun_isNotTakenForIt() {
    assertEquals(help(List.of("report"), "--help"), help(List.of("report", "-h"), "a-run"));
  }

  @Test
  @Slow("starts the command line")
  void help_all_isMoreThanHelp() throws Exception {
    WeirProcess.Ended brief = WeirProcess.run(temp, "stress", "--help");
    WeirProcess.Ended all = WeirProcess.run(temp, "stress", "--help=all");

    assertTrue(brief.out().lines().count() <= LINES_OF_A_TERMINAL, brief.toString());
    assertTrue(all.out().lines().count() > 100, all.toString());
    assertTrue(all.out().contains("--metrics-port"), all.toString());
  }
}
