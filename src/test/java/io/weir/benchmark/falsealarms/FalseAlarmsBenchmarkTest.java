package io.weir.benchmark.falsealarms;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.benchmark.kit.Conditions;
import io.weir.report.compare.Comparison;
import io.weir.report.compare.ConfidenceInterval;
import io.weir.report.compare.Difference;
import io.weir.run.RunFigure;
import io.weir.stress.QuickArm;
import io.weir.stress.setting.ArmSetting;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Slow("runs a whole experiment")
class FalseAlarmsBenchmarkTest {

  @TempDir Path directory;

  @Test
  @LongRun("the runs whose figures table_countsWhatIsToldToDiffer counts")
  void measure_twoRounds_areComparedAndLeaveNoFile() throws Exception {
    Comparison comparison = measure(2);
    assertEquals(2, comparison.rounds());
    assertFalse(comparison.differences().isEmpty());
  }

  private Comparison measure(int rounds) throws Exception {
    Conditions conditions =
        new Conditions(true, directory, new PrintStream(OutputStream.nullOutputStream()));

    QuickArm arm = new QuickArm(); // it ends before more compilation is of use
    arm.set(ArmSetting.JVM_ARGS, List.of("-XX:TieredStopAtLevel=1"));
    List<Comparison> comparisons =
        new FalseAlarmsBenchmark()
            .measure(new FalseAlarmsBenchmark.Plan(2_000, 1, rounds, arm), conditions);

    assertEquals(1, comparisons.size());
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(0, left.count());
    }
    return comparisons.get(0);
  }

  @Test
  void table_countsWhatIsToldToDiffer() {
    Difference none =
        new Difference("b", RunFigure.REOPEN_P99, 10, 11, 1.1, interval(0.9, 1.3), 5, true);
    Difference higher =
        new Difference("b", RunFigure.REOPEN_P99, 10, 12, 1.2, interval(1.1, 1.3), 5, true);
    Difference lower =
        new Difference("b", RunFigure.SEARCH_P99, 10, 8, 0.8, interval(0.7, 0.9), 5, true);

    List<List<String>> rows =
        FalseAlarmsBenchmark.table(
                List.of(
                    new Comparison("a", 5, List.of(none, lower), List.of(), List.of()),
                    new Comparison("a", 5, List.of(higher), List.of(), List.of())))
            .rows();

    assertEquals(List.of("reopen.p99", "2", "1", "0.1", "20.0", "15.0"), rows.get(0));
    assertEquals(List.of("search.p99", "1", "1", "0.1", "20.0", "10.0"), rows.get(1));
    assertEquals(List.of("all", "3", "2", "0.2", "", ""), rows.get(2));
  }

  private static Optional<ConfidenceInterval> interval(double low, double high) {
    return Optional.of(new ConfidenceInterval(low, high));
  }
}
