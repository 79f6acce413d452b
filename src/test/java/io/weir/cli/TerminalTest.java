package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command line makes of the terminal and the shell. */
class TerminalTest {

  private static final String COLUMNS = "weir.terminal.columns";

  @AfterEach
  void forgetTheTerminal() {
    System.clearProperty(COLUMNS);
  }

  private static String weir(String... arguments) {
    StringWriter out = new StringWriter();
    assertEquals(
        0,
        Main.execute(
            new PrintWriter(out, true), new PrintWriter(new StringWriter(), true), arguments));
    return out.toString();
  }

  @ParameterizedTest
  @CsvSource({"0, 100", "-1, 100", "40, 60", "80, 80", "118, 118", "300, 120"})
  void help_isAsWideAsTheTerminal_withinBounds(int terminal, int width) {
    System.setProperty(COLUMNS, Integer.toString(terminal));
    String options = weir("stress", "--help=all").split("Examples:")[0]; // these are never broken
    int longest = options.lines().mapToInt(String::length).max().orElseThrow();
    assertTrue(longest <= width && longest > width - 12, longest + " of " + width);
  }

  @Test
  @Slow("starts a shell")
  void completion_isAScriptThatBashTakes_andCompletesTheCommands() throws Exception {
    String script =
        weir("generate-completion")
            + "\nCOMP_WORDS=(weir hi) COMP_CWORD=1\n"
            + "_complete_weir; echo \"${COMPREPLY[@]}\"\n";
    Process bash = new ProcessBuilder(List.of("bash", "-s")).redirectErrorStream(true).start();
    bash.getOutputStream().write(script.getBytes(StandardCharsets.UTF_8));
    bash.getOutputStream().close();
    String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, bash.waitFor(), said);
    assertEquals("history", said.strip());
  }
}
