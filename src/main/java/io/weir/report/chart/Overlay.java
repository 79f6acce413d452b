package io.weir.report.chart;

import io.weir.report.chart.Chart.Band;
import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Mark;
import io.weir.report.chart.Chart.Series;
import io.weir.report.words.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All arms of a round in shared charts, aligned at the start of the merge.
 *
 * @param title which round
 * @param missing the arms that are not drawn, because no merge began
 * @param charts those for which any arm has values
 */
public record Overlay(String title, List<String> missing, List<Chart> charts) {

  private static final int HEIGHT = 230;

  /** The series of each chart by which arms are compared. */
  private enum Overlaid {
    REOPENS("reopens", "Reopen latency", "latency", "slow", "failed"),
    SEARCHES("searches", "Slowest searches", "slowest"),
    DIRTY("dirty", "Dirty pages", "dirty"),
    MERGE("merge", "Merge writes", "rate");

    private final String id;
    private final String title;
    private final String[] series;

    Overlaid(String id, String title, String... series) {
      this.id = id;
      this.title = title;
      this.series = series;
    }

    /** The chart of one arm, with the compared series alone. */
    Chart of(ArmCharts arm) {
      return arm.chart(id).only(title, HEIGHT, series);
    }
  }

  /** Those of each round with two arms that merged. */
  public static List<Overlay> of(List<ArmCharts> arms, ArmMarks marks) {
    TreeSet<Integer> rounds = new TreeSet<>();
    arms.forEach(arm -> rounds.add(arm.arm().round()));
    List<Overlay> overlays = new ArrayList<>();
    for (int round : rounds) {
      List<ArmCharts> all = arms.stream().filter(arm -> arm.arm().round() == round).toList();
      List<ArmCharts> merged = all.stream().filter(arm -> arm.merge().isPresent()).toList();
      List<Chart> charts =
          merged.size() < 2
              ? List.of()
              : Stream.of(Overlaid.values())
                  .map(overlaid -> chart(overlaid, merged, marks))
                  .filter(Chart::isMeasured)
                  .toList();
      if (!charts.isEmpty()) {
        overlays.add(
            new Overlay(
                rounds.size() > 1 ? "All arms, round " + round : "All arms",
                all.stream()
                    .filter(arm -> arm.merge().isEmpty())
                    .map(arm -> arm.arm().name())
                    .toList(),
                charts));
      }
    }
    double from = ends(overlays).min().orElse(0);
    double to = ends(overlays).max().orElse(1);
    return overlays.stream()
        .map(one -> new Overlay(one.title, one.missing, one.onOneScale(Axis.seconds(from, to))))
        .toList();
  }

  private List<Chart> onOneScale(Axis x) {
    return charts.stream().flatMap(chart -> Chart.onOneScale(List.of(chart), x).stream()).toList();
  }

  private static DoubleStream ends(List<Overlay> overlays) {
    return overlays.stream()
        .flatMap(one -> one.charts.stream())
        .flatMap(chart -> chart.series().stream())
        .flatMap(one -> Stream.of(one.x().getFirst(), one.x().getLast()))
        .mapToDouble(Double::doubleValue);
  }

  private static Chart chart(Overlaid overlaid, List<ArmCharts> arms, ArmMarks marks) {
    List<Series> series = new ArrayList<>();
    List<Band> bands = new ArrayList<>();
    List<String> largest = new ArrayList<>();
    for (ArmCharts arm : arms) {
      Chart own = overlaid.of(arm);
      if (own.isMeasured()) {
        String name = arm.arm().name();
        Band merge = arm.merge().orElseThrow();
        Series one = aligned(own, name, merge.from(), marks);
        series.add(one);
        bands.add(new Band(0, merge.to() - merge.from(), "", Optional.of(marks.colour(name))));
        largest.add("%s %s %s".formatted(name, Figures.brief(one.largest()), own.left().unit()));
      }
    }
    Chart first = overlaid.of(arms.getFirst());
    return new Chart(
        first.id(),
        first.title(),
        "Largest: " + String.join("; ", largest),
        HEIGHT,
        first.x(),
        first.left(),
        Optional.empty(),
        series,
        bands,
        List.of(new Mark(0, "", "band-ink", false, true)));
  }

  /** The points of all series of {@code own} as one, by their distance from the merge. */
  private static Series aligned(Chart own, String name, double start, ArmMarks marks) {
    record Point(double x, double y) {}
    List<Point> points =
        own.series().stream()
            .flatMap(
                one ->
                    IntStream.range(0, one.x().size())
                        .mapToObj(i -> new Point(one.x().get(i) - start, one.y().get(i))))
            .sorted(Comparator.comparingDouble(Point::x))
            .toList();
    boolean dots = own.series().getFirst().form() == Form.DOT;
    return marks.series(
        name,
        dots ? Form.SHAPE : Form.LINE,
        points.stream().map(Point::x).toList(),
        points.stream().map(Point::y).toList());
  }
}
