package io.weir.report.chart;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.report.chart.Chart.Band;
import io.weir.report.model.Samples;
import io.weir.report.model.Timelines;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The charts of one arm in one round, and the span of the merge in them.
 *
 * @param merge empty when the merge never began
 */
public record ArmCharts(Part arm, List<Chart> charts, Optional<Band> merge) {

  /** The most arms side by side in a picture. */
  private static final int MOST_ARMS = 4;

  /** From top to bottom. */
  static final List<String> ORDER =
      List.of(
          "reopens",
          "searches",
          "pauses",
          "processors",
          "dirty",
          "merge",
          "goal",
          "cache",
          "pressure",
          "memory");

  /**
   * How much one chart may draw.
   *
   * @param reopens the most reopens; of more, the slowest of each group of neighbours is drawn
   * @param pauses the most pauses of the collector; of more, the longest of each group
   * @param windows the most windows of samples
   */
  public record Limits(int reopens, int pauses, int windows) {}

  private static final Limits OF_PICTURES = new Limits(2000, 4000, 400);

  /** The chart called {@code id}. */
  public Chart chart(String id) {
    return charts.stream().filter(chart -> chart.id().equals(id)).findFirst().orElseThrow();
  }

  /** The charts of every arm and round, in the order of the run, each kind on one scale. */
  public static List<ArmCharts> all(Run run, Timelines timelines, Limits limits) {
    DirtyView view = DirtyView.of(run.parts().stream().map(timelines::samples).toList());
    SlowReopenCauses causes = new SlowReopenCauses(run.parts(), timelines);
    boolean pauses = run.parts().stream().anyMatch(arm -> PauseChart.reported(arm, timelines));
    boolean goals =
        run.parts().stream().anyMatch(arm -> timelines.samples(arm).has("goal_limit_nanos"));
    boolean refaults =
        run.parts().stream().anyMatch(arm -> timelines.samples(arm).has("refaulted_bytes"));
    boolean processors =
        run.parts().stream().anyMatch(arm -> timelines.samples(arm).has("process_cpu_nanos"));
    List<ArmCharts> all = new ArrayList<>();
    for (Part arm : run.parts()) {
      List<Chart> charts = new ArrayList<>();
      charts.add(
          ReopenChart.of(
              timelines.reopens(arm), causes.of(timelines.slowReopens(arm)), limits.reopens()));
      if (pauses) {
        charts.add(PauseChart.of(arm, timelines, limits.pauses()));
      }
      SampleCharts sampled = new SampleCharts(timelines.samples(arm), limits.windows());
      charts.addAll(sampled.all(view));
      if (goals) {
        charts.add(sampled.goal());
      }
      if (processors) {
        charts.add(sampled.processors(cores(run)));
      }
      if (refaults) {
        charts.add(sampled.cache());
      }
      charts.sort(Comparator.comparing(chart -> ORDER.indexOf(chart.id())));
      all.add(new ArmCharts(arm, charts, span(arm, timelines.samples(arm))));
    }
    return onOneScale(all);
  }

  private static OptionalInt cores(Run run) {
    JsonNode cores = run.environment().at("/cpu/logicalCores");
    return cores.isInt() ? OptionalInt.of(cores.intValue()) : OptionalInt.empty();
  }

  /**
   * The first round of the first arms at a glance: reopens, the slowest searches and dirty pages.
   */
  public static List<ArmCharts> atAGlance(Run run, Timelines timelines) {
    return onOneScale(
        all(run, timelines, OF_PICTURES).stream()
            .filter(arm -> arm.arm().round() == 1)
            .limit(MOST_ARMS)
            .map(
                arm ->
                    new ArmCharts(
                        arm.arm(),
                        List.of(
                            arm.chart("reopens")
                                .only("Reopen latency", 150, "latency", "slow", "failed"),
                            arm.chart("searches").only("Slowest searches", 70, "slowest"),
                            arm.chart("dirty").only("Dirty pages", 80, "dirty")),
                        arm.merge()))
            .toList());
  }

  private static List<ArmCharts> onOneScale(List<ArmCharts> arms) {
    Axis x =
        Axis.seconds(0, Math.max(1, arms.stream().mapToDouble(ArmCharts::end).max().orElse(1)));
    List<List<Chart>> fitted = new ArrayList<>();
    arms.forEach(arm -> fitted.add(new ArrayList<>()));
    int kinds = arms.isEmpty() ? 0 : arms.getFirst().charts.size();
    for (int kind = 0; kind < kinds; kind++) {
      int at = kind;
      List<Chart> together = Chart.onOneScale(arms.stream().map(a -> a.charts.get(at)).toList(), x);
      for (int i = 0; i < arms.size(); i++) {
        ArmCharts arm = arms.get(i);
        fitted
            .get(i)
            .add(
                together
                    .get(i)
                    .with(arm.merge.map(span -> arm.band(span, at)).stream().toList(), List.of()));
      }
    }
    return IntStream.range(0, arms.size())
        .mapToObj(i -> new ArmCharts(arms.get(i).arm, fitted.get(i), arms.get(i).merge))
        .toList();
  }

  /** Its words stand in the uppermost chart alone. */
  private Band band(Band span, int kind) {
    return Band.shaded(span.from(), span.to(), kind == 0 ? span.label() : "");
  }

  private double end() {
    return Math.max(
        charts.stream().mapToDouble(Chart::end).max().orElse(0), merge.map(Band::to).orElse(0.0));
  }

  private static Optional<Band> span(Part arm, Samples samples) {
    return span(arm).or(() -> sampledSpan(arm, samples));
  }

  private static Optional<Band> span(Part arm) {
    return arm.get(ArmFigures.PHASE_SECONDS, Phase.BEFORE)
        .map(before -> longerWarmUp(arm) + before)
        .flatMap(
            from ->
                arm.get(ArmFigures.PHASE_SECONDS, Phase.DURING)
                    .map(length -> span(arm, from, from + length)));
  }

  /** Times in the charts are from the end of the warm-up as requested; it may have gone on. */
  private static double longerWarmUp(Part arm) {
    return arm.get(ArmFigures.WARM_UP_SECONDS)
        .map(seconds -> seconds - arm.require(ArmFigures.WARM_UP_ASKED))
        .orElse(0.0);
  }

  /** An arm that was cut short has no lengths, but its samples carry their phase. */
  private static Optional<Band> sampledSpan(Part arm, Samples samples) {
    double[] during =
        IntStream.range(0, samples.size())
            .filter(row -> samples.phase(row).equals(Phase.DURING.label()))
            .mapToDouble(row -> samples.timeNanos(row) / 1e9)
            .toArray();
    return during.length == 0
        ? Optional.empty()
        : Optional.of(span(arm, during[0], during[during.length - 1]));
  }

  private static Band span(Part arm, double from, double to) {
    return Band.shaded(from, to, label(arm, to - from));
  }

  private static String label(Part arm, double seconds) {
    String length = Figures.seconds(seconds);
    return arm.get(MergeFigures.KIND)
        .map(kind -> kind.equals("none") ? "no merge, the same window" : kind + " merge, " + length)
        .orElse("merge, " + length);
  }
}
