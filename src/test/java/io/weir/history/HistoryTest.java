package io.weir.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.result.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {

  private static final String RUN =
      """
      {"schemaVersion": 1, "weir": "0.1", "lucene": "%s", "command": ["stress", "--rounds", "2"],
       "startedAt": "%s", "interrupted": false,
       "environment": {"cpu": {"model": "X", "logicalCores": 2}, "memoryBytes": 8000000000,
                       "jvm": {"version": "25"}},
       "workload": {"docs": "%s", "order": "1: a"},
       "arms": [
         {"name": "a", "round": 1, "reopen": {"during": {"p99Millis": %s}}, "warnings": []},
         {"name": "a", "round": 2, "reopen": {"during": {"p99Millis": %s}},
          "causes": [{"cause": "disk", "seconds": 2}], "slow": [1, 2]}]}
      """;

  @TempDir Path temp;

  @Test
  void figures_ofARun_haveTheirPlacesAndMediansOfRounds() throws Exception {
    assertEquals(
        Map.of("arms[a].reopen.during.p99Millis", 15.0, "arms[a].causes[disk].seconds", 2.0),
        RunFigures.of(RunJson.parse(RUN.formatted("10", "2026-11-01T00:00:00Z", "d", 10, 20))));
  }

  /** One flush is too few: the rate of such a window lacks a part of the work. */
  @Test
  void figures_ofACellThatDidNotBecomeSteady_lackItsWindow() throws Exception {
    String cell =
        """
        {"cells": [
          {"name": "c", "steady": {"verdict": "%s", "figures": {"gigabytesPerHour": 30}},
           "whole": {"gigabytesPerHour": 10}}]}
        """;

    assertEquals(
        Map.of("cells[c].whole.gigabytesPerHour", 10.0),
        RunFigures.of(RunJson.parse(cell.formatted("too-few-flushes"))));
    assertEquals(2, RunFigures.of(RunJson.parse(cell.formatted("steady"))).size());
  }

  @Test
  void add_aRunOfWeirLoad_hasAFigureForEachLoad() throws Exception {
    Path run = Files.createDirectory(temp.resolve("load"));
    Files.writeString(
        run.resolve("load.json"),
        """
        {"schemaVersion": 1, "command": ["load"], "startedAt": "2026-11-01T00:00:00Z",
         "interrupted": false, "workload": {"step": "1000ms"},
         "arms": [{"name": "a", "round": 1, "status": "done", "settings": {"cap": "off"},
                   "steps": [{"number": 1, "load": 50.0, "client": {"latency": {"p99Millis": 7}}}],
                   "saturation": {"kept": 50.0}}]}
        """);

    Path file = add(run);

    assertEquals(temp.resolve("h/runs/load/2026-11-01T000000Z.json"), file);
    List<HistoryEntry> runs = history().runs().get("load");
    assertEquals(
        List.of("arms[a].saturation.kept", "arms[a].steps[50.0].client.latency.p99Millis"),
        new FigurePatterns(List.of()).of(runs));
    assertEquals(Map.of("a", Map.of("cap", "off")), runs.getFirst().settings());
  }

  @Test
  void add_aRun_keepsItInAFileOfItsOwn() throws Exception {
    Path file = add(run(1, 10, "10.5"));

    assertEquals(temp.resolve("h/runs/stress/2026-11-01T031500Z.json"), file);
    HistoryEntry entry = history().runs().get("stress").getFirst();
    assertEquals("10.5", entry.versions().get("Lucene"));
    assertEquals(Map.of("docs", "d"), entry.workload());
    assertTrue(Files.readString(file).lines().count() > 15, "a member a line");
    assertRefused("the history has a run of that moment already: " + file, run(1, 10, "10.5"));
  }

  @Test
  void add_aRunOfOtherWork_isRefusedUnlessItIsToBe() throws Exception {
    add(run(1, 10, "10.5"));
    Path other = temp.resolve("other");
    write(other, RUN.formatted("10.5", "2026-11-02T03:15:00Z", "others", 10, 10));

    assertRefused(
        "runs of a series must have the same machine and work, but "
            + other
            + " differs: docs: others, not d (--series NAME keeps it apart, --anyway adds it here)",
        other);
    history().add(other, Optional.of("others"), Optional.empty(), false);
    history().add(other, Optional.empty(), Optional.empty(), true);
    assertEquals(2, history().runs().get("stress").size());
  }

  @Test
  void add_manyRunsOfOneMomentAtOnce_keepsOne() throws Exception {
    List<Callable<Double>> adders = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      double millis = i;
      Path run =
          write(
              temp.resolve("at-once-" + i),
              RUN.formatted("10.5", "2026-11-01T03:15:00Z", "d", millis, millis));
      adders.add(
          () -> {
            add(run);
            return millis;
          });
    }
    List<Double> added = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(adders.size())) {
      for (Future<Double> adder : threads.invokeAll(adders)) {
        try {
          added.add(adder.get());
        } catch (ExecutionException e) {
          assertTrue(e.getCause() instanceof HistoryException, e.toString());
        }
      }
    }

    List<HistoryEntry> kept = history().runs().get("stress");
    assertEquals(1, kept.size());
    assertEquals(List.of(kept.getFirst().figures().get("arms[a].reopen.during.p99Millis")), added);
    assertEquals(1, temp.resolve("h/runs/stress").toFile().list().length, "temporary files");
  }

  @Test
  void add_whatIsNoWholeRun_isRefused() throws Exception {
    assertRefused(
        "not a run directory, it has no run.json: " + temp.resolve("none"), temp.resolve("none"));
    Path interrupted = run(1, 10, "10");
    write(interrupted, Files.readString(interrupted.resolve("run.json")).replace("false", "true"));
    assertRefused(
        "a run must be whole, this one was interrupted or has not ended: " + interrupted,
        interrupted);
    write(
        interrupted,
        Files.readString(interrupted.resolve("run.json"))
            .replace("true", "false")
            .replace("\"round\": 1", "\"status\": \"failed\""));
    assertRefused("a run must be whole, in this one a failed: " + interrupted, interrupted);
    write(
        interrupted,
        Files.readString(interrupted.resolve("run.json")).replace("failed", "interrupted"));
    assertRefused(
        "a run must be whole, in this one a was interrupted: " + interrupted, interrupted);
    write(interrupted, "[]");
    assertRefused(
        "not the run.json of a Weir run, no schemaVersion: " + interrupted.resolve("run.json"),
        interrupted);
    Path file = interrupted.resolve("run.json");
    assertRefused("a run is a directory, this is a file: " + file, file);
    Files.write(file, new byte[] {'{', (byte) 0xff});
    assertRefused(file + " cannot be read as a run: it is no UTF-8 text", interrupted);
  }

  @Test
  void add_aNote_isInAFileOfItsOwn() throws Exception {
    Note note = new Note(LocalDate.parse("2026-11-22"), "Lucene 10.6");

    assertEquals(temp.resolve("h/notes/2026-11-22-lucene-10-6-94e442c5.json"), history().add(note));
    assertEquals(List.of(note), history().notes());
    assertThrows(HistoryException.class, () -> history().add(note));
    assertThrows(IllegalArgumentException.class, () -> new Note(LocalDate.EPOCH, " "));
  }

  @Test
  void add_notesWithTheSameWords_keepsBoth() throws Exception {
    for (String text : List.of("C 10", "C++ 10", "\u30ab\u30fc\u30cd\u30eb", "\u042f")) {
      history().add(new Note(LocalDate.parse("2026-11-22"), text));
    }

    assertEquals(4, history().notes().size());
  }

  /** Edited by hand, on Windows. */
  @Test
  void notes_aFileWithAByteOrderMark_isRead() throws Exception {
    Path notes = Files.createDirectories(temp.resolve("h/notes"));
    Files.writeString(
        notes.resolve("x.json"), "\uFEFF{\"date\": \"2026-11-22\",\r\n \"text\": \"x\"}\r\n");

    assertEquals(List.of(new Note(LocalDate.parse("2026-11-22"), "x")), history().notes());
  }

  @Test
  void notes_aFileThatIsWrong_isNamed() throws Exception {
    Path notes = Files.createDirectories(temp.resolve("h/notes"));
    Path file =
        Files.writeString(notes.resolve("x.json"), "{\"date\": \"22.11.2026\", \"text\": \"x\"}");

    IOException thrown = assertThrows(IOException.class, () -> history().notes());

    assertTrue(
        thrown.getMessage().startsWith(file + " is not a file of a history: "),
        thrown.getMessage());
  }

  @Test
  void view_ofAStepOnASixthDay_hasItsDayItsVersionAndItsNote() throws Exception {
    for (int day = 1; day <= 10; day++) {
      add(run(day, (day < 6 ? 10 : 14) + 0.1 * (day % 3), day < 6 ? "10.5" : "10.6"));
    }
    history().add(new Note(LocalDate.parse("2026-11-06"), "Lucene <10.6>"));
    history().add(new Note(LocalDate.parse("2026-11-03"), "another"));

    HistoryView view = view();

    assertEquals(
        List.of(
            "2026-11-06: stress: arms[a].reopen.during.p99Millis rose from 10.1 to 14.1, by 39.1 %,"
                + " about the time of 'Lucene <10.6>'"),
        view.changes().stream().map(HistoryView.Changed::sentence).toList());
    assertEquals(
        List.of(
            new HistoryView.Fact("stress", Instant.parse("2026-11-06T03:15:00Z"), "Lucene 10.6")),
        view.facts());
    String page = HistoryPage.render(view);
    assertTrue(page.contains("1 change beyond noise."), page);
    assertTrue(page.contains("Lucene &lt;10.6&gt;"), page);
    assertTrue(!page.contains("Lucene <10.6>"), "escaped in the data as well");
    assertTrue(page.contains("would be at most 2.0 %"), page);
  }

  @Test
  void view_ofAnArmWithAnotherSetting_marksIt() {
    HistoryView view =
        HistoryView.of(
            Map.of(
                "stress",
                List.of(
                    entry(1, 10, Map.of("a", Map.of("cap", "off", "jvm", "x"))),
                    entry(2, 10, Map.of("a", Map.of("cap", "5MB/s"), "b", Map.of("cap", "off"))))),
            List.of(),
            new FigurePatterns(List.of()),
            0.02);

    assertEquals(
        List.of("a: cap 5MB/s, a: jvm -"),
        view.facts().stream().map(HistoryView.Fact::text).toList());
  }

  /** The mean fell, because of one night. */
  @Test
  void view_ofARiseAfterOneBadNight_saysThatItRose() throws Exception {
    List<HistoryEntry> entries = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      entries.add(entry(i, i == 10 ? 1000 : i < 30 ? 1 : 5, Map.of()));
    }

    HistoryView view =
        HistoryView.of(Map.of("stress", entries), List.of(), new FigurePatterns(List.of()), 0.02);

    assertEquals(1, view.changes().size());
    String sentence = view.changes().getFirst().sentence();
    assertTrue(sentence.contains("rose from 1.26 to 5.00, by 297 %"), sentence);
    String level = "\"label\":\"level\",\"unit\":\"\",\"colour\":\"muted\",\"form\":\"dashed\"";
    assertTrue(HistoryPage.render(view).contains(level + ",\"right\":false,\"y\":[1.2589"));
  }

  private static HistoryEntry entry(
      int day, double seconds, Map<String, Map<String, String>> settings) {
    return new HistoryEntry(
        "stress",
        Instant.EPOCH.plus(Duration.ofDays(day)),
        Map.of(),
        settings,
        Map.of(),
        Map.of(),
        Map.of("arms[a].merge.seconds", seconds));
  }

  @Test
  void number_ofAnySize_hasThreeDigits() {
    assertEquals("0.00", HistoryView.number(0));
    assertEquals("0.00400", HistoryView.number(0.004));
    assertEquals("0.42", HistoryView.number(0.42));
    assertEquals("1.23e+06", HistoryView.number(1_234_567));
  }

  @Test
  void view_ofEqualRuns_hasNoChange() throws Exception {
    for (int day = 1; day <= 10; day++) {
      add(run(day, 10 + 0.3 * (day * 7 % 5), "10.5"));
    }

    assertEquals(List.of(), view().changes());
    assertTrue(HistoryPage.render(view()).contains("No figure changed beyond noise."));
  }

  @Test
  void patterns_ofFigures_chooseByName() throws Exception {
    add(run(1, 10, "10"));
    List<HistoryEntry> runs = history().runs().get("stress");

    assertEquals(
        List.of("arms[a].causes[disk].seconds"),
        new FigurePatterns(List.of("arms[*].seconds")).of(runs));
    assertEquals(List.of(), new FigurePatterns(List.of("seconds")).of(runs));
    assertEquals(
        List.of("arms[a].reopen.during.p99Millis"), new FigurePatterns(List.of()).of(runs));
  }

  /** A search for saturation tries other loads each night. */
  @Test
  void patterns_withoutAny_leaveOutWhatOneOfSeveralRunsHas() {
    List<HistoryEntry> runs = List.of(entry(1, 1, Map.of()), entry(2, 1, Map.of()));
    HistoryEntry other =
        new HistoryEntry(
            "stress",
            Instant.EPOCH,
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of("arms[b].merge.seconds", 1.0));

    assertEquals(
        List.of("arms[a].merge.seconds"),
        new FigurePatterns(List.of()).of(Stream.concat(runs.stream(), Stream.of(other)).toList()));
    assertEquals(
        List.of("arms[b].merge.seconds"), new FigurePatterns(List.of()).of(List.of(other)));
  }

  private HistoryView view() throws IOException {
    return HistoryView.of(history().runs(), history().notes(), new FigurePatterns(List.of()), 0.02);
  }

  private HistoryDirectory history() {
    return new HistoryDirectory(temp.resolve("h"));
  }

  private Path add(Path run) throws Exception {
    return history().add(run, Optional.empty(), Optional.empty(), false);
  }

  private void assertRefused(String message, Path run) {
    assertEquals(message, assertThrows(HistoryException.class, () -> add(run)).getMessage());
  }

  private Path run(int day, double millis, String lucene) throws IOException {
    Path directory = temp.resolve("run-" + day);
    return write(
        directory,
        RUN.formatted(lucene, "2026-11-%02dT03:15:00Z".formatted(day), "d", millis, millis));
  }

  private static Path write(Path directory, String run) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("run.json"), run);
    return directory;
  }
}
