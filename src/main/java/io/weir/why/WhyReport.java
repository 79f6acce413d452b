package io.weir.why;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.nrt.SlowReopen;
import io.weir.report.chart.Axis;
import io.weir.report.chart.Chart;
import io.weir.report.chart.Chart.Form;
import io.weir.report.chart.Chart.Series;
import io.weir.report.html.ChartFigure;
import io.weir.report.html.Html;
import io.weir.report.html.HtmlTable;
import io.weir.report.html.Page;
import io.weir.report.table.Sheet;
import io.weir.report.table.Table;
import io.weir.report.text.TerminalText;
import io.weir.report.words.Figures;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One observation with its answer, as text, JSON or one HTML page. Stacks are class and method
 * names; no document, query or setting of the application is in any of them.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class WhyReport {

  /** The version of the JSON. */
  static final int SCHEMA_VERSION = 1;

  private static final int HEIGHT = 130;
  private static final int FIGURES = 3;
  private static final int STACKS = 3;
  private static final int FRAMES = 8;
  private static final String TITLE = "Why refreshes are slow";
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Observation seen;
  private final Answer answer;

  /** A report of what was seen. */
  public WhyReport(Observation seen) {
    this.seen = seen;
    this.answer = Answer.of(seen);
  }

  /** The value of a fact with its unit, about three digits; empty if it was not seen. */
  static Optional<String> spelled(Observation seen, Fact fact) {
    return seen.value(fact).stream().mapToObj(value -> spelled(value, fact)).findFirst();
  }

  static String spelled(double value, Fact fact) {
    return spelled(value) + (fact.unit().isEmpty() ? "" : " " + fact.unit());
  }

  static String spelled(double value) {
    return value == Math.rint(value) ? Figures.plain(value) : Figures.brief(value);
  }

  /** Advice, the least change first. */
  private List<Rule.Advice> advice() {
    return answer.rule().map(Rule::advice).orElse(List.of()).stream()
        .sorted(Comparator.comparing(Rule.Advice::help))
        .toList();
  }

  private static String sentence(Rule.Advice advice) {
    String label = advice.help().label();
    return "%s: %s [%s]"
        .formatted(
            label.substring(0, 1).toUpperCase(Locale.ROOT) + label.substring(1),
            advice.text(),
            advice.source());
  }

  /** What no rule can say is said too. */
  private List<String> help() {
    List<String> help = new ArrayList<>(advice().stream().map(WhyReport::sentence).toList());
    answer.rule().ifPresent(rule -> help.add("How that is known: " + rule.source() + "."));
    return help;
  }

  private static Table table(String title, Observation seen, List<Fact> facts) {
    return Sheet.<Fact>of(title)
        .word("figure", Fact::label)
        .cell(
            "value", "", fact -> seen.value(fact).stream().mapToObj(WhyReport::spelled).findFirst())
        .word("unit", Fact::unit)
        .table(facts);
  }

  private List<Fact> figures() {
    return answer.figures().stream()
        .filter(fact -> seen.value(fact).isPresent())
        .limit(FIGURES)
        .toList();
  }

  /** As text for a terminal. Its first line is the answer. */
  public String text(boolean colour) {
    TerminalText form = new TerminalText(colour);
    StringBuilder out = new StringBuilder();
    form.paragraph(out, "", "", TerminalText.plain(answer.sentence()));
    answer.also().forEach(also -> form.paragraph(out, "", "Also:     ", also));
    out.append('\n');
    figures()
        .forEach(
            fact ->
                form.paragraph(
                    out,
                    "",
                    "",
                    "  %10s  %s".formatted(spelled(seen, fact).orElseThrow(), fact.label())));
    list(form, out, "WHAT HELPS", help());
    list(form, out, "NOT SEEN", seen.unseen());
    list(form, out, "COST", seen.cost());
    return out.toString();
  }

  /** A heading and lines; nothing without lines. */
  static void list(TerminalText form, StringBuilder out, String name, List<String> lines) {
    if (!lines.isEmpty()) {
      out.append('\n').append(form.styled("1", name)).append('\n');
      lines.forEach(line -> form.paragraph(out, "", "", TerminalText.plain(line)));
    }
  }

  /** As JSON, with everything that was seen. */
  public String json() throws IOException {
    ObjectNode root = JSON.objectNode();
    root.put("whySchemaVersion", SCHEMA_VERSION);
    root.put("verdict", id(answer.verdict()));
    root.put("answer", answer.sentence());
    answer.rule().ifPresent(rule -> root.put("rule", rule.id()));
    strings(root.putArray("also"), answer.also());
    ArrayNode advice = root.putArray("advice");
    advice()
        .forEach(
            one ->
                advice
                    .addObject()
                    .put("help", id(one.help()))
                    .put("text", one.text())
                    .put("source", one.source()));
    answer.rule().ifPresent(rule -> root.put("source", rule.source()));
    strings(root.putArray("figures"), figures().stream().map(Fact::id).toList());
    ObjectNode facts = root.putObject("facts");
    seen.facts()
        .forEach(
            (fact, value) ->
                facts.putObject(fact.id()).put("value", value).put("unit", fact.unit()));
    ArrayNode stacks = root.putArray("stacks");
    for (SlowReopen.Stack stack : seen.stacks()) {
      ObjectNode node = stacks.addObject();
      node.put("cause", stack.cause().name().toLowerCase(Locale.ROOT));
      node.put("samples", stack.samples());
      node.put("millis", stack.nanos() / 1_000_000);
      strings(node.putArray("frames"), stack.frames().stream().map(WhyReport::frame).toList());
    }
    ObjectNode series = root.putObject("series");
    numbers(series.putArray("seconds"), seen.series().seconds());
    numbers(series.putArray("refreshPercent"), seen.series().refresh());
    numbers(series.putArray("merges"), seen.series().merges());
    numbers(series.putArray("diskMegabytesPerSecond"), seen.series().diskMegabytes());
    numbers(series.putArray("dirtyMegabytes"), seen.series().dirtyMegabytes());
    numbers(series.putArray("ioPressurePercent"), seen.series().pressure());
    ObjectNode about = root.putObject("about");
    seen.about().forEach(about::put);
    strings(root.putArray("unseen"), seen.unseen());
    strings(root.putArray("cost"), seen.cost());
    return written(root);
  }

  private static String frame(StackTraceElement frame) {
    return frame.getClassName() + "." + frame.getMethodName();
  }

  /** The name of a constant in JSON. */
  static String id(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** A whole file. */
  static String written(ObjectNode root) throws IOException {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(root)
        + "\n";
  }

  static void strings(ArrayNode array, List<String> texts) {
    texts.forEach(array::add);
  }

  private static void numbers(ArrayNode array, List<Double> values) {
    for (double value : values) {
      if (Double.isNaN(value)) {
        array.addNull();
      } else {
        array.add(Math.round(value * 1000) / 1000.0);
      }
    }
  }

  /** As a page that needs no network and no other file. */
  public String html() throws IOException {
    List<Fact> rest = new ArrayList<>(seen.facts().keySet());
    rest.removeAll(figures());
    return new Page(
            TITLE,
            seen.about().entrySet().stream()
                .limit(FIGURES)
                .map(about -> about.getKey() + " " + about.getValue())
                .collect(Collectors.joining(" \u00b7 ")))
        .add(Html.answer(List.of(answer.sentence()), String.join(" ", answer.also())))
        .section(
            "figures",
            "What shows it",
            Html.tables(HtmlTable.of(table("The evidence", seen, figures()))))
        .section("time", "Over time", picture())
        .section("help", "What helps", list(help()))
        .section(
            "stacks",
            "What refreshes did",
            seen.stacks().isEmpty() ? "" : Html.tables(HtmlTable.of(stacks())))
        .section("unseen", "What could not be seen", list(seen.unseen()))
        .section("cost", "What this look has cost", list(seen.cost()))
        .section(
            "all",
            "All that was seen",
            Html.tables(HtmlTable.of(table("Other facts", seen, rest), about())))
        .render();
  }

  static String list(List<String> lines) {
    return Html.headlines(lines.stream().map(Html::headline).collect(Collectors.joining()));
  }

  private Table about() {
    return Sheet.<Map.Entry<String, String>>of("What was looked at")
        .word("what", Map.Entry::getKey)
        .word("value", Map.Entry::getValue)
        .table(List.copyOf(seen.about().entrySet()));
  }

  private Table stacks() {
    return Sheet.<SlowReopen.Stack>wide("The stacks with the most time, innermost call first")
        .word("cause", stack -> stack.cause().label())
        .word(
            "calls",
            stack ->
                stack.frames().stream()
                    .limit(FRAMES)
                    .map(WhyReport::brief)
                    .collect(Collectors.joining(" < ")))
        .count("samples", stack -> Optional.of(stack.samples()))
        .table(seen.stacks().stream().limit(STACKS).toList());
  }

  /** {@code IndexWriter.getReader}. */
  private static String brief(StackTraceElement frame) {
    String type = frame.getClassName();
    return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
  }

  /** Refreshes and merges above, the disk and dirty pages below, on one time. */
  private String picture() {
    Observation.Series over = seen.series();
    return Html.two(
            picture(
                    "refreshes",
                    "How much of the time a refresh ran",
                    "%",
                    "purple",
                    over.refresh())
                + picture("merges", "How many merges ran", "merges", "teal", over.merges()))
        + Html.two(
            picture("disk", "What the disk read and wrote", "MB/s", "steel", over.diskMegabytes())
                + picture("dirty", "Dirty pages", "MB", "blue", over.dirtyMegabytes()));
  }

  private String picture(String id, String title, String unit, String colour, List<Double> values) {
    List<Double> seconds = seen.series().seconds();
    Axis x = Axis.seconds(0, seconds.isEmpty() ? 1 : seconds.getLast());
    boolean isShare = unit.equals(Fact.PERCENT);
    Chart chart =
        new Chart(
            id,
            title,
            summary(title, unit, values),
            HEIGHT,
            x,
            isShare ? Axis.named(unit, 0, 100, List.of()) : Axis.linear(unit, 0),
            Optional.empty(),
            List.of(Series.of(id, "", colour, Form.FILLED, seconds, values)),
            List.of(),
            List.of());
    return ChartFigure.picture(
        "", isShare ? chart : Chart.onOneScale(List.of(chart), x).getFirst(), "");
  }

  /** For those who do not see the picture. */
  private static String summary(String title, String unit, List<Double> values) {
    return values.stream()
        .filter(value -> !value.isNaN())
        .max(Double::compare)
        .map(most -> "%s: at most %s %s".formatted(title, spelled(most), unit))
        .orElse(title);
  }
}
