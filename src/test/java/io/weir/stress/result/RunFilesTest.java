package io.weir.stress.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.stress.QuickMerge;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
import io.weir.stress.RunSchema;
import io.weir.stress.result.DeadlineResult.Prediction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFilesTest {
  @TempDir Path directory;

  record Machine(String kernel, Optional<Long> memoryBytes) {}

  @Test
  void readRun_afterWrite_equalsWhatWasWritten() throws IOException {
    RunFiles files = new RunFiles(directory.resolve("not/there/yet"));
    files.write(run());
    assertEquals(run(), files.readRun());
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
  void readRun_ofADamagedFile_namesItAndSaysWhy() throws IOException {
    RunFiles files = new RunFiles(directory);
    files.write(run());
    String sound = Files.readString(files.runJson());
    Files.writeString(files.runJson(), sound.replaceFirst("\"arms\" : \\[", "\"arms\" : [null,"));
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
    String message = assertThrows(IOException.class, files::readRun).getMessage();
    assertTrue(message.contains(why), message);
    assertFalse(message.contains("DeserializationFeature"), message);
  }

  @Test
  void write_aDeadline_isAsTheSchemaSays() throws IOException {
    RunFiles files = new RunFiles(directory);
    files.write(run());

    assertEquals(
        "{\"seconds\":30.0,\"spareSeconds\":-1.25,\"afterThird\":"
            + "{\"predictedSeconds\":24.0,\"actualSeconds\":20.0,\"offPercent\":20.0}}",
        new ObjectMapper()
            .readTree(files.runJson().toFile())
            .at("/arms/0/merge/deadline")
            .toString());
    assertEquals(List.of(), RunSchema.errors(Files.readString(files.runJson())));
  }

  @Test
  void readRun_unknownProperties_ignoresThem() throws IOException {
    RunFiles files = new RunFiles(directory);
    files.write(run());
    String text = Files.readString(files.runJson());
    Files.writeString(
        files.runJson(),
        text.replaceFirst("\\{", "{\"tomorrow\": {\"x\": 1},")
            .replace("\"round\" :", "\"colour\" : \"blue\", \"round\" :"));
    assertEquals(run(), files.readRun());
  }

  @Test
  void readRun_aMissingComponent_isRefusedByItsName() throws IOException {
    RunFiles files = new RunFiles(directory);
    Files.writeString(files.runJson(), "{\"schemaVersion\": 1, \"weir\": \"9\"}");
    String message = assertThrows(IOException.class, files::readRun).getMessage();
    assertTrue(message.contains("'lucene'"), message);
  }

  @Test
  void readRun_anotherSchema_isRefusedNamingBothVersions() throws IOException {
    RunFiles files = new RunFiles(directory);
    Files.writeString(files.runJson(), "{\"schemaVersion\": 7, \"arms\": \"another form\"}");
    String message = assertThrows(IOException.class, files::readRun).getMessage();
    assertTrue(message.endsWith("another version of Weir: schemaVersion must be 1: 7"), message);
  }

  @Test
  void readRun_noRun_saysSoInOneLine() throws IOException {
    RunFiles files = new RunFiles(directory);
    String missing = assertThrows(IOException.class, files::readRun).getMessage();
    assertTrue(missing.startsWith("not a run directory, it has no run.json: "), missing);
    Files.writeString(files.runJson(), "{}");
    String other = assertThrows(IOException.class, files::readRun).getMessage();
    assertTrue(other.startsWith("not the run.json of a Weir run, no schemaVersion: "), other);
    Files.writeString(files.runJson(), "{\"schemaVersion\": 1, ");
    String torn = assertThrows(IOException.class, files::readRun).getMessage();
    assertTrue(torn.contains("run.json cannot be read as a run: "), torn);
    Files.writeString(files.runJson(), "{\"schemaVersion\": 1, \"startedAt\": \"noon\"}");
    String noon = assertThrows(IOException.class, files::readRun).getMessage();
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

  private static RunResult run() {
    LatencySummary latency = new LatencySummary(3, 1.5, 1, 2, 3, 4);
    QuickResult arm = new QuickResult();
    arm.status = ArmStatus.INTERRUPTED;
    arm.settings = Map.of("cap", "10MB/s");
    arm.phaseSeconds = new Phases<>(Optional.of(10.0), Optional.of(31.25), Optional.empty());
    arm.merge =
        Optional.of(
            new QuickMerge(300_000_000)
                .result()
                .withDeadline(new DeadlineResult(30, -1.25, Optional.of(Prediction.of(24, 20)))));
    arm.reopen = new Phases<>(latency, latency, LatencySummary.EMPTY);
    arm.search =
        Optional.of(
            new Phases<>(
                Optional.of(new LoadResult(5, 4.5, latency, latency)),
                Optional.empty(),
                Optional.empty()));
    arm.searchHits = Optional.of(new SearchHits(100, 7));
    arm.dirty =
        Optional.of(
            new DirtyResult(
                210_000_000L, new Phases<>(Optional.of(1L), Optional.of(2L), Optional.empty())));
    arm.gc =
        new GcResult(
            3,
            0.25,
            List.of("Copy"),
            Optional.of(
                new Phases<>(
                    Optional.of(new GcPauses(2, 3.5, 2.25, Optional.empty())),
                    Optional.empty(),
                    Optional.empty())));
    arm.warmUp =
        Optional.of(
            new WarmUpResult(
                5,
                7,
                Optional.of(false),
                Optional.of(12.5),
                Optional.of(8.25),
                Optional.of(0.002)));
    arm.instrument = new InstrumentResult(Optional.of(0.5), Optional.of(1.25), 600, 2, 301.5);
    arm.residentKeys = Optional.of(new ResidentKeysResult(500, 900, 1000, 3, 8, 1, 0));
    StorageReads reads = new StorageReads(Optional.of(7L), Optional.of(3_000_000L));
    arm.cache =
        Optional.of(
            new CacheResult(
                "cold",
                4_000_000,
                Optional.of(0.002),
                Optional.of(true),
                Optional.empty(),
                Optional.of(reads),
                new Phases<>(Optional.of(reads), Optional.empty(), Optional.empty())));
    arm.indexCheck = Optional.of(new IndexCheckResult(1, 3000, 1.5));
    arm.warnings = List.of(new RunWarning("w", "c", "r"));
    FailedArm failed =
        FailedArm.of(
            "cap=10MB/s",
            2,
            Map.of("cap", "10MB/s"),
            new ArmFailure("its JVM ended", Optional.of(3), List.of("last line")));
    QuickRun run = new QuickRun();
    run.command = List.of("stress", "--arm", "cap=10MB/s: cap=10MB/s");
    run.startedAt = Instant.parse("2026-11-20T10:00:00Z");
    run.finishedAt = Instant.parse("2026-11-20T10:02:30Z");
    run.environment = RunJson.tree(new Machine("6.1.0", Optional.empty()));
    run.workload = Map.of("updates-per-second", "50", "docs", "synthetic");
    run.queries = Optional.of(new QueriesResult("mixed", 2000, "0123abcd".repeat(8)));
    return run.result(List.of(arm.result("cap=10MB/s", 1), failed));
  }
}
