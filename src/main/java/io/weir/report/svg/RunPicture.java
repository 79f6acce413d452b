package io.weir.report.svg;

import io.weir.report.chart.ArmCharts;
import io.weir.report.model.Timelines;
import io.weir.report.words.Headline;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import java.io.IOException;
import java.util.List;

/**
 * Makes {@code report.svg} of a run directory: a picture for a README or a ticket, without script
 * or network. Each arm in a sentence, then the {@link TimePicture}.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user.
 */
public final class RunPicture {

  private static final int WIDTH = 1280;
  private static final int MARGIN = 28;
  private static final int GUTTER = 52;
  private static final int LINE = 22;
  private static final int TITLE = 34;
  private static final int NAMES = 40;
  private static final String TITLE_TEXT = "What readers felt while Lucene merged";

  /** Reads the run and writes {@link RunFiles#reportSvg}. */
  public void write(RunFiles files) throws IOException {
    RunJson.replace(files.reportSvg(), render(files.read(), Timelines.read(files)));
  }

  private static String render(Run run, Timelines timelines) throws IOException {
    TimePicture picture = new TimePicture(run, timelines);
    List<Headline> headlines = Headline.of(run);
    int top = MARGIN + TITLE + headlines.size() * LINE + NAMES;
    int height = top + TimePicture.HEIGHT + MARGIN / 2;
    StringBuilder out = new StringBuilder();
    Svg.shape(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"time\" viewBox=\"0 0 %d %d\""
            + " width=\"%d\" height=\"%d\" role=\"img\">\n"
            + "<title>%s</title>\n"
            + "<style>%s</style>\n"
            + "<rect class=\"paper\" width=\"100%%\" height=\"100%%\"/>",
        WIDTH,
        height,
        WIDTH,
        height,
        TITLE_TEXT,
        ReportResource.read("picture.css") + ReportResource.read("time.css"));
    boolean rounds = run.parts().stream().anyMatch(arm -> arm.round() > 1);
    text(out, "title", MARGIN, MARGIN + 14, TITLE_TEXT + (rounds ? " (round 1)" : ""));
    int y = MARGIN + TITLE;
    for (Headline headline : headlines) {
      y += LINE;
      text(out, "headline", MARGIN, y - 6, headline.arm() + ": " + headline.sentence() + ".");
    }
    int width = (WIDTH - 2 * MARGIN) / Math.max(1, picture.arms().size()) - GUTTER;
    for (int i = 0; i < picture.arms().size(); i++) {
      ArmCharts arm = picture.arms().get(i);
      int x = MARGIN + GUTTER + i * (width + GUTTER);
      text(out, "name", x, top - 4, arm.arm().name());
      Svg.shape(
          out,
          "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" overflow=\"visible\">",
          x,
          top,
          width,
          TimePicture.HEIGHT);
      out.append(picture.elements(arm)).append("</svg>\n");
    }
    return out.append("</svg>\n").toString();
  }

  private static void text(StringBuilder out, String style, int x, int y, String text) {
    Svg.shape(
        out, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>", style, x, y, HtmlText.escape(text));
  }
}
