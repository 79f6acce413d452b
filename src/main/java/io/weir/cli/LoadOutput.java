package io.weir.cli;

import io.weir.load.result.LoadFiles;
import io.weir.load.result.LoadRun;
import io.weir.report.load.LoadPage;
import io.weir.report.load.LoadText;
import io.weir.stress.result.FailureWords;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;

/** What a person gets of a run of {@code weir load}: the figures first, then the report. */
record LoadOutput(LoadFiles files, PrintWriter out, PrintWriter err) {

  /**
   * Prints the tables, or {@code load.json} itself, and writes the report.
   *
   * @return whether the report could be written; the figures are printed in any case
   */
  boolean show(LoadRun run, boolean json) throws IOException {
    out.print(
        json
            ? Files.readString(files.loadJson())
            : new LoadText(Terminal.wantsColour()).render(run));
    out.flush();
    try {
      new LoadPage().write(files);
    } catch (IOException e) {
      err.println(
          "weir: %s cannot be written (%s); the figures are in %s"
              .formatted(files.reportHtml(), FailureWords.of(e), files.loadJson()));
      return false;
    }
    err.println("report: " + files.reportHtml());
    return true;
  }
}
