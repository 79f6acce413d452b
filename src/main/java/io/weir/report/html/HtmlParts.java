package io.weir.report.html;

import io.weir.report.chart.ArmCharts;
import io.weir.report.chart.Panel;
import io.weir.report.model.CapCurves;
import io.weir.report.svg.CapPicture;
import io.weir.report.svg.HtmlText;
import io.weir.report.table.ArmTables;
import io.weir.report.table.CapTable;
import io.weir.report.table.ComparisonTable;
import io.weir.report.words.Answer;
import io.weir.report.words.ArmRuns;
import io.weir.report.words.Figures;
import io.weir.report.words.Headline;
import io.weir.report.words.SloWords;
import io.weir.report.words.SweepWords;
import io.weir.run.Failure;
import io.weir.run.HeaderFigures;
import io.weir.run.Part;
import io.weir.run.Run;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The parts of the page that need no script. */
final class HtmlParts {
  private static final DateTimeFormatter DAY_AND_TIME =
      DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  /** What every measured arm has left, and most pictures are of. */
  private static final List<String> DRAWN = List.of("reopens.csv", "series.csv");

  private final Run run;

  HtmlParts(Run run) {
    this.run = run;
  }

  String subtitle() {
    List<String> parts = new ArrayList<>();
    parts.add(DAY_AND_TIME.format(run.startedAt()));
    parts.add("took " + Figures.seconds(run.duration().toMillis() / 1e3));
    parts.add("Weir " + run.weir());
    parts.add("Lucene " + run.lucene());
    return HtmlText.escape(String.join(" \u00b7 ", parts));
  }

  /** What went wrong; empty when nothing did. */
  String alerts(int unreadableLines, List<String> missingFiles) {
    StringBuilder out = new StringBuilder();
    if (run.interrupted()) {
      alert(out, "warning", "Interrupted", "The run was stopped, so its figures are partial.", "");
    }
    for (Part arm : run.failed().toList()) {
      Failure failure = arm.failure().orElseThrow();
      String lines = String.join("\n", failure.lastLines());
      String more = lines.isEmpty() ? "" : "<pre>" + HtmlText.escape(lines) + "</pre>";
      alert(out, "failure", "Failed", who(arm) + failure.reason(), more);
    }
    run.slos().stream()
        .filter(slo -> !slo.met())
        .forEach(
            slo ->
                alert(
                    out,
                    "failure",
                    "Missed",
                    "%s: %s, measured %s".formatted(slo.arm(), slo.slo(), SloWords.measured(slo)),
                    ""));
    if (unreadableLines > 0) {
      String what =
          Figures.count(unreadableLines, "line")
              + " of the CSV files and histogram logs could not be read";
      alert(out, "warning", "Incomplete files", what, "");
    }
    List<String> drawn = missingFiles.stream().filter(DRAWN::contains).toList();
    if (!drawn.isEmpty() && run.measured().findAny().isPresent()) {
      String what =
          "%s not in the run directory, so pictures of these samples are missing"
              .formatted(String.join(" and ", drawn) + (drawn.size() == 1 ? " is" : " are"));
      alert(out, "warning", "Missing files", what, "");
    }
    return out.isEmpty()
        ? ""
        : "<section class=\"alerts\" aria-label=\"Failures\">\n" + out + "</section>\n";
  }

