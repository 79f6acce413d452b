package io.weir.why;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.report.html.Html;
import io.weir.report.html.HtmlTable;
import io.weir.report.html.Page;
import io.weir.report.table.Sheet;
import io.weir.report.table.Table;
import io.weir.report.text.TerminalText;
import io.weir.why.ShareOfTime.Change;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether advice helped: two observations, compared, as text, JSON or one HTML page.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class ComparisonReport {

  /** The version of the JSON. */
  static final int SCHEMA_VERSION = 1;

  /** So many facts fit on a screen. */
  private static final int FACTS = 12;

  private static final String TITLE = "Did the advice help?";
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Comparison comparison;
  private final String nameBefore;
  private final String nameAfter;

  /**
   * Compares.
   *
   * @param nameBefore what the user calls {@code before}, such as its file
   */
  public ComparisonReport(
      String nameBefore, Observation before, String nameAfter, Observation after) {
    this.comparison = new Comparison(before, after);
    this.nameBefore = nameBefore;
    this.nameAfter = nameAfter;
  }

  /** As text for a terminal. Its first line is the answer. */
  public String text(boolean colour) {
    TerminalText form = new TerminalText(colour);
    StringBuilder out = new StringBuilder();
    form.paragraph(out, "", "", TerminalText.plain(comparison.sentence()));
    out.append('\n');
    form.paragraph(out, "", "Before:   ", comparison.answerBefore().sentence());
    form.paragraph(out, "", "Now:      ", comparison.answerAfter().sentence());
    out.append('\n');
    form.appendWhole(out, table(comparison.facts().stream().limit(FACTS).toList()));
    WhyReport.list(form, out, "SEEN IN ONE LOOK ONLY", inOneOnly());
    WhyReport.list(form, out, "WHAT THIS SAYS", meaning());
    return out.toString();
  }

  private Table table(List<Fact> facts) {
    return Sheet.<Fact>of("Facts of the cause, then those that changed most")
        .word("figure", Fact::label)
        .cell("before", "", fact -> spelled(comparison.before(), fact))
        .cell("now", "", fact -> spelled(comparison.after(), fact))
        .text("unit", "", Fact::unit)
        .cell("beyond chance", "", fact -> comparison.change(fact).map(ComparisonReport::word))
        .table(facts);
  }

  private static Optional<String> spelled(Observation seen, Fact fact) {
    return Comparison.value(seen, fact).stream().mapToObj(WhyReport::spelled).findFirst();
  }

  private static String word(Change change) {
    return switch (change) {
      case LESS -> "less";
      case MORE -> "more";
      case WITHIN_CHANCE -> "no";
    };
  }

  private List<String> inOneOnly() {
    return Stream.of(
            only("Before only", comparison.facts(comparison.before())),
            only("Now only", comparison.facts(comparison.after())),
            comparison.unseen(comparison.before()).stream().map("Not seen before: "::concat),
            comparison.unseen(comparison.after()).stream().map("Not seen now: "::concat))
        .flatMap(lines -> lines)
        .toList();
  }

  private static Stream<String> only(String when, List<Fact> facts) {
    return facts.isEmpty()
        ? Stream.empty()
        : Stream.of(
            "%s: %s."
                .formatted(
                    when, facts.stream().map(Fact::label).collect(Collectors.joining("; "))));
  }

  private static List<String> meaning() {
    return List.of(
        "One look before and one now are one sample each. A change counts if it is beyond two standard"
            + " errors of the difference, which follow from how many looks there were and how often"
            + " refreshes came; a dash: no error is known.",
        "What made a change is not seen: load, data and neighbours change too. Look again, before and"
            + " after, to be sure.");
  }

  /** As JSON. */
  public String json() throws IOException {
    ObjectNode root = JSON.objectNode();
    root.put("whyComparisonSchemaVersion", SCHEMA_VERSION);
    root.put("outcome", WhyReport.id(comparison.outcome()));
    root.put("answer", comparison.sentence());
    WhyReport.strings(root.putArray("obstacles"), comparison.obstacles());
    WhyReport.strings(root.putArray("load"), comparison.load());
    look(root.putObject("before"), nameBefore, comparison.before(), comparison.answerBefore());
    look(root.putObject("after"), nameAfter, comparison.after(), comparison.answerAfter());
    ArrayNode facts = root.putArray("facts");
    for (Fact fact : comparison.facts()) {
      ObjectNode node = facts.addObject().put("id", fact.id()).put("unit", fact.unit());
      Comparison.value(comparison.before(), fact).ifPresent(value -> node.put("before", value));
      Comparison.value(comparison.after(), fact).ifPresent(value -> node.put("after", value));
      comparison.change(fact).ifPresent(change -> node.put("change", WhyReport.id(change)));
    }
    return WhyReport.written(root);
  }

  private void look(ObjectNode node, String name, Observation seen, Answer answer) {
    node.put("file", name);
    node.put("verdict", WhyReport.id(answer.verdict()));
    node.put("answer", answer.sentence());
    answer.rule().ifPresent(rule -> node.put("rule", rule.id()));
    WhyReport.strings(
        node.putArray("only"), comparison.facts(seen).stream().map(Fact::id).toList());
    WhyReport.strings(node.putArray("unseen"), comparison.unseen(seen));
  }

  /** As a page that needs no network and no other file. */
  public String html() throws IOException {
    return new Page(TITLE, nameBefore + " \u00b7 " + nameAfter)
        .add(Html.answer(List.of(comparison.sentence()), ""))
        .section(
            "answers",
            "The answer of each look",
            WhyReport.list(
                List.of(
                    "Before: " + comparison.answerBefore().sentence(),
                    "Now: " + comparison.answerAfter().sentence())))
        .section(
            "figures",
            "What shows it",
            Html.tables(HtmlTable.of(List.of(table(comparison.facts())))))
        .section("meaning", "What this says", WhyReport.list(meaning()))
        .section("unseen", "What only one look saw", WhyReport.list(inOneOnly()))
        .section("about", "What was looked at", Html.tables(HtmlTable.of(List.of(about()))))
        .render();
  }

  private Table about() {
    Set<String> names = new LinkedHashSet<>(comparison.before().about().keySet());
    names.addAll(comparison.after().about().keySet());
    return Sheet.<String>wide("Before and now")
        .word("what", name -> name)
        .word("before", name -> comparison.before().about().getOrDefault(name, "-"))
        .word("now", name -> comparison.after().about().getOrDefault(name, "-"))
        .table(List.copyOf(names));
  }
}
