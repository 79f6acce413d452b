package io.weir.benchmark.headlines;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.headlines.HeadlinePlan.Cell;
import io.weir.benchmark.headlines.HeadlinePlan.Disk;
import io.weir.benchmark.headlines.HeadlinePlan.Load;
import io.weir.benchmark.headlines.HeadlinePlan.Place;
import io.weir.benchmark.kit.Conditions;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.RunJson;
import io.weir.stress.QuickMerge;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
import io.weir.suite.Slow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The night's plan, its table, and that it goes on where it was ended, with a fake weir. */
@Slow("starts a fake weir for each cell")
class HeadlinesBenchmarkTest {

  private static final Place OWN = new Place(Disk.OWN, Load.LUCENE_UPDATES);

  @TempDir Path temp;

  private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

  private static HeadlinePlan plan(int rounds) {
    return new HeadlinePlan(List.of(OWN), rounds, true, false);
  }

  private static QuickResult measured(double millis, long reopens, boolean merged) {
    QuickResult arm = new QuickResult();
    arm.each(
        ArmFigures.REOPEN, new LatencySummary(reopens, millis, millis, millis, millis, millis));
    arm.values.put(ArmFigures.WARM_UP_SECONDS, 1.5).put(ArmFigures.DIRTY_PEAK, 5_000_000L);
    if (merged) {
      arm.values.put(
          QuickMerge.of(1_000_000)
              .put(MergeFigures.KIND, "forced")
              .put(MergeFigures.SECONDS, 30.0)
              .build());
    }
    return arm;
  }

  @Test
  void cells_armsAreInTurn_andATwinFollowsTheArmThatItLastsAsLongAs() {
    List<String> arms =
        new HeadlinePlan(List.of(OWN), 2, false, true)
            .cells().stream()
                .map(cell -> cell.round() + cell.build() + " " + cell.arm().name())
                .toList();
    assertEquals(
        List.of(
            "1a stock",
            "1a stock, no merge",
            "1a weir",
            "1a weir, no merge",
            "1a stock, Lucene 10.6",
            "2b weir",
            "2b weir, no merge",
            "2b stock, Lucene 10.6",
            "2b stock",
            "2b stock, no merge"),
        arms);
  }

  @Test
  void options_ofATwin_haveTheWarmUpAndTheLengthOfTheMerge() {
    HeadlinePlan plan = new HeadlinePlan(List.of(OWN), 1, false, false);
    Cell twin = plan.cells().get(1);
    List<String> options =
        plan.options(
            twin, Optional.of(Duration.ofMillis(47_300)), Optional.of(Duration.ofSeconds(130)));
    assertTrue(options.contains("--warmup=47300ms"), options.toString());
    assertTrue(options.contains("--during=130000ms"), options.toString());
    assertTrue(options.contains("--before=20s"), options.toString());
    assertTrue(options.getLast().contains("merge=none"), options.toString());
  }

  @Test
  void named_globs_areLoads_andAnUnknownOneIsRefused() {
    assertEquals(
        List.of("volume/solr", "spindle/solr", "own/solr"),
        Place.named("*/solr").stream().map(Place::label).toList());
    assertEquals(18, Place.all().size());
    assertThrows(IllegalArgumentException.class, () -> Place.named("volume/lucen"));
  }

  private HeadlineTable table(Place place, List<Part> parts) {
    HeadlineTable table = new HeadlineTable();
    table.add(place, new QuickRun().result(parts), parts);
    return table;
  }

  private static List<Part> rounds(int rounds, long reopens, boolean stockEnds) {
    List<Part> parts = new ArrayList<>();
    for (String name : List.of("stock", "weir")) {
      for (int round = 1; round <= rounds; round++) {
        QuickResult arm = measured((name.equals("stock") ? 100 : 20) + round, reopens, true);
        if (name.equals("stock") && !stockEnds) {
          arm.values.put(MergeFigures.ENDED, false);
        }
        parts.add(arm.result(name, round));
      }
    }
    return parts;
  }

  @Test
  void table_ofFiveRounds_hasDiskRoundsCountAndInterval() {
    HeadlineTable table = table(OWN, rounds(5, 250, true));
    List<String> weir = table.text().rows().get(1);
    assertEquals(
        List.of("own", "lucene-updates", "weir", "5", "1250", "p99 23 (21-25)"),
        weir.subList(0, 6).stream().map(cell -> cell.replaceAll("\\.0", "")).toList());
    assertTrue(weir.get(6).matches("-78 \\(-\\d+ to -\\d+\\), lower"), weir.toString());
    assertTrue(table.markdown().contains("| own | lucene-updates | weir | 5 | 1250 | p99 "));
    assertTrue(table.csv().contains("\"own\",\"lucene-updates\",\"weir\",\"5\",\"1250\""));
  }

