package io.weir.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.report.svg.HtmlText;
import io.weir.report.words.Figures;
import io.weir.report.words.Notes;
import io.weir.report.words.Notes.Finding;
import io.weir.report.words.Notes.Note;
import io.weir.report.words.Remarks;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The blocks of every page, each as HTML; all texts given are plain. */
public final class Html {

  private static final DateTimeFormatter DAY_AND_TIME =
      DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private Html() {}

  /** When a run was made and with what; plain text. */
  public static String subtitle(Instant startedAt, Duration took, String weir, String lucene) {
    return "%s \u00b7 took %s \u00b7 Weir %s \u00b7 Lucene %s"
        .formatted(
            DAY_AND_TIME.format(startedAt), Figures.seconds(took.toMillis() / 1e3), weir, lucene);
  }

  /**
   * What went wrong, in a box; empty when nothing did.
   *
   * @param more of {@link #failure} and {@link #warning}
   */
  public static String alerts(Remarks remarks, String more) {
    StringBuilder out = new StringBuilder();
    remarks.interrupted().ifPresent(what -> out.append(warning("Interrupted", what)));
    remarks
        .failures()
        .forEach(
            failure -> out.append(alert("failure", "Failed", failure.what(), failure.lastLines())));
    out.append(more);
    return out.isEmpty()
        ? ""
        : "<section class=\"alerts\" aria-label=\"Failures\">\n" + out + "</section>\n";
  }

  /** Something that went wrong. */
  static String failure(String word, String text) {
    return alert("failure", word, text, List.of());
  }

  /** Something that makes figures less than they seem. */
  static String warning(String word, String text) {
    return alert("warning", word, text, List.of());
  }

  private static String alert(String kind, String word, String text, List<String> lines) {
    return "<div class=\"alert %s\"><p><strong>%s</strong> %s</p>%s</div>\n"
        .formatted(
            kind,
            HtmlText.escape(word),
            HtmlText.escape(text),
            lines.isEmpty() ? "" : "<pre>" + HtmlText.escape(String.join("\n", lines)) + "</pre>");
  }

  /**
   * What a reader must know before trusting the figures: a box with a list of warnings, and a box
   * for noise, which says how much there was and unfolds. Empty when there is nothing to say.
   */
  public static String notes(Remarks remarks) {
    Notes warnings = remarks.warnings();
    StringBuilder out = new StringBuilder();
    if (!warnings.isEmpty()) {
      append(out, warnings, " open", "Warnings", warnings.count("warning"));
    }
    if (!remarks.noise().isEmpty()) {
      String count = remarks.noise().count("finding");
      append(out, remarks.noise(), "", "Noise", "the machine was not quiet: " + count);
    }
    return out.isEmpty()
        ? ""
        : "<section class=\"notes\" aria-label=\"Warnings and noise\">\n" + out + "</section>\n";
  }

  private static void append(
      StringBuilder out, Notes notes, String state, String word, String summary) {
    out.append(
        "<details class=\"alert warning\"%s>\n<summary><strong>%s</strong> %s</summary>\n<ul>\n"
            .formatted(state, word, HtmlText.escape(summary)));
    for (Note note : notes.notes()) {
      out.append("<li>");
      for (Finding finding : note.findings()) {
        out.append("<p>%s</p>".formatted(HtmlText.escape(finding.sentence())));
      }
      note.cause().ifPresent(cause -> reason(out, "Likely cause", cause));
      note.remedy().ifPresent(remedy -> reason(out, "What helps", remedy));
      out.append("</li>\n");
    }
    out.append("</ul>\n</details>\n");
  }

  private static void reason(StringBuilder out, String word, String text) {
    out.append("<p class=\"why\"><b>%s:</b> %s</p>".formatted(word, HtmlText.escape(text)));
  }

  /** What was found; empty without a sentence. The caveat may be blank. */
  public static String answer(List<String> paragraphs, String caveat) {
    if (paragraphs.isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder("<div class=\"answer\">\n");
    paragraphs.forEach(
        paragraph -> out.append("<p>%s</p>\n".formatted(HtmlText.escape(paragraph))));
    if (!caveat.isEmpty()) {
      out.append("<p class=\"caveat\">%s</p>\n".formatted(HtmlText.escape(caveat)));
    }
    return out.append("</div>\n").toString();
  }

  /** One line of {@link #headlines}, about {@code name}. */
  public static String headline(String name, String sentence) {
    return "<li><strong>%s</strong> %s.</li>\n"
        .formatted(HtmlText.escape(name), HtmlText.escape(sentence));
  }

  /** One line of {@link #headlines}. */
  public static String headline(String sentence) {
    return "<li>%s</li>\n".formatted(HtmlText.escape(sentence));
  }

  /** A list of findings; empty without lines. */
  public static String headlines(String lines) {
    return lines.isEmpty() ? "" : "<ul class=\"headlines\">\n" + lines + "</ul>\n";
  }

  /** A remark in small letters. */
  public static String hint(String text) {
    return "<p class=\"hint\">%s</p>\n".formatted(HtmlText.escape(text));
  }

  /** Blocks in two columns where there is room. */
  public static String two(String blocks) {
    return blocks.isEmpty() ? "" : "<div class=\"two\">\n" + blocks + "</div>\n";
  }

  /** Tables, beside each other where there is room. */
  public static String tables(String tables) {
    return "<div class=\"tables\">\n" + tables + "</div>\n";
  }

  /** {@code cap=10MB/s, unmap=deferred}; plain text. */
  public static String settings(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(setting -> setting.getKey() + "=" + setting.getValue())
        .collect(Collectors.joining(", "));
  }

  /**
   * Where a run was measured.
   *
   * @param arms the settings of each, by its name
   * @param hint what the figures mean
   */
  public static String facts(
      JsonNode environment,
      Map<String, String> workload,
      Map<String, String> arms,
      List<String> command,
      String hint) {
    return definitions("Machine", EnvironmentFacts.of(environment))
        + definitions("Workload", workload)
        + definitions("Arms", arms)
        + "<h3>Command</h3>\n<pre>weir %s</pre>\n"
            .formatted(HtmlText.escape(EnvironmentFacts.commandLine(command)))
        + hint(hint);
  }

  private static String definitions(String title, Map<String, String> facts) {
    if (facts.isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder("<h3>" + title + "</h3>\n<dl>\n");
    facts.forEach(
        (name, value) ->
            out.append(
                "<dt>%s</dt><dd>%s</dd>\n"
                    .formatted(HtmlText.escape(name), HtmlText.escape(value))));
    return out.append("</dl>\n").toString();
  }
}
