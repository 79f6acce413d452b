package io.weir.cli;

import static io.weir.golden.Golden.assertGolden;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.golden.Golden;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Help, and what is made of a run of each kind that Weir 0.1.0 has left, to the letter. */
class CommandGoldenTest {

  @TempDir Path temp;

  private final Locale format = Locale.getDefault(Locale.Category.FORMAT);

  @BeforeEach
  void formatAsMainDoes() {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
  }

  @AfterEach
  void formatAsBefore() {
    Locale.setDefault(Locale.Category.FORMAT, format);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "stress",
        "sweep",
        "index",
        "load",
        "report",
        "history",
        "history add",
        "history note",
        "history render",
        "history check",
        "history export",
        "why"
      })
  void help_ofACommand_isAsItWas(String command) {
    String name = ("weir " + command).strip().replace(' ', '-');

    assertGolden("help/" + name + ".txt", weir((command + " --help").strip().split(" ")));
    assertGolden("help/all/" + name + ".txt", weir((command + " --help=all").strip().split(" ")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"stress", "sweep", "load", "index"})
  void report_ofARunOfEachKind_isAsItWas(String kind) throws Exception {
    Path run = copyOf(kind);

    assertGolden("reports/" + kind + "/report.txt", weir("report", run.toString()));
    try (Stream<Path> files = Files.list(run)) {
      for (Path file : (Iterable<Path>) files.sorted()::iterator) {
        String name = file.getFileName().toString();
        if (name.endsWith(".html")) {
          assertGolden("reports/" + kind + "/" + name, withoutScripts(Files.readString(file)));
        } else if (name.endsWith(".svg") || name.endsWith(".xml")) {
          assertGolden("reports/" + kind + "/" + name, Files.readString(file));
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"stress", "sweep"})
  void comparison_ofARunWithItself_isAsItWas(String kind) throws Exception {
    Path again = Path.of("target", "golden", kind); // its length is that of a column
    Files.createDirectories(again);
    Files.copy(
        Golden.path("runs/" + kind + "/run.json"),
        again.resolve("run.json"),
        StandardCopyOption.REPLACE_EXISTING);

    assertGolden(
        "reports/" + kind + "/comparison.txt",
        weir("report", Golden.path("runs/" + kind).toString(), again.toString()));
    assertGolden(
        "reports/" + kind + "/comparison.html",
        withoutScripts(Files.readString(again.resolve("comparison.html"))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"stress", "sweep", "load", "index"})
  void history_ofARunOfEachKind_isAsItWas(String kind) throws Exception {
    Path history = temp.resolve("history");
    weir("history", "--history", history.toString(), "add", copyOf(kind).toString());

    try (Stream<Path> files = Files.walk(history)) {
      List<Path> entries = files.filter(Files::isRegularFile).toList();
      assertEquals(1, entries.size(), entries.toString());
      assertGolden(
          "reports/" + kind + "/history.json",
          Files.readString(entries.getFirst()).replace(temp + "/", ""));
    }
  }

  private Path copyOf(String kind) throws IOException {
    Path run = Files.createDirectory(temp.resolve(kind));
    try (Stream<Path> files = Files.list(Golden.path("runs/" + kind))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, run.resolve(file.getFileName()));
      }
    }
    return run;
  }

  private static String weir(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Main.execute(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    assertEquals(ExitCode.DONE, exitCode, out + "\n" + err);
    return out.toString();
  }

  /** What a reader sees before a script runs. */
  private static String withoutScripts(String page) {
    return page.replaceAll("(?s)(<(script|style)\\b[^>]*>).*?(</\\2>)", "$1$3");
  }
}
