package io.weir.stress.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunFilesTest {
  @TempDir Path directory;

  record Machine(String kernel, Long memoryBytes) {}

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

  @Test
  void readRun_unknownProperties_passesOverThem() throws IOException {
    RunFiles files = new RunFiles(directory);
    Files.writeString(
        files.runJson(),
        """
        {"schemaVersion": 1, "weir": "9", "tomorrow": {"x": 1},
         "arms": [{"name": "a", "round": 1, "status": "done", "colour": "blue"}]}
        """);
    RunResult run = files.readRun();
    assertEquals("a", run.arms().get(0).name());
    assertNull(run.arms().get(0).merge());
    assertEquals(List.of(), run.warnings());
    assertNull(run.duration());
  }

  /** As it was before there were commits and pauses by kind. */
  @Test
  void readRun_anOlderMerge_leavesWhatItDidNotSayAbsent() throws IOException {
    RunFiles files = new RunFiles(directory);
    Files.writeString(
        files.runJson(),
        """
        {"schemaVersion": 1, "arms": [{"name": "a", "round": 1, "status": "done",
          "merge": {"kind": "forced", "seconds": 2.5, "bytesWritten": 7, "bytesCharged": 7,
            "pausedSeconds": 1.5}}]}
        """);
    ArmResult arm = files.readRun().arms().get(0);
    assertEquals(
        new MergeResult("forced", 2.5, null, 7, 7L, 1.5, null, null, null, null), arm.merge());
    assertNull(arm.commit());
  }

  @Test
  void readRun_newerSchema_isRefusedNamingBothVersions() throws IOException {
    RunFiles files = new RunFiles(directory);
    Files.writeString(files.runJson(), "{\"schemaVersion\": 7, \"arms\": \"another form\"}");
    String message = assertThrows(IOException.class, files::readRun).getMessage();
    assertTrue(message.endsWith("newer Weir: schemaVersion must be at most 1: 7"), message);
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
    ArmResult arm =
        new ArmResult(
            "cap=10MB/s",
            1,
            ArmStatus.FAILED,
            Map.of("cap", "10MB/s"),
            new Phases<>(10.0, 31.25, null),
            new MergeResult(
                "forced", 31.25, null, 300_000_000L, null, null, null, null, null, null),
            new Phases<>(latency, latency, null),
            null,
            null,
            new SearchHits(100, 7),
            null,
            null,
            null,
            new DirtyResult(210_000_000L, new Phases<>(1L, 2L, null)),
            new GcResult(
                3,
                0.25,
                List.of("Copy"),
                new Phases<>(new GcPauses(2, 3.5, 2.25, null), null, null)),
            null,
            new WarmUpResult(5, 7, false, 12.5, 8.25, 0.002),
            new InstrumentResult(0.5, 1.25, 600, 2, 301.5),
            new ResidentKeysResult(500, 900, 1000, 3, 8, 1, 0),
            new CacheResult(
                "cold",
                4_000_000,
                0.002,
                true,
                null,
                new StorageReads(7L, 3_000_000L),
                new Phases<>(new StorageReads(0L, 4096L), null, null)),
            new IndexCheckResult(1, 3000, 1.5),
            new ArmFailure("its JVM ended", 3, List.of("last line")),
            List.of(new RunWarning("w", "c", "r")));
    return new RunResult(
        RunFiles.SCHEMA_VERSION,
        "0.1.0",
        "10.5.1",
        List.of("stress", "--arm", "cap=10MB/s: cap=10MB/s"),
        Instant.parse("2026-11-20T10:00:00Z"),
        Instant.parse("2026-11-20T10:02:30Z"),
        false,
        RunJson.tree(new Machine("6.1.0", null)),
        Map.of("updates-per-second", "50", "docs", "synthetic"),
        new QueriesResult("mixed", 2000, "0123abcd"),
        List.of(arm),
        List.of(),
        null,
        List.of(),
        null);
  }
}
