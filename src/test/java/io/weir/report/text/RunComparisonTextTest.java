package io.weir.report.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.report.compare.ConfidenceInterval;
import io.weir.report.compare.Difference;
import io.weir.report.compare.RunComparison;
import io.weir.run.RunFigure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunComparisonTextTest {

  @Test
  void render_isATableForEachArm_andWhatElseDiffers() {
    RunComparison comparison =
        new RunComparison(
            Map.of(),
            Map.of(),
            Map.of("runs/b", List.of("kernel: 6.1, then 6.6\u001b[2J")),
            Map.of(
                "weir",
                List.of(
                    new Difference(
                        "runs/b",
                        RunFigure.REOPEN_P99,
                        31,
                        62.5,
                        2.02,
                        interval(1.7, 2.3),
                        5,
                        true),
                    new Difference(
                        "runs/c", RunFigure.REOPEN_P99, 31, 30, 0.97, interval(0.9, 1.1), 5, true),
                    new Difference(
                        "runs/b",
                        RunFigure.MERGE_SECONDS,
                        112,
                        110,
                        0.98,
                        Optional.empty(),
                        2,
                        true))));
    assertEquals(
        """
        weir: Difference from the first run, all rounds, geometric means with a 95 % interval
        figure         run        mean  differs         interval                   verdict  would see
                                              %                %                                    %
        reopen.p99     runs/a  31.0 ms
                       runs/b  62.5 ms   +102.0  +70.0 to +130.0                    higher          -
                       runs/c  30.0 ms     -3.0   -10.0 to +10.0  no detectable difference         13

        merge.seconds  runs/a  112.0 s
                       runs/b  110.0 s     -2.0                -            too few rounds          -

        Other differences in runs/b
          kernel: 6.1, then 6.6?[2J
        """,
        new RunComparisonText(false).render("runs/a", comparison));
  }

  @Test
  void render_nothingInCommon_saysSo() {
    assertEquals(
        "No arm of the same name has figures in these runs.\n",
        new RunComparisonText(false)
            .render("a", new RunComparison(Map.of(), Map.of(), Map.of(), Map.of())));
  }

  private static Optional<ConfidenceInterval> interval(double low, double high) {
    return Optional.of(new ConfidenceInterval(low, high));
  }
}
