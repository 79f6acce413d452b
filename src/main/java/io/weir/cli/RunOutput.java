package io.weir.cli;

import io.weir.report.html.HtmlReport;
import io.weir.report.svg.CapPicture;
import io.weir.report.svg.RunPicture;
import io.weir.report.text.JUnitXml;
import io.weir.report.text.ResultTable;
import io.weir.stress.result.FailureWords;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a person gets of a run: first the figures on standard output, then the report in its file.
 */
record RunOutput(RunFiles files, PrintWriter out, PrintWriter err) {

  /**
   * Prints the table, or {@code run.json} itself, and writes the report, and the objectives for
   * build servers.
   *
   * @return whether the report could be written; the figures are printed in any case
   */
  boolean show(RunResult run, boolean json) throws IOException {
    out.print(
        json
            ? Files.readString(files.runJson())
            : new ResultTable(Terminal.wantsColour()).render(run));
    out.flush();
    boolean xml = written(files.sloXml(), () -> new JUnitXml().write(files, run));
    boolean html = written(files.reportHtml(), () -> new HtmlReport().write(files));
    boolean svg = written(files.reportSvg(), () -> new RunPicture().write(files));
    boolean sweep = written(files.sweepSvg(), () -> new CapPicture().write(files));
    if (html) {
      err.println("report: " + files.reportHtml());
    }
    return xml && html && svg && sweep;
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
