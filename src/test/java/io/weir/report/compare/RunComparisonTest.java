package io.weir.report.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.compare.Difference.Verdict;
import io.weir.run.ArmFigures;
import io.weir.run.HeaderFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.RunJson;
import io.weir.run.Values;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunComparisonTest {

  private static final Map<String, String> WORKLOAD = Map.of("docs", "synthetic", "seed", "1");

  @Test
  void of_runsOfFiveRounds_tellsWhichArmDiffers() {
    Run first = run(WORKLOAD, machine(), "0.1", arms("a", 10, 11, 12, 10, 11, 9));
    Run second = run(WORKLOAD, machine(), "0.1", arms("a", 20, 22, 24, 21, 19));
    Run third = run(WORKLOAD, machine(), "0.1", arms("a", 9, 12, 11, 10, 12));
    RunComparison comparison = compare(first, second, third);

    assertEquals(Map.of(), comparison.obstacles());
    assertEquals(Map.of(), comparison.changes());
    List<Difference> differences =
        comparison.differences().get("a").stream()
            .filter(d -> d.figure() == RunFigure.REOPEN_P99)
            .toList();
    assertEquals(List.of("run 2", "run 3"), differences.stream().map(Difference::name).toList());
    assertEquals(Verdict.HIGHER, differences.get(0).verdict());
    assertEquals(2.02, differences.get(0).ratio(), 0.02);
    assertEquals(5, differences.get(0).rounds());
    assertEquals(10.456, differences.get(0).base(), 0.001); // geometric
    assertEquals(Verdict.NONE, differences.get(1).verdict());
  }

  /** Rounds of two runs have nothing to do with each other, so their order cannot matter. */
  @Test
  void of_sameRoundsInAnotherOrder_hasTheSameRatioAndNoVerdict() {
    Run first = run(WORKLOAD, machine(), "0.1", arms("a", 10, 20, 40, 80, 160));
    Run second = run(WORKLOAD, machine(), "0.1", arms("a", 160, 10, 80, 20, 40));
    Difference p99 = p99(compare(first, second));
    assertEquals(1, p99.ratio(), 1e-12);
    assertEquals(Verdict.NONE, p99.verdict());
  }

  private static Difference p99(RunComparison comparison) {
    return comparison.differences().get("a").stream()
        .filter(difference -> difference.figure() == RunFigure.REOPEN_P99)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void of_fewRounds_hasNoVerdict() {
    Run five = run(WORKLOAD, machine(), "0.1", arms("a", 1, 2, 3, 4, 5));
    Run four = run(WORKLOAD, machine(), "0.1", arms("a", 100, 200, 300, 400));
    assertEquals(Verdict.TOO_FEW_ROUNDS, p99(compare(five, four)).verdict());
    assertEquals(Verdict.TOO_FEW_ROUNDS, p99(compare(four, five)).verdict());
  }

  @Test
  void of_armsOfOneRunAlone_areLeftOut() {
    List<Part> arms = new ArrayList<>(arms("a", 1, 2));
    arms.addAll(arms("b", 1, 2));
    Run first = run(WORKLOAD, machine(), "0.1", arms);
    Run second = run(WORKLOAD, machine(), "0.1", arms("b", 1, 2));
    assertEquals(Set.of("b"), compare(first, second).differences().keySet());
  }

  @Test
  void of_otherWorkOrMachine_isRefusedWithWhatDiffers() {
    Map<String, String> work =
        Map.of(
            "docs",
            "wiki.xml",
            "rounds",
            "7",
            "indexBytes",
            "5",
            "indexBytes-resident-compound",
            "6");
    Map<String, Object> machine = new HashMap<>(machine());
    machine.put("memoryBytes", 16_000_000_000L);
    machine.put("storage", Map.of("fileSystemType", "xfs"));
    Run first = run(WORKLOAD, machine(), "0.1", arms("a", 1, 2));
    RunComparison comparison = compare(first, run(work, machine, "0.1", arms("a", 1, 2)));

    assertEquals(
        Map.of(
            "run 2",
            List.of(
                "docs: synthetic, then wiki.xml",
                "seed: 1, then none",
                "storage.fileSystemType: ext4, then xfs",
                "storage.totalBytes: 1000, then none",
                "memoryBytes: 8000000000, then 16000000000")),
        comparison.obstacles());
    assertEquals(Map.of(), comparison.differences());
  }

  @Test
  void of_otherQueries_isRefusedButForTermsThatAreDrawnTheSameWay() {
    Values terms = queries("terms", 2000, "aa");
    Values mixed = queries("mixed", 2000, "bb");
    assertQueries(List.of(), List.of(), Values.NONE, Values.NONE);
    assertQueries(List.of(), List.of(), mixed, queries("file", 2000, "bb"));
    assertQueries(
        List.of(),
        List.of("queries: terms, 2000 with sha256 aa, then terms, 2000 with sha256 cc"),
        terms,
        queries("terms", 2000, "cc"));
    assertQueries(
        List.of("queries: terms, 2000 with sha256 aa, then mixed, 2000 with sha256 bb"),
        List.of(),
        terms,
        mixed);
    assertQueries(
        List.of("queries: none, then file, 2 with sha256 aa"),
        List.of(),
        Values.NONE,
        queries("file", 2, "aa"));
    assertQueries(
        List.of("queries: mixed, 2000 with sha256 bb, then mixed, 2000 with sha256 cc"),
        List.of(),
        mixed,
        queries("mixed", 2000, "cc"));
  }

  private static Values queries(String kind, long count, String sha256) {
    return Values.builder()
        .put(HeaderFigures.QUERIES_KIND, kind)
        .put(HeaderFigures.QUERIES_COUNT, count)
        .put(HeaderFigures.QUERIES_SHA256, sha256)
        .build();
  }

  private static void assertQueries(
      List<String> obstacles, List<String> changes, Values base, Values other) {
    List<Part> arms = arms("a", 1, 2);
    RunComparison comparison =
        compare(
            run(WORKLOAD, base, machine(), "0.1", arms),
            run(WORKLOAD, other, machine(), "0.1", arms));
    assertEquals(obstacles, comparison.obstacles().getOrDefault("run 2", List.of()));
    assertEquals(changes, comparison.changes().getOrDefault("run 2", List.of()));
  }

  @Test
  void of_anUpgrade_isToldAndCompared() {
    Map<String, Object> machine = new HashMap<>(machine());
    machine.put("kernel", "6.6");
    machine.put("memoryBytes", 8_010_000_000L); // the new kernel keeps a little less for itself
    RunComparison comparison =
        compare(
            run(WORKLOAD, machine(), "0.1", arms("a", 1, 2)),
            run(WORKLOAD, machine, "0.2", withSetting(arms("a", 1, 2), "cap", "off")));
    assertEquals(
        Map.of(
            "run 2",
            List.of("weir: 0.1, then 0.2", "kernel: 6.1, then 6.6", "arm a: cap: none, then off")),
        comparison.changes());
    assertTrue(comparison.differences().containsKey("a"));
  }

  @Test
  void of_anotherStateOfThePageCache_isToldWhetherAskedForOrNot() {
    RunComparison comparison = compare(inCache("as-is", 1, 0.9), inCache("cold", 0.1, 0.0));
    assertEquals(
        List.of(
            "arm a: cache: as-is, then cold",
            "arm a: index in the page cache when it was opened: 95 %, then 5 %"),
        comparison.changes().get("run 2"));
    assertEquals(Map.of(), comparison.obstacles());
    assertEquals(
        List.of("arm a: index in the page cache when it was opened: 85 %, then 55 %"),
        compare(inCache("as-is", 0.8, 0.9), inCache("as-is", 0.6, 0.5)).changes().get("run 2"));
    assertEquals(Map.of(), compare(inCache("as-is", 0.8, 0.9), inCache("as-is", 0.9)).changes());
  }

  private static Run inCache(String asked, double... shares) {
    List<Part> arms = new ArrayList<>();
    for (double share : shares) {
      QuickResult arm = new QuickResult().reopens(1);
      arm.settings = Map.of("cache", asked);
      arm.values.put(ArmFigures.CACHE_ASKED, asked).put(ArmFigures.RESIDENT_SHARE, share);
      arms.add(arm.result("a", arms.size() + 1));
    }
    Map<String, String> work = new HashMap<>(WORKLOAD);
    work.put("cache", asked); // as a run repeats it; still it is a setting of arms
    return run(work, machine(), "0.1", arms);
  }

  @Test
  void of_runsThatKnowNothingOfTheirMachine_areComparedByTheirWork() {
    Run first = run(WORKLOAD, Map.of(), "0.1", arms("a", 1, 2));
    assertEquals(Map.of(), compare(first, first).obstacles());
    assertTrue(
        compare(first, run(WORKLOAD, machine(), "0.1", arms("a", 1, 2)))
            .obstacles()
            .get("run 2")
            .contains("cpu.model: none, then Example"));
  }

  private static RunComparison compare(Run... runs) {
    Map<String, Run> named = new LinkedHashMap<>();
    for (Run run : runs) {
      named.put("run " + (named.size() + 1), run);
    }
    return RunComparison.of(named);
  }

  private static Map<String, Object> machine() {
    return Map.of(
        "cpu",
        Map.of("model", "Example", "logicalCores", 8),
        "memoryBytes",
        8_000_000_000L,
        "kernel",
        "6.1",
        "storage",
        Map.of("fileSystemType", "ext4", "totalBytes", 1000, "usableBytes", 10));
  }

  private static Run run(
      Map<String, String> workload, Map<String, Object> machine, String version, List<Part> arms) {
    return run(workload, Values.NONE, machine, version, arms);
  }

  private static Run run(
      Map<String, String> workload,
      Values queries,
      Map<String, Object> machine,
      String version,
      List<Part> arms) {
    QuickRun run = new QuickRun();
    run.weir = version;
    run.environment = RunJson.tree(machine);
    run.workload = workload;
    run.values.put(queries);
    return run.result(arms);
  }

  private static List<Part> arms(String name, double... millis) {
    List<Part> arms = new ArrayList<>();
    for (double value : millis) {
      arms.add(arm(name, arms.size() + 1, Map.of(), value));
    }
    return arms;
  }

  private static List<Part> withSetting(List<Part> arms, String key, String value) {
    return arms.stream()
        .map(
            arm ->
                arm(
                    arm.name(),
                    arm.round(),
                    Map.of(key, value),
                    RunFigure.REOPEN_P99.of(arm).orElseThrow()))
        .toList();
  }

  private static Part arm(String name, int round, Map<String, String> settings, double millis) {
    QuickResult arm = new QuickResult().reopens(millis);
    arm.values.put(
        ArmFigures.REOPEN,
        Phase.DURING,
        new LatencySummary(1000, millis, millis, millis, millis, millis));
    arm.settings = settings;
    return arm.result(name, round);
  }
}
