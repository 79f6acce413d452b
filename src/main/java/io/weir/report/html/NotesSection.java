package io.weir.report.html;

import io.weir.report.svg.HtmlText;
import io.weir.report.words.Notes;
import io.weir.report.words.Notes.Finding;
import io.weir.report.words.Notes.Note;
import java.util.stream.Collectors;

/**
 * What a reader must know before trusting the figures: a box for warnings, which says what they
 * are, and a box for noise, which says how much there was. Both unfold.
 */
public final class NotesSection {

  private NotesSection() {}

  /** Empty when there is nothing to say. */
  public static String html(Notes warnings, Notes noise) {
    if (warnings.isEmpty() && noise.isEmpty()) {
      return "";
    }
    StringBuilder out = new StringBuilder();
    out.append("<section class=\"notes\" aria-label=\"Warnings and noise\">\n");
    if (!warnings.isEmpty()) {
      String what =
          warnings.notes().stream()
              .flatMap(note -> note.findings().stream())
              .map(Finding::what)
              .collect(Collectors.joining("; "));
      append(out, warnings, "Warnings", warnings.count("warning") + ": " + what);
    }
    if (!noise.isEmpty()) {
      append(out, noise, "Noise", "the machine was not quiet: " + noise.count("finding"));
    }
    return out.append("</section>\n").toString();
  }

  private static void append(StringBuilder out, Notes notes, String word, String summary) {
    out.append(
        "<details class=\"alert warning\">\n<summary><strong>%s</strong> %s</summary>\n<ul>\n"
            .formatted(word, HtmlText.escape(summary)));
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
}
