package io.weir.cli;

import io.weir.indexing.report.IndexingReport;
import io.weir.indexing.report.IndexingText;
import io.weir.report.html.HtmlReport;
import io.weir.report.load.LoadPage;
import io.weir.report.load.LoadText;
import io.weir.report.svg.CapPicture;
import io.weir.report.svg.RunPicture;
import io.weir.report.text.JUnitXml;
import io.weir.report.text.ResultTable;
import io.weir.run.FailureWords;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a person gets of a run: first the figures on standard output, then the report in its file.
 */
record RunOutput(RunFiles files, PrintWriter out, PrintWriter err) {

  /**
   * Prints the tables, or {@code run.json} itself, and writes the report, and the objectives for
   * build servers.
   *
   * @return whether the report could be written; the figures are printed in any case
   */
  boolean show(Run run, boolean json) throws IOException {
    out.print(json ? Files.readString(files.runJson()) : text(run));
    out.flush();
    boolean html = written(files.reportHtml(), () -> writePage(run));
    boolean rest =
        switch (run.kind()) {
          case STRESS, SWEEP -> writeRest(run);
          case LOAD, INDEX -> true; // the page is all of it
        };
    if (html) {
      err.println("report: " + files.reportHtml());
    }
    return html && rest;
  }

  private static String text(Run run) {
    boolean colour = Terminal.wantsColour();
    return switch (run.kind()) {
      case STRESS, SWEEP -> new ResultTable(colour).render(run);
      case LOAD -> new LoadText(colour).render(run);
      case INDEX -> new IndexingText(colour).render(run);
    };
  }

  private void writePage(Run run) throws IOException {
    switch (run.kind()) {
      case STRESS, SWEEP -> new HtmlReport().write(files);
      case LOAD -> new LoadPage().write(files);
      case INDEX -> IndexingReport.write(files);
    }
  }

  private boolean writeRest(Run run) {
    boolean xml = written(files.sloXml(), () -> new JUnitXml().write(files, run));
    boolean svg = written(files.reportSvg(), () -> new RunPicture().write(files));
    boolean sweep = written(files.sweepSvg(), () -> new CapPicture().write(files));
    return xml && svg && sweep;
  }

  /** Writes something that is not the figures themselves. */
  private interface Writing {
    void run() throws IOException;
  }

  private boolean written(Path file, Writing writing) {
    try {
      writing.run();
      return true;
    } catch (IOException e) {
      err.println(
          "weir: %s cannot be written (%s); the figures are in %s"
              .formatted(file, FailureWords.of(e), files.runJson()));
      return false;
    }
  }
}
