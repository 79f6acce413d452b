package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Golden scripts: what was decided at which time, and why. What follows the line of dashes in a
 * script is what must come out. After a change that is meant to alter it, run with the environment
 * variable {@code GOAL_REWRITE} set, and read the difference.
 */
class GoalScriptsTest {

  private static final Path FOLDER = Path.of("src/test/resources/io/weir/control/goal");
  private static final String SEPARATOR = "----";

  static List<Path> scripts() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      List<Path> scripts = files.sorted().toList();
      assertTrue(scripts.size() >= 10, "scripts found: " + scripts);
      return scripts;
    }
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void script_played_decidesExactlyWhatIsWrittenDown(Path script) throws IOException {
    List<String> lines = Files.readAllLines(script);
    int separator = lines.indexOf(SEPARATOR);
    List<String> input = separator < 0 ? lines : lines.subList(0, separator);
    String played = GoalScript.play(input);
    if (System.getenv("GOAL_REWRITE") != null) {
      Files.writeString(script, String.join("\n", input) + "\n" + SEPARATOR + "\n" + played);
      return;
    }
    String expected = String.join("\n", lines.subList(separator + 1, lines.size())) + "\n";
    assertEquals(expected, played);
  }
}
