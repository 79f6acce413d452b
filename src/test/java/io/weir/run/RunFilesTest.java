package io.weir.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.golden.Golden;
import io.weir.stress.QuickMerge;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunFilesTest {
  @TempDir Path directory;

  record Machine(String kernel, Optional<Long> memoryBytes) {}

  @Test
  void read_afterWrite_equalsWhatWasWritten() throws IOException {
    RunFiles files = new RunFiles(directory.resolve("not/there/yet"));
    files.write(run());
    assertEquals(run(), files.read());
    try (var left = Files.list(files.directory())) {
      assertEquals(List.of(files.runJson()), left.toList(), "no temporary file is left");
    }
  }

  @Test
  void write_absentValues_leavesThemOutAndWritesInstantsAsText() throws IOException {
    RunFiles files = new RunFiles(directory);
    files.write(run());
    String text = Files.readString(files.runJson());
    assertTrue(text.contains("\"startedAt\" : \"2026-11-20T10:00:00Z\""), text);
    assertTrue(text.contains("\"status\" : \"failed\""), text);
    assertFalse(text.contains("null"), text);
    assertFalse(text.contains("memoryBytes"), text);
    assertTrue(text.indexOf("\"docs\"") < text.indexOf("\"updates-per-second\""), text);
  }

  /** Each ended in a stack trace, or in a message that named no file. */
  @Test
  void read_ofADamagedFile_namesItAndSaysWhy() throws IOException {
    RunFiles files = new RunFiles(directory);
    files.write(run());
    String sound = Files.readString(files.runJson());
    Files.writeString(files.runJson(), sound.replaceFirst("\"parts\" : \\[", "\"parts\" : [null,"));
    assertUnreadable(files, "run.json cannot be read as a run: Invalid `null` value");
    Files.writeString(
        files.runJson(), sound.replaceFirst("\"weir\" : \"[^\"]*\"", "\"weir\" : null"));
    assertUnreadable(files, "run.json cannot be read as a run: Null value for creator property");
    Files.write(files.runJson(), new byte[] {'{', (byte) 0xFF, '}'});
    assertUnreadable(files, "run.json cannot be read: it is not UTF-8 text");
    Files.delete(files.runJson());
    Files.createDirectory(files.runJson());
    assertUnreadable(files, "run.json cannot be read: Is a directory");
  }

  private static void assertUnreadable(RunFiles files, String why) {
    String message = assertThrows(IOException.class, files::read).getMessage();
    assertTrue(message.contains(why), message);
    assertFalse(message.contains("DeserializationFeature"), message);
  }

  @Test
  void write_aDeadline_isAsTheSchemaSays() throws IOException {
    RunFiles files = new RunFiles(directory);
    files.write(run());

    JsonNode values = new ObjectMapper().readTree(files.runJson().toFile()).at("/parts/0/values");
    assertEquals(30.0, values.get("merge.deadline.seconds").asDouble());
    assertEquals(-1.25, values.get("merge.deadline.spareSeconds").asDouble());
    assertEquals(20.0, values.get("merge.deadline.afterThird.offPercent").asDouble());
    assertEquals(List.of(), RunSchema.errors(Files.readString(files.runJson())));
  }

  @Test
  void read_unknownProperties_ignoresThem() throws IOException {
    RunFiles files = new RunFiles(directory);
    files.write(run());
    String text = Files.readString(files.runJson());
    Files.writeString(
        files.runJson(),
        text.replaceFirst("\\{", "{\"tomorrow\": {\"x\": 1},")
            .replace("\"round\" :", "\"colour\" : \"blue\", \"round\" :")
            .replace("\"values\" : {\n", "\"values\" : { \"figure.of.tomorrow\" : 1,\n"));
    assertEquals(run(), files.read());
  }

  @Test
  void read_aMissingComponent_isRefusedByItsName() throws IOException {
    RunFiles files = new RunFiles(directory);
    Files.writeString(
        files.runJson(), "{\"schemaVersion\": 2, \"kind\": \"load\", \"weir\": \"9\"}");
    String message = assertThrows(IOException.class, files::read).getMessage();
    assertTrue(message.contains("'lucene'"), message);
  }

  @Test
  void read_anotherSchema_isRefusedNamingBothVersions() throws IOException {
    RunFiles files = new RunFiles(directory);
    Files.writeString(files.runJson(), "{\"schemaVersion\": 7, \"arms\": \"another form\"}");
    String message = assertThrows(IOException.class, files::read).getMessage();
    assertTrue(
        message.endsWith("another version of Weir: schemaVersion must be 1 or 2: 7"), message);
  }

  @Test
  void read_noRun_saysSoInOneLine() throws IOException {
    RunFiles files = new RunFiles(directory);
    String missing = assertThrows(IOException.class, files::read).getMessage();
    assertTrue(missing.startsWith("not a run directory, it has no run.json: "), missing);
    Files.writeString(files.runJson(), "{}");
    String other = assertThrows(IOException.class, files::read).getMessage();
    assertTrue(other.startsWith("not the run.json of a Weir run, no schemaVersion: "), other);
    Files.writeString(files.runJson(), "{\"schemaVersion\": 1, ");
    String torn = assertThrows(IOException.class, files::read).getMessage();
    assertTrue(torn.contains("run.json cannot be read as a run: "), torn);
    Files.writeString(files.runJson(), "{\"schemaVersion\": 1, \"startedAt\": \"noon\"}");
    String noon = assertThrows(IOException.class, files::read).getMessage();
    assertTrue(noon.contains("run.json cannot be read as a run: "), noon);
  }

  @Test
  void histogramLogs_namesThatAreNoFileNames_stayInTheDirectoryAndApart() {
    RunFiles files = new RunFiles(directory);
    Path slash = files.searchesHistogramLog("cap=10MB/s", 2);
    assertEquals(directory, slash.getParent());
    assertEquals("searches-cap-10MB-s-2.hlog", slash.getFileName().toString());
  }

  @ParameterizedTest
  @CsvSource({
    "stock, stock",
    "cap=10MB/s, cap-10MB-s",
    "weir 6.3MB/s, weir-6.3MB-s",
    "in RAM, in-RAM",
    "'jvm-args=-XX:+UseZGC, cap=off', jvm-args-XX-UseZGC-cap-off",
    "'../..', ..-..",
    "'(a)', a",
    "\u00e9t\u00e9, t-44d16cd4",
    "\u4f60\u597d, 50a2b841",
    "\u4f60, d617d273",
    "---, aa210a3b"
  })
  void stem_ofAName_isReadable(String arm, String stem) {
    assertEquals(stem, RunFiles.stem(arm));
  }

  private static Run run() {
    LatencySummary latency = new LatencySummary(3, 1.5, 1, 2, 3, 4);
    QuickResult arm = new QuickResult();
    arm.status = Status.INTERRUPTED;
    arm.settings = Map.of("cap", "10MB/s");
    arm.values
        .put(
            QuickMerge.of(300_000_000)
                .put(MergeFigures.DEADLINE, 30.0)
                .put(MergeFigures.DEADLINE_SPARE, -1.25)
                .put(MergeFigures.DEADLINE_PREDICTED, 24.0)
                .put(MergeFigures.DEADLINE_ACTUAL, 20.0)
                .put(MergeFigures.DEADLINE_OFF, 20.0)
                .build())
        .put(ArmFigures.PHASE_SECONDS, Phase.BEFORE, 10.0)
        .put(ArmFigures.PHASE_SECONDS, Phase.DURING, 31.25)
        .put(ArmFigures.REOPEN, Phase.DURING, latency)
        .put(ArmFigures.SEARCH.asked(), Phase.BEFORE, 5.0)
        .put(ArmFigures.SEARCH.latency(), Phase.BEFORE, latency)
        .put(ArmFigures.SEARCHES, 100L)
        .put(ArmFigures.DIRTY_PEAK, 210_000_000L)
        .put(ArmFigures.GC_COLLECTORS, "Copy, MarkSweepCompact")
        .put(ArmFigures.WARM_UP_STEADY, false)
        .put(
            ArmFigures.NOISE_HOST,
            Phase.BEFORE,
            new HostNoise(1, Optional.of(0.5), Optional.empty(), Optional.of(7L)))
        .put(
            ArmFigures.SLOW_CAUSES,
            Phase.DURING,
            new SlowCauses(List.of(new SlowCauses.Cause("cpu", "computing", 1, 1, 1))));
    arm.warnings = List.of(new RunWarning("w", "c", "r"));
    Part failed =
        Part.failed(
            Part.Kind.ARM,
            "cap=10MB/s",
            2,
            Map.of("cap", "10MB/s"),
            Values.NONE,
            new Failure("its JVM ended", Optional.of(3), List.of("last line")));
    QuickRun run = new QuickRun();
    run.command = List.of("stress", "--arm", "cap=10MB/s: cap=10MB/s");
    run.startedAt = Instant.parse("2026-11-20T10:00:00Z");
    run.finishedAt = Instant.parse("2026-11-20T10:02:30Z");
    run.environment = RunJson.tree(new Machine("6.1.0", Optional.empty()));
    run.workload = Map.of("updates-per-second", "50", "docs", "synthetic");
    return run.queries("mixed", 2000, "0123abcd".repeat(8))
        .result(List.of(arm.result("cap=10MB/s", 1), failed));
  }

  /** Of each kind, the figures that a user of 0.1.0 saw are there, and so is what it ran with. */
  @ParameterizedTest
  @CsvSource({
    "stress, STRESS, 6, arm, 0",
    "sweep, SWEEP, 8, arm, 0",
    "load, LOAD, 1, arm, 2",
    "index, INDEX, 2, cell, 0"
  })
  void read_aRunOfTheFirstForm_isTheSameRun(
      String name, Run.Kind kind, int parts, String part, int steps) throws IOException {
    Run run = new RunFiles(Golden.path("runs/" + name)).read();

    assertEquals(kind, run.kind());
    assertEquals(Run.SCHEMA_VERSION, run.schemaVersion());
    assertEquals(parts, run.parts().size());
    Part first = run.parts().getFirst();
    assertEquals(Part.Kind.valueOf(part.toUpperCase(Locale.ROOT)), first.kind());
    assertEquals(steps, first.parts().size());
    assertEquals("0.1.0", run.weir());
    assertTrue(first.settings().containsKey("preset"), first.settings().toString());
    assertTrue(run.values().get(HeaderFigures.NOISE_BEFORE).isPresent());
    assertEquals(kind == Run.Kind.SWEEP, run.sweep().isPresent());
    assertEquals(List.of(), RunSchema.errors(RunJson.line(run)));

    RunFiles copy = new RunFiles(directory);
    copy.write(run);
    assertEquals(run, copy.read());
  }

  /** Nothing else says that a figure of the first form got lost. */
  @ParameterizedTest
  @ValueSource(strings = {"stress/run.json", "sweep/run.json", "load/load.json", "index/run.json"})
  void read_aRunOfTheFirstForm_losesNoNumber(String file) throws IOException {
    Path json = Golden.path("runs/" + file);
    JsonNode old = new ObjectMapper().readTree(json.toFile());

    Run run = new RunFiles(json.getParent()).read();

    assertEquals(
        numbers(old) - rounds(old) - 1,
        numbers(RunJson.tree(run)) - run.parts().size() - 1 - stepRounds(run),
        "but for the version and the rounds");
  }

  private static long rounds(JsonNode old) {
    return old.path(old.has("cells") ? "cells" : "arms").size();
  }

  private static long stepRounds(Run run) {
    return run.parts().stream().mapToLong(part -> part.parts().size()).sum();
  }

  private static long numbers(JsonNode node) {
    long numbers = node.isNumber() ? 1 : 0;
    for (JsonNode inside : node) {
      numbers += numbers(inside);
    }
    return numbers;
  }
}
