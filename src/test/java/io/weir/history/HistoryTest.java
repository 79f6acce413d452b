package io.weir.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.result.RunJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
        "runs of a series must have the same machine and work; in "
            + other
            + " docs: others, not d (--series keeps it apart, --anyway keeps it here)",
        other);
    history().add(other, Optional.of("others"), Optional.empty(), false);
    history().add(other, Optional.empty(), Optional.empty(), true);
    assertEquals(2, history().runs().get("stress").size());
  }

  @Test
  void add_whatIsNoWholeRun_isRefused() throws Exception {
    assertRefused(
        "not a run directory, it has no run.json: " + temp.resolve("none"), temp.resolve("none"));
    Path interrupted = run(1, 10, "10");
    write(interrupted, Files.readString(interrupted.resolve("run.json")).replace("false", "true"));
    assertRefused("a run must be whole, this one was interrupted: " + interrupted, interrupted);
    write(
        interrupted,
        Files.readString(interrupted.resolve("run.json"))
            .replace("true", "false")
            .replace("\"round\": 1", "\"status\": \"failed\""));
    assertRefused("a run must be whole, in this one a failed: " + interrupted, interrupted);
    write(interrupted, "[]");
    assertRefused(
        "not the run.json of a Weir run, no schemaVersion: " + interrupted.resolve("run.json"),
        interrupted);
  }

  @Test
  void add_aNote_isInAFileOfItsOwn() throws Exception {
    Note note = new Note(LocalDate.parse("2026-11-22"), "Lucene 10.6");

    assertEquals(temp.resolve("h/notes/2026-11-22-lucene-10-6.json"), history().add(note));
    assertEquals(List.of(note), history().notes());
    assertThrows(HistoryException.class, () -> history().add(note));
    assertThrows(IllegalArgumentException.class, () -> new Note(LocalDate.EPOCH, " "));
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