  /** What the run found; empty when there is nothing to compare. */
  String answer() {
    Answer answer = Answer.of(run);
    if (answer.paragraphs().isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder("<div class=\"answer\">\n");
    for (String paragraph : answer.paragraphs()) {
      out.append("<p>%s</p>\n".formatted(HtmlText.escape(paragraph)));
    }
    answer
        .caveat()
        .ifPresent(
            caveat ->
                out.append("<p class=\"caveat\">%s</p>\n".formatted(HtmlText.escape(caveat))));
    return out.append("</div>\n").toString();
  }

  String headlines() {
    StringBuilder out = new StringBuilder();
    for (Headline headline : run.sweep().isPresent() ? SweepWords.of(run) : Headline.of(run)) {
      out.append(
          "<li><strong>%s</strong> %s.</li>\n"
              .formatted(HtmlText.escape(headline.arm()), HtmlText.escape(headline.sentence())));
    }
    return out.toString();
  }

  /** Objectives, differences and merges over the whole width, then the details. */
  String tables() {
    ArmTables arms = new ArmTables(run);
    return (run.sweep().isEmpty() ? caps() : "")
        + HtmlTable.of(arms.slos(), ComparisonTable.of(run), arms.merges(), arms.deadlines())
        + HtmlTable.of(arms.loads())
        + HtmlTable.of(
            arms.slowReopens(), arms.pauses(), arms.cache(), arms.noise(), arms.instrument());
  }

  /** What each cap costs and what readers felt; empty unless arms differ in their caps. */
  String caps() {
    return CapCurves.of(run)
        .map(
            caps ->
                "<div class=\"card\">\n"
                    + CapPicture.inline(caps)
                    + "</div>\n"
                    + HtmlTable.of(CapTable.of(run, caps)))
        .orElse("");
  }

  String charts(List<ArmCharts> arms) {
    StringBuilder out = new StringBuilder();
    Set<String> differing = differingSettings();
    for (int i = 0; i < arms.size(); i++) {
      ArmCharts charts = arms.get(i);
      Part arm = charts.arm();
      out.append(
          "<section class=\"arm charts-%d\" aria-label=\"%s\">\n<header><h3>%s</h3><p>%s</p></header>\n"
              .formatted(
                  charts.panels().size(),
                  HtmlText.escape(armTitle(arm)),
                  HtmlText.escape(armTitle(arm)),
                  HtmlText.escape(settings(arm, differing::contains))));
      for (Panel panel : charts.panels()) {
        String summary = HtmlText.escape(panel.summary());
        out.append(
            "<figure class=\"panel\" data-arm=\"%d\" data-panel=\"%s\">\n<figcaption><h4>%s</h4><p class=\"summary\">%s</p></figcaption>\n"
                .formatted(
                    i, panel.kind().id(), panel.kind().title(), panel.measured() ? summary : ""));
        out.append(
            panel.measured()
                ? "<div class=\"plot\" role=\"img\" aria-label=\"%s, %s: %s\"></div>"
                    .formatted(HtmlText.escape(armTitle(arm)), panel.kind().title(), summary)
                : "<p class=\"absent\">%s</p>".formatted(summary));
        out.append("\n</figure>\n");
      }
      out.append("</section>\n");
    }
    return out.toString();
  }

  String facts() {
    StringBuilder out = new StringBuilder();
    definitions(out, "Machine", EnvironmentFacts.of(run.environment()));
    definitions(out, "Workload", workload());
    Map<String, String> arms = new LinkedHashMap<>();
    run.parts().forEach(arm -> arms.put(armTitle(arm), settings(arm, name -> true)));
    definitions(out, "Arms", arms);
    out.append(
        "<h3>Command</h3>\n<pre>weir %s</pre>\n"
            .formatted(HtmlText.escape(EnvironmentFacts.commandLine(run.command()))));
    return out.toString();
  }

  private Map<String, String> workload() {
    Map<String, String> workload = new LinkedHashMap<>(run.workload());
    run.values()
        .get(HeaderFigures.QUERIES_KIND)
        .ifPresent(
            kind ->
                workload.put(
                    "queries", kind + ", " + run.values().require(HeaderFigures.QUERIES_COUNT)));
    return workload;
  }

  private static void definitions(StringBuilder out, String title, Map<String, String> facts) {
    if (facts.isEmpty()) {
      return;
    }
    out.append("<h3>").append(title).append("</h3>\n<dl>\n");
    facts.forEach(
        (name, value) ->
            out.append(
                "<dt>%s</dt><dd>%s</dd>\n"
                    .formatted(HtmlText.escape(name), HtmlText.escape(value))));
    out.append("</dl>\n");
  }

  private static void alert(StringBuilder out, String kind, String word, String what, String more) {
    out.append(
        "<div class=\"alert %s\"><p><strong>%s</strong> %s</p>%s</div>\n"
            .formatted(kind, word, HtmlText.escape(what), more));
  }

  private static String who(Part arm) {
    return "%s, round %d: ".formatted(arm.name(), arm.round());
  }

  private String armTitle(Part arm) {
    return ArmRuns.hasRounds(run) ? arm.name() + ", round " + arm.round() : arm.name();
  }

  /** Names of the settings in which arms differ: the subject of the comparison. */
  private Set<String> differingSettings() {
    Map<String, Set<Optional<String>>> values = new LinkedHashMap<>();
    Set<String> names = new HashSet<>();
    run.parts().forEach(arm -> names.addAll(arm.settings().keySet()));
    for (String name : names) {
      for (Part arm : run.parts()) {
        Optional<String> value = Optional.ofNullable(arm.settings().get(name));
        values.computeIfAbsent(name, unused -> new HashSet<>()).add(value);
      }
    }
    values.values().removeIf(different -> different.size() < 2);
    return values.keySet();
  }

  /** {@code cap=10MB/s, unmap=deferred}; only those that are {@code wanted}. */
  private static String settings(Part arm, Predicate<String> wanted) {
    List<String> parts = new ArrayList<>();
    arm.settings()
        .forEach(
            (name, value) -> {
              if (wanted.test(name)) {
                parts.add(name + "=" + value);
              }
            });
    return String.join(", ", parts);
  }
}