  @Test
  void table_ofFewerRounds_hasNoInterval_andNamesNoPercentileThatIsNotKnown() {
    List<String> weir = table(OWN, rounds(4, 20, true)).text().rows().get(1);
    assertEquals("80", weir.get(4));
    assertTrue(weir.get(5).startsWith("max "), weir.toString());
    assertEquals("no interval", weir.get(6));
  }

  @Test
  void table_ofAMergeThatDidNotEnd_saysAtLeast_andComparesNothing() {
    List<List<String>> rows = table(OWN, rounds(5, 250, false)).text().rows();
    assertTrue(rows.get(0).get(9).startsWith(">= 30"), rows.toString());
    assertEquals("-", rows.get(1).get(6));
  }

  /** A weir that writes the run that a test has laid out, unless there is a file "broken". */
  private HeadlinesBenchmark.Night night() throws IOException {
    Path tools = Files.createDirectories(temp.resolve("root/tools"));
    for (boolean merged : new boolean[] {true, false}) {
      RunJson.write(
          temp.resolve(merged ? "merged.json" : "none.json"),
          new QuickRun().result(List.of(measured(10, 100, merged).result("any", 1))));
    }
    script(
        tools.resolve("weir"),
        """
        echo "$@" >>%1$s/calls
        [ ! -e %1$s/broken ] || [ "$(wc -l <%1$s/calls)" -ne 2 ] || exit 1
        for word; do case $word in --out=*) out=${word#--out=} ;; esac; done
        mkdir -p "$out"
        case $* in *merge=none*) from=none ;; *) from=merged ;; esac
        cp %1$s/$from.json "$out/run.json"
        """
            .formatted(temp));
    script(tools.resolve("slow-disk"), "shift 4\nexec \"$@\"\n");
    return new HeadlinesBenchmark.Night(
        new Conditions(true, temp.resolve("dir"), new PrintStream(progress, true, UTF_8), Map.of()),
        temp.resolve("root"),
        temp.resolve("out"),
        plan(1),
        false);
  }

  private static void script(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/bash\n" + text);
    assertTrue(file.toFile().setExecutable(true));
  }

  private List<String> calls() throws IOException {
    return Files.readAllLines(temp.resolve("calls"));
  }

  @Test
  void run_aCellThatFails_goesOn_andTheNextCommandTriesThatOneAlone() throws Exception {
    Files.createDirectory(temp.resolve("dir"));
    Files.writeString(temp.resolve("broken"), "");
    HeadlinesBenchmark.Night night = night();
    night.run();
    assertEquals(4, calls().size());
    String said = progress.toString(UTF_8);
    assertTrue(
        said.contains("own/lucene-updates, round 1 of 1, stock (1 of 4; about 25 min left)"), said);
    assertTrue(said.contains("stock-no-merge failed: see "), said);
    assertTrue(calls().get(1).contains("--during=30000ms"), calls().toString());
    assertTrue(calls().get(1).contains("--warmup=1500ms"), calls().toString());

    Files.delete(temp.resolve("broken"));
    night.run();
    assertEquals(5, calls().size());
    assertTrue(calls().get(4).contains("stock, no merge"), calls().toString());
    assertEquals(4, night.table().rows().size());
    assertTrue(Files.readString(temp.resolve("out/headlines.md")).contains("| own |"));
    assertEquals(5, Files.readAllLines(temp.resolve("out/headlines.csv")).size());
  }

  /** Its length is not known. */
  @Test
  void run_aTwinOfAnArmThatFailed_isNotRun() throws Exception {
    Files.createDirectory(temp.resolve("dir"));
    HeadlinesBenchmark.Night night = night();
    Files.writeString(temp.resolve("broken"), "");
    Files.writeString(temp.resolve("calls"), "an earlier one\n");
    night.run();
    assertEquals(3, calls().size() - 1, calls().toString());
    assertTrue(
        progress.toString(UTF_8).contains("2 cells failed or wait"), progress.toString(UTF_8));
  }

  /** As a kill leaves it: a run that is marked as interrupted, with some files. */
  @Test
  void run_aCellThatWasKilled_isBegunAgain() throws Exception {
    Files.createDirectory(temp.resolve("dir"));
    HeadlinesBenchmark.Night night = night();
    night.run();
    Path killed = temp.resolve("out").resolve(plan(1).cells().getFirst().directory());
    QuickRun half = new QuickRun();
    half.interrupted = true;
    RunJson.write(killed.resolve("run.json"), half.result(List.of()));
    Files.writeString(killed.resolve("reopens.csv"), "half");
    night.run();
    assertEquals(5, calls().size());
    assertFalse(Files.exists(killed.resolve("reopens.csv")));
  }

  @Test
  void listAndCommands_runNothing() throws Exception {
    HeadlinesBenchmark.Night night = night();
    assertEquals("to do", night.list().rows().getFirst().getLast());
    assertEquals(4, night.commands().rows().size());
    assertFalse(Files.exists(temp.resolve("calls")));
  }
}
