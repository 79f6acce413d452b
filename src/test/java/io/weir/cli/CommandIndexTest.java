package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.run.CellFigures;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.stress.QuickRun;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code weir index} and {@code weir history} as a user meets them. */
@Slow("starts the command line, which starts a JVM for each cell")
class CommandIndexTest {

  private static final String SMALL =
      "index --docs synthetic:500 --source-memory 1MB --ram-buffer 1MB --flushes 0 --out run ";

  @TempDir static Path shared;
  @TempDir static Path elsewhere;
  private static WeirProcess.Ended ended;

  @TempDir Path temp;

  /** A run with a cell that fails beside one that is measured. */
  @BeforeAll
  static void run() throws Exception {
    ended =
        WeirProcess.run(
            shared,
            (SMALL
                    + "--threads 2 --duration 2s --mode add --arm stock:preset=stock --arm none:jvm="
                    + WeirProcess.javaThatIsGoneAfterItsVersion(elsewhere))
                .split(" "));
  }

  @Test
  void index_twoArms_leavesAWholeRunAndNothingElse() throws Exception {
    assertEquals(1, ended.exitCode(), ended.toString());
    assertEquals(
        List.of("run/report.html", "run/run.json", "run/series.csv"), WeirProcess.tree(shared));
    Path directory = shared.resolve("run");
    Run run = new RunFiles(directory).read();
    Part cell = run.measured().findFirst().orElseThrow();
    assertEquals("stock, 2 threads, 1MB", cell.name());
    assertEquals(Status.DONE, cell.status());
    assertTrue(cell.require(CellFigures.DOCUMENTS, CellFigures.Window.WHOLE) > 0, cell.toString());
    Part failed = run.failed().findFirst().orElseThrow();
    assertTrue(
        failed.failure().orElseThrow().reason().contains("could not be run"), failed.toString());
    assertTrue(ended.out().contains("none, 2 threads, 1MB, round 1: its JVM"), ended.toString());
    assertTrue(ended.err().contains("cell stock, 2 threads, 1MB (1 of 2): "), ended.toString());
    assertTrue(ended.err().endsWith("report: run/report.html\n"), ended.toString());

    Files.delete(directory.resolve("report.html"));
    WeirProcess.Ended again = InProcess.run("report", directory.toString());
    assertEquals(0, again.exitCode(), again.toString());
    assertEquals(ended.out(), again.out());
    assertTrue(Files.size(directory.resolve("report.html")) > 10_000);

    WeirProcess.Ended refused = history("add", directory.toString());
    assertEquals(2, refused.exitCode(), refused.toString());
    assertTrue(refused.err().contains("none, 2 threads, 1MB failed"), refused.toString());
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void index_interrupted_leavesAPartialReport() throws Exception {
    try (WeirProcess weir =
        WeirProcess.start(temp, (SMALL + "--threads 1,2 --duration 1h").split(" "))) {
      weir.awaitProgress("(1 of 2): indexing");
      weir.signal("INT");
      WeirProcess.Ended ended = weir.await();

      assertEquals(130, ended.exitCode(), ended.toString());
      assertEquals(
          List.of("run/report.html", "run/run.json", "run/series.csv"), WeirProcess.tree(temp));
      Run run = new RunFiles(temp.resolve("run")).read();
      assertTrue(run.interrupted());
      assertEquals(List.of(Status.INTERRUPTED), run.parts().stream().map(Part::status).toList());
    }
  }

  @Test
  void index_dryRun_writesNothing() throws Exception {
    String small = SMALL.replace("--out run", "--out " + temp.resolve("run"));
    WeirProcess.Ended ended = InProcess.run((small + "--threads 1,2 --dry-run").split(" "));

    assertEquals(0, ended.exitCode(), ended.toString());
    assertTrue(ended.out().contains("1 round of 2 cells"), ended.toString());
    assertTrue(ended.out().contains("stock, 2 threads, 1MB"), ended.toString());
    assertEquals(List.of(), WeirProcess.tree(temp));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "index --arm a:merge=none | --arm has no setting 'merge' in 'a:merge=none'",
        "index --ram-buffer much | ram-buffer must be a size such as 64MB or 1GB: much",
        "history --history TEMP/none note tomorrow x | DATE must be a date such as 2026-11-22: tomorrow",
        "history --history TEMP/none add --date 2026-11-22 a b | --date must have exactly 1 RUN: 2",
        "history --history TEMP/none render | --history must hold runs, which weir history add puts there:",
        "history --history TEMP/none render --false-alarms 0.0001 | false-alarms must be a share of at least 0.0002",
      })
  void command_thatIsWrong_isRefusedInOneLine(String arguments, String message) throws Exception {
    String[] words = arguments.replace("TEMP", temp.toString()).split(" ");
    assertRefused(message, InProcess.run(words));

    assertEquals(List.of(), WeirProcess.tree(temp));
  }

