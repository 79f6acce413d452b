package io.weir.report.html;

import io.weir.report.chart.ArmMarks;
import io.weir.report.compare.RunComparison;
import io.weir.report.model.LatencyCurve;
import io.weir.report.model.LatencyCurves;
import io.weir.report.svg.HtmlText;
import io.weir.report.table.ComparisonTable;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The page of runs that are compared: for each arm the differences from the first run, and the
 * latencies of all runs as curves, one colour for each run; then what else differs.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a histogram log that cannot be read is an {@link
 * IOException}; without one, its curve is missing.
 */
public final class ComparisonPage {

  private ComparisonPage() {}

  /**
   * Writes the page.
   *
   * @param runs by their names, the one that the others are compared with first
   * @param comparison of these, which has no obstacles
   */
  public static void write(Path page, Map<String, RunFiles> runs, RunComparison comparison)
      throws IOException {
    RunJson.replace(page, render(runs, comparison));
  }

  private static String render(Map<String, RunFiles> runs, RunComparison comparison)
      throws IOException {
    List<String> names = List.copyOf(runs.keySet());
    ArmMarks marks = new ArmMarks(names);
    Page page =
        new Page(
            "What changed between runs",
            String.join(", ", names.subList(1, names.size())) + " against " + names.getFirst());
    StringBuilder alerts = new StringBuilder();
    comparison
        .incomparable()
        .forEach(
            (run, arms) ->
                alerts.append(
                    Html.failure("Not comparable", run + ": " + String.join("; ", arms))));
    page.add(alerts.isEmpty() ? "" : "<section class=\"alerts\">\n" + alerts + "</section>\n");
    if (comparison.differences().isEmpty()) {
      page.add(Html.hint("No arm of the same name has figures in these runs."));
    }
    Map<String, LatencyCurves> curves = new LinkedHashMap<>();
    Set<String> arms = new LinkedHashSet<>();
    for (Map.Entry<String, RunFiles> run : runs.entrySet()) {
      Run read = run.getValue().read();
      arms.addAll(read.names());
      curves.put(run.getKey(), LatencyCurves.read(run.getValue(), read));
    }
    int number = 0;
    for (String arm : arms) {
      number++;
      page.section(
          "arm-" + number,
          HtmlText.escape(arm),
          differences(arm, names.getFirst(), comparison)
              + Html.two(PercentileFigures.of("run", ofArm(arm, curves), marks)));
    }
    return page.section("changes", "What else differs", changes(comparison)).render();
  }

  private static String differences(String arm, String base, RunComparison comparison) {
    return comparison.differences().containsKey(arm)
        ? Html.tables(
            HtmlTable.of(
                ComparisonTable.of(
                    "",
                    "run",
                    "all rounds",
                    base,
                    comparison.differences().get(arm),
                    comparison.incomparable().isEmpty())))
        : "";
  }

  /** The curves of one arm, each named after its run. */
  private static LatencyCurves ofArm(String arm, Map<String, LatencyCurves> runs) {
    return new LatencyCurves(
        ofArm(arm, runs, LatencyCurves::reopens), ofArm(arm, runs, LatencyCurves::searches), 0);
  }

  private static List<LatencyCurve> ofArm(
      String arm,
      Map<String, LatencyCurves> runs,
      Function<LatencyCurves, List<LatencyCurve>> load) {
    List<LatencyCurve> curves = new ArrayList<>();
    runs.forEach(
        (run, all) ->
            load.apply(all).stream()
                .filter(curve -> curve.arm().equals(arm))
                .map(curve -> new LatencyCurve(run, curve.nanos(), curve.maxNanos()))
                .forEach(curves::add));
    return curves;
  }

  private static String changes(RunComparison comparison) {
    return comparison.changes().entrySet().stream()
        .map(
            run ->
                "<h3>%s</h3>\n<ul>\n%s</ul>\n"
                    .formatted(
                        HtmlText.escape(run.getKey()),
                        run.getValue().stream()
                            .map(change -> "<li>" + HtmlText.escape(change) + "</li>\n")
                            .collect(Collectors.joining())))
        .collect(Collectors.joining());
  }
}
