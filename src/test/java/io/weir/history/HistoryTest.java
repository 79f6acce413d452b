package io.weir.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.history.RunReader.RunFigures;
import io.weir.run.ArmFigures;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Verdict;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import io.weir.run.SlowCauses;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import io.weir.run.Values;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryTest {

  @TempDir Path temp;

  @Test
  void figures_ofARun_haveTheirPlacesAndMediansOfRounds() {
    Map<String, Double> figures = RunFigures.of(run("10", "2026-11-01T00:00:00Z", "d", 10, 20));

    assertEquals(15.0, figures.get("arms[a].reopen.during.p99Millis"));
    assertEquals(2.0, figures.get("arms[a].slowReopens.causes.during[disk].seconds"));
    assertEquals(1.0, figures.get("noise.before.seconds"));
    assertTrue(figures.keySet().stream().noneMatch(name -> name.contains("round")), "" + figures);
  }

  /** One flush is too few: the rate of such a window lacks a part of the work. */
  @Test
  void figures_ofACellThatDidNotBecomeSteady_lackItsWindow() {
    assertEquals(
        List.of("cells[c].whole.gigabytesPerHour"), figuresOfACell(Verdict.TOO_FEW_FLUSHES));
    assertEquals(
        List.of("cells[c].steady.figures.gigabytesPerHour", "cells[c].whole.gigabytesPerHour"),
        figuresOfACell(Verdict.STEADY));
  }

  private static List<String> figuresOfACell(Verdict verdict) {
    Values values =
        Values.builder()
            .put(CellFigures.VERDICT, verdict)
            .put(CellFigures.RATE, CellFigures.Window.STEADY, 30.0)
            .put(CellFigures.RATE, CellFigures.Window.WHOLE, 10.0)
            .build();
    Run run =
        new QuickRun()
            .result(List.of(Part.of(Part.Kind.CELL, "c", 1, Status.DONE, Map.of(), values)));
    return RunFigures.of(run).keySet().stream().filter(name -> name.startsWith("cells")).toList();
  }

  @Test
  void add_aRunOfWeirLoad_hasAFigureForEachLoad() throws Exception {
    Part step =
        Part.of(
            Part.Kind.STEP,
            "50.0",
            1,
            Status.DONE,
            Map.of(),
            Values.builder()
                .put(StepFigures.LATENCY, new LatencySummary(1, 7, 7, 7, 7, 7))
                .build());
    Part arm =
        Part.of(
                Part.Kind.ARM,
                "a",
                1,
                Status.DONE,
                Map.of("cap", "off"),
                Values.builder().put(StepFigures.KEPT, 50.0).build())
            .withParts(List.of(step));
    QuickRun run = new QuickRun();
    run.kind = Run.Kind.LOAD;
    run.command = List.of("load");
    run.startedAt = Instant.parse("2026-11-01T00:00:00Z");
    run.workload = Map.of("step", "1000ms");

    Path file = add(write(temp.resolve("load"), run.result(List.of(arm))));

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
    write(other, run("10.5", "2026-11-02T03:15:00Z", "others", 10, 10));

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
              run("10.5", "2026-11-01T03:15:00Z", "d", millis, millis));
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
    Path interrupted = temp.resolve("interrupted");
    QuickRun stopped = new QuickRun();
    stopped.interrupted = true;
    write(interrupted, stopped.result(List.of()));
    assertRefused(
        "a run must be whole, this one was interrupted or has not ended: " + interrupted,
        interrupted);
    QuickResult arm = new QuickResult();
    arm.status = Status.FAILED;
    write(interrupted, new QuickRun().result(List.of(arm.result("a", 1))));
    assertRefused("a run must be whole, in this one a failed: " + interrupted, interrupted);
    arm.status = Status.INTERRUPTED;
    write(interrupted, new QuickRun().result(List.of(arm.result("a", 1))));
    assertRefused(
        "a run must be whole, in this one a was interrupted: " + interrupted, interrupted);
    Files.writeString(interrupted.resolve("run.json"), "[]");
    assertRefused(
        "not the run.json of a Weir run, no schemaVersion: " + interrupted.resolve("run.json"),
        interrupted);
    Path file = interrupted.resolve("run.json");
    assertRefused("a run is a directory, this is a file: " + file, file);
    Files.write(file, new byte[] {'{', (byte) 0xff});
    assertRefused(file + " cannot be read: it is not UTF-8 text", interrupted);
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
            0.02,
            0);

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
        HistoryView.of(
            Map.of("stress", entries), List.of(), new FigurePatterns(List.of()), 0.02, 0);

    assertEquals(1, view.changes().size());
    String sentence = view.changes().getFirst().sentence();
    assertTrue(sentence.contains("rose from 1.26 to 5.00, by 297 %"), sentence);
    String level = "\"label\":\"level\",\"unit\":\"s\",\"colour\":\"muted\",\"form\":\"dashed\"";
    assertTrue(HistoryPage.render(view).contains(level + ",\"right\":false,\"y\":[1.2589"));
  }

  @Test
  void view_withALeastEffect_leavesSmallerChangesOut() {
    Map<String, List<HistoryEntry>> runs =
        Map.of(
            "stress",
            IntStream.range(0, 40)
                .mapToObj(i -> entry(i, i < 20 ? 100 + i % 2 : 110 + i % 2, Map.of()))
                .toList());
    FigurePatterns all = new FigurePatterns(List.of());
    assertEquals(1, HistoryView.of(runs, List.of(), all, 0.02, 9).changes().size());
    assertEquals(0, HistoryView.of(runs, List.of(), all, 0.02, 11).changes().size());
    assertThrows(
        IllegalArgumentException.class, () -> HistoryView.of(runs, List.of(), all, 0.02, -1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "arms[weir].reopen.during.p99Millis | weir: reopen latency during the merge, 99th percentile | ms",
        "cells[stock, 2 threads, 64MB].steady.figures.gigabytesPerHour"
            + " | stock, 2 threads, 64MB: steady, figures | GB/h",
        "arms[a].steps[50.0].client.latency.p99Millis | a: response time at 50 requests/s, 99th percentile | ms",
        "arms[a].merge.seconds | a: duration of the merge | s",
        "parts[a].search.during.latency.p50Millis | a: search latency during the merge, median | ms",
        "parts[a].reopen.during.maxMillis | a: reopen latency during the merge, longest | ms",
        "arms[a].searchHits.withoutHits | a: search hits, without hits | ''",
      })
  void figure_ofAName_hasATitleAndAUnitForPeople(String name, String title, String unit) {
    HistoryView.Figure figure = new HistoryView.Figure("s", name, List.of(), new double[0]);
    assertEquals(title, figure.words());
    assertEquals(unit, figure.unit().symbol());
  }

  @Test
  void finding_ofFewRuns_saysThatTheyAreTooFew() {
    for (int runs : new int[] {1, 5, 6}) {
      HistoryView view =
          HistoryView.of(
              Map.of(
                  "stress",
                  IntStream.range(0, runs).mapToObj(i -> entry(i, 10, Map.of())).toList()),
              List.of(),
              new FigurePatterns(List.of()),
              0.02,
              0);
      assertEquals(
          switch (runs) {
            case 1 ->
                "One run, with these figures. The second shows how far they move from run to run; a"
                    + " change beyond noise needs %d on each side."
                        .formatted(ChangePoints.LEAST_PART);
            case 5 -> "5 runs are too few: a change has at least 3 on each side.";
            default -> "No figure changed beyond noise.";
          },
          view.finding());
    }
  }

  @Test
  void csv_ofASeries_isARunALine_withEmptyCellsForWhatARunHasNot() throws Exception {
    HistoryEntry first =
        new HistoryEntry(
            "index",
            Instant.parse("2026-11-01T03:15:00Z"),
            Map.of("Weir", "0.1.0", "Lucene", "10.5.1", "Java", "25"),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of("cells[a, 2 threads].rate", 7.5, "x", 1.0));
    HistoryEntry second =
        new HistoryEntry(
            "index",
            Instant.parse("2026-11-02T03:15:00Z"),
            Map.of("Weir", "0.1.0"),
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of("cells[a, 2 threads].rate", 7.25));
    assertEquals(
        """
        time,weir,lucene,java,"cells[a, 2 threads].rate",x
        2026-11-01T03:15:00Z,0.1.0,10.5.1,25,7.5,1.0
        2026-11-02T03:15:00Z,0.1.0,,,7.25,
        """,
        HistoryCsv.of(List.of(first, second), new FigurePatterns(List.of("*"))));
    assertThrows(
        IllegalArgumentException.class,
        () -> HistoryCsv.of(List.of(first), new FigurePatterns(List.of("none"))));
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
        List.of("arms[a].slowReopens.causes.during[disk].seconds"),
        new FigurePatterns(List.of("arms[*causes*.seconds")).of(runs));
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
    return HistoryView.of(
        history().runs(), history().notes(), new FigurePatterns(List.of()), 0.02, 0);
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
        directory, run(lucene, "2026-11-%02dT03:15:00Z".formatted(day), "d", millis, millis));
  }

  /** A run of one arm in two rounds. */
  private static Run run(
      String lucene, String startedAt, String docs, double first, double second) {
    QuickRun run = new QuickRun();
    run.weir = "0.1";
    run.lucene = lucene;
    run.command = List.of("stress", "--rounds", "2");
    run.startedAt = Instant.parse(startedAt);
    run.environment =
        RunJson.tree(
            Map.of(
                "cpu", Map.of("model", "X", "logicalCores", 2),
                "memoryBytes", 8_000_000_000L,
                "jvm", Map.of("version", "25")));
    run.workload = Map.of("docs", docs, "order", "1: a");
    QuickResult arm = new QuickResult().reopens(second);
    arm.values.put(
        ArmFigures.SLOW_CAUSES,
        Phase.DURING,
        new SlowCauses(List.of(new SlowCauses.Cause("disk", "the disk", 2, 1, 1))));
    return run.result(List.of(new QuickResult().reopens(first).result("a", 1), arm.result("a", 2)));
  }

  private static Path write(Path directory, Run run) throws IOException {
    new RunFiles(directory).write(run);
    return directory;
  }
}
