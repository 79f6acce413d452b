package io.weir.benchmark.whytrials;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.TextTable;
import io.weir.suite.Slow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One real look, and the table of looks that are laid out. */
@Slow("starts an application, and looks at it for seconds")
@EnabledOnOs(OS.LINUX)
class WhyTrialsBenchmarkTest {

  @TempDir Path temp;

  private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

  private TextTable run(String... namesAndValues) throws Exception {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("out", temp.resolve("out").toString());
    for (int i = 0; i < namesAndValues.length; i += 2) {
      options.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return new WhyTrialsBenchmark()
        .run(
            new Conditions(
                true,
                Files.createDirectories(temp.resolve("dir")),
                new PrintStream(progress, true, UTF_8),
                options));
  }

  private void look(String trial, int run, String why) throws IOException {
    Path directory = temp.resolve("out").resolve(trial).resolve("look-" + run);
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("why.json"), why);
  }

  /** Long enough for ten looks on a machine that is busy. */
  @Test
  void run_onAnIllApplication_countsTheAnswerOfTheCommand_andKeepsIt() throws Exception {
    String[] options = {"only", "plain/own/warming", "runs", "1", "for", "20s"};

    List<String> row = run(options).rows().getFirst();

    assertEquals(
        List.of("plain", "own", "warming", "1", "1", "0", "0", ""), row, progress.toString(UTF_8));
    assertTrue(progress.toString(UTF_8).contains("look 1 of 1: warming, RIGHT"), "progress");
    try (Stream<Path> left = Files.walk(temp.resolve("dir"))) {
      assertEquals(0, left.filter(Files::isRegularFile).count(), "files of the index");
    }
    progress.reset();
    assertEquals(row, run(options).rows().getFirst());
    assertEquals("", progress.toString(UTF_8), "a second command finds nothing to do");
  }

  /** A target that cannot be started is none of the looks. */
  @Test
  void run_whoseDiskCannotBeMade_saysSo_andCountsNothing() throws Exception {
    System.setProperty("weir.root", temp.toString());
    try {
      List<String> row = run("only", "plain/volume/warming", "runs", "2").rows().getFirst();

      assertEquals(List.of("plain", "volume", "warming", "0", "0", "0", "0", ""), row);
      assertTrue(progress.toString(UTF_8).contains("2 looks failed; the same"), "progress");
    } finally {
      System.clearProperty("weir.root");
    }
  }

  @Test
  void list_ofLooksThatAreThere_countsRightWrongAndNone() throws Exception {
    String warming = "{\"verdict\": \"cause\", \"rule\": \"warming\"}";
    String heap = "{\"verdict\": \"cause\", \"rule\": \"small-heap\"}";
    look("plain/volume/warming", 1, warming);
    look("plain/volume/warming", 2, heap);
    look("plain/volume/warming", 3, heap);
    look("plain/volume/warming", 4, "{\"verdict\": \"nothing-wrong\"}");
    look("plain/volume/warming", 5, "{\"verdict\": \"no-rule\"}");
    look("plain/volume/warming", 6, "{\"verdict\": \"too-little\"}");
    look("plain/spindle/nothing", 1, "{\"verdict\": \"nothing-wrong\"}");
    look("plain/spindle/nothing", 2, "{\"verdict\": \"no-rule\"}");
    look("plain/spindle/nothing", 3, warming);
    look("plain/spindle/nothing", 4, "{\"verdict\": \"no-lucene\"}");

    TextTable table =
        run("list", "true", "only", "plain/volume/warming,plain/spindle/nothing", "runs", "8");

    assertEquals(
        List.of(
            List.of(
                "plain", "volume", "warming", "6", "1", "3", "2", "nothing-wrong, small-heap x2"),
            List.of("plain", "spindle", "nothing", "4", "1", "2", "1", "no-rule, warming")),
        table.rows());
    assertTrue(table.render().contains("healthy targets: 2 of 4 first answers were wrong"));
    assertFalse(Files.exists(temp.resolve("out/plain/volume/warming/look-7")));
  }

  @Test
  void list_withoutOnly_hasEachCauseOnItsSlowDisks_andOthersOnlyWhenTheyAreNamed()
      throws Exception {
    List<List<String>> all = run("list", "true").rows();

    for (Cause cause : Causes.ALL) {
      assertEquals(
          cause.disks().stream().filter(Cause.Disk::isModel).map(Cause.Disk::label).toList(),
          all.stream()
              .filter(row -> row.get(0).equals(cause.target().label()))
              .filter(row -> row.get(2).equals(cause.name()))
              .map(row -> row.get(1))
              .toList(),
          cause.name());
    }
    assertTrue(all.stream().noneMatch(row -> row.get(1).equals("own")), all.toString());
    assertEquals(1, run("list", "true", "only", "plain/own/nothing").rows().size());
    assertThrows(
        IllegalArgumentException.class, () -> run("list", "true", "only", "plain/nowhere"));
    assertThrows(IllegalArgumentException.class, () -> run("list", "true", "runs", "0"));
  }

  /** Or the cost of a look would not be that of the command. */
  @Test
  void look_startsTheCommandAsItsScriptDoes() throws Exception {
    assertTrue(options("why").containsAll(Look.AS_BIN_WEIR), options("why").toString());
    assertFalse(options("stress").contains("-XX:TieredStopAtLevel=1"));
  }

  /** What the script of the command line gives to Java. */
  private List<String> options(String command) throws Exception {
    Path home = Files.createTempDirectory(temp, "home");
    Files.createDirectories(home.resolve("jdk/bin"));
    Files.createDirectory(home.resolve("lib"));
    Files.createDirectory(home.resolve("bin"));
    Files.copy(Path.of("tools/find-jdk"), home.resolve("lib/find-jdk"));
    Path script = Files.copy(Path.of("src/main/dist/bin/weir"), home.resolve("bin/weir"));
    Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"99\"\n");
    Path java =
        Files.writeString(home.resolve("jdk/bin/java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    assertTrue(java.toFile().setExecutable(true));
    ProcessBuilder builder =
        new ProcessBuilder("sh", script.toString(), command).redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
    Process process = builder.start();
    List<String> options = process.inputReader(UTF_8).lines().toList();
    assertEquals(0, process.waitFor(), options.toString());
    assertTrue(options.contains(command), options.toString());
    return options;
  }
}