  @Test
  void history_noteAndRender_ofARunThatIsThere() throws Exception {
    QuickRun run = new QuickRun();
    run.kind = Run.Kind.INDEX;
    run.command = List.of("index");
    run.startedAt = Instant.parse("2026-11-01T00:00:00Z");
    Part cell =
        Part.of(
            Part.Kind.CELL,
            "stock, 1 thread, 64MB",
            1,
            Status.DONE,
            Map.of(),
            Values.builder()
                .put(CellFigures.VERDICT, CellFigures.Verdict.STEADY)
                .put(CellFigures.RATE, CellFigures.Window.STEADY, 7.0)
                .build());
    new RunFiles(temp.resolve("run")).write(run.result(List.of(cell)));

    assertEquals( // where a process without that option keeps its history
        "weir-history/runs/index/2026-11-01T000000Z.json\n",
        WeirProcess.run(temp, "history", "add", "run").out());
    WeirProcess.Ended noted = history("note", "2026-11-01", "Lucene-10.6");
    assertEquals(0, noted.exitCode(), noted.toString());
    Path written = temp.resolve("page.html");
    WeirProcess.Ended rendered = history("render", "--out", written.toString());

    assertEquals(0, rendered.exitCode(), rendered.toString());
    assertTrue(rendered.out().contains("\nOne run, with these figures. "), rendered.toString());
    String page = Files.readString(written);
    assertTrue(page.contains("cells[stock, 1 thread, 64MB].steady.figures.gigabytesPerHour"));
    assertTrue(page.contains("Lucene-10.6"), "the note");
  }

  /** Adding documents and replacing them are two kinds of work. */
  @Test
  void history_ofARunWithAnotherMode_isRefused() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    JsonNode run = mapper.readTree(shared.resolve("run/run.json").toFile());
    ((ArrayNode) run.get("parts")).remove(1); // the one that failed
    Path first = Files.createDirectory(temp.resolve("first")).resolve("run.json");
    Path second = Files.createDirectory(temp.resolve("second")).resolve("run.json");
    mapper.writeValue(first.toFile(), run);
    assertEquals(List.of("add"), run.findValuesAsText("mode").stream().distinct().toList());
    run.findParents("mode").forEach(parent -> ((ObjectNode) parent).put("mode", "update"));
    mapper.writeValue(second.toFile(), run);
    assertEquals(0, history("add", first.getParent().toString()).exitCode());

    WeirProcess.Ended refused = history("add", second.getParent().toString());

    assertEquals(2, refused.exitCode(), refused.toString());
    assertTrue(refused.err().contains("mode: update, not add"), refused.toString());
  }

  @Test
  void history_ofFilesThatAreWrong_isRefusedInOneLine() throws Exception {
    Path file = Files.createFile(temp.resolve("file"));
    Path notes = Files.createDirectories(temp.resolve("weir-history/notes"));
    Path note = Files.writeString(notes.resolve("2026-11-22-x.json"), "<<<<<<< ours");

    assertRefused("a run is a directory, this is a file: " + file, history("add", file.toString()));
    assertRefused(note + " is not a file of a history: ", history("render"));
    assertRefused(
        file.resolve("notes") + ": Not a directory",
        InProcess.run("history", "note", "--history", file.toString(), "2026-11-22", "x"));
  }

  private static void assertRefused(String message, WeirProcess.Ended ended) {
    assertEquals(2, ended.exitCode(), ended.toString());
    assertTrue(ended.err().startsWith("weir: " + message), ended.toString());
    assertFalse(ended.err().contains("bug in Weir"), ended.toString());
  }

  private WeirProcess.Ended history(String... arguments) {
    List<String> all =
        new ArrayList<>(List.of("history", "--history", temp.resolve("weir-history").toString()));
    all.addAll(List.of(arguments));
    return InProcess.run(all.toArray(String[]::new));
  }
}
