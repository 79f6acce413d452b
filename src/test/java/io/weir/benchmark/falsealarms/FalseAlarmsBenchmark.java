package io.weir.benchmark.falsealarms;

import io.weir.benchmark.kit.Benchmark;
import io.weir.benchmark.kit.Conditions;
import io.weir.benchmark.kit.TextTable;
import io.weir.procfs.Procfs;
import io.weir.report.compare.Comparison;
import io.weir.report.compare.Difference;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import io.weir.stress.QuickArm;
import io.weir.stress.experiment.Experiment;
import io.weir.stress.experiment.ExperimentListener;
import io.weir.stress.experiment.StressRun;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.setting.ArmSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Repeats an experiment with two equal arms and counts what it says. */
public final class FalseAlarmsBenchmark implements Benchmark {

  private static final String FIRST = "A";
  private static final String SECOND = "A again";

  /**
   * How much.
   *
   * @param documents of the index
   * @param repetitions whole experiments
   * @param rounds of each
   */
  record Plan(int documents, int repetitions, int rounds, QuickArm arm) {

    static Plan full() {
      QuickArm arm = new QuickArm();
      arm.set(ArmSetting.WARMUP, Duration.ofSeconds(1));
      arm.set(ArmSetting.BEFORE, Duration.ofSeconds(1));
      return new Plan(60_000, 20, 5, arm);
    }

    static Plan quick() {
      return new Plan(2_000, 2, 5, new QuickArm());
    }
  }

  @Override
  public String name() {
    return "false-alarms";
  }

  @Override
  public String summary() {
    return "how often weir stress tells two equal arms to differ, over whole experiments";
  }

  @Override
  public TextTable run(Conditions conditions) throws Exception {
    return table(measure(conditions.quick() ? Plan.quick() : Plan.full(), conditions));
  }

  /** The comparison of each repetition. */
  List<Comparison> measure(Plan plan, Conditions conditions) throws Exception {
    Path work = Files.createTempDirectory(conditions.directory(), "false-alarms");
    try {
      List<Comparison> comparisons = new ArrayList<>();
      for (int repetition = 1; repetition <= plan.repetitions(); repetition++) {
        Run run = experiment(plan, work, repetition);
        if (run.parts().stream().anyMatch(arm -> arm.status() != Status.DONE)) {
          throw new IllegalStateException("an arm of repetition " + repetition + " has failed");
        }
        Comparison comparison = Comparison.of(run).orElseThrow();
        comparisons.add(comparison);
        conditions
            .progress()
            .println(
                "false-alarms: repetition %d of %d, alarms: %s"
                    .formatted(
                        repetition,
                        plan.repetitions(),
                        comparison.differences().stream()
                            .filter(FalseAlarmsBenchmark::isAlarm)
                            .map(difference -> difference.figure().id())
                            .toList()));
      }
      return comparisons;
    } finally {
      delete(work);
    }
  }

  private static Run experiment(Plan plan, Path work, int repetition) throws Exception {
    // One index for all, so one seed; each second experiment has the arms the other way round.
    StressPlan stress =
        new StressPlan(
            new Documents("synthetic:" + plan.documents(), 1, 0),
            QuerySource.TERMS,
            Optional.of(work.resolve("index")),
            work.resolve("run-" + repetition),
            repetition % 2 == 1
                ? List.of(arm(FIRST, plan), arm(SECOND, plan))
                : List.of(arm(SECOND, plan), arm(FIRST, plan)),
            plan.rounds(),
            Duration.ofMillis(50),
            false,
            false,
            Telemetry.NONE,
            List.of());
    return new Experiment<>(
            StressRun.onLucene(stress),
            new Experiment.Origin("benchmark", List.of()),
            Procfs.SYSTEM,
            new ExperimentListener() {},
            Duration.ZERO)
        .run();
  }

  private static Arm arm(String name, Plan plan) {
    return new Arm(name, plan.arm().settings());
  }

  static TextTable table(List<Comparison> comparisons) {
    Map<RunFigure, List<Difference>> byFigure = new TreeMap<>();
    for (Comparison comparison : comparisons) {
      for (Difference difference : comparison.differences()) {
        byFigure.computeIfAbsent(difference.figure(), f -> new ArrayList<>()).add(difference);
      }
    }
    TextTable table =
        new TextTable(
            "false-alarms: %d experiments with two equal arms, %d rounds each"
                .formatted(comparisons.size(), comparisons.get(0).rounds()),
            1,
            "figure",
            "experiments",
            "told to differ",
            "expected",
            "largest difference %",
            "median interval %");
    byFigure.forEach(
        (figure, differences) ->
            table.row(
                figure.id(),
                Integer.toString(differences.size()),
                Long.toString(alarms(differences)),
                decimal(expected(differences.size())),
                decimal(
                    differences.stream()
                        .mapToDouble(d -> Math.abs(d.ratio() - 1) * 100)
                        .max()
                        .orElseThrow()),
                decimal(medianWidthPercent(differences))));
    List<Difference> all = byFigure.values().stream().flatMap(List::stream).toList();
    return table
        .row(
            "all",
            Integer.toString(all.size()),
            Long.toString(alarms(all)),
            decimal(expected(all.size())),
            "",
            "")
        .note("expected: of equal arms, at a level of %d %%".formatted(Comparison.LEVEL_PERCENT))
        .note("interval: half its width, of the ratio of the two arms");
  }

  private static double expected(int experiments) {
    return experiments * (100 - Comparison.LEVEL_PERCENT) / 100.0;
  }

  private static long alarms(List<Difference> differences) {
    return differences.stream().filter(FalseAlarmsBenchmark::isAlarm).count();
  }

  private static boolean isAlarm(Difference difference) {
    return difference.isApart();
  }

  private static double medianWidthPercent(List<Difference> differences) {
    return RunFigure.median(
        differences.stream()
            .flatMap(d -> d.interval().stream())
            .mapToDouble(ends -> (ends.high() - ends.low()) / 2 * 100)
            .toArray());
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static void delete(Path root) throws IOException {
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
