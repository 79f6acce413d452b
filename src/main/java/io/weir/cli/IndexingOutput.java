package io.weir.cli;

import io.weir.indexing.report.IndexingReport;
import io.weir.indexing.report.IndexingText;
import io.weir.indexing.result.IndexingFiles;
import io.weir.indexing.result.IndexingResult;
import io.weir.stress.result.FailureWords;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;

/**
 * What a person gets of a run of {@code weir index}: first the figures on standard output, then the
 * report in its file.
 */
record IndexingOutput(IndexingFiles files, PrintWriter out, PrintWriter err) {

  /**
   * Prints the tables, or {@code run.json} itself, and writes the report.
   *
   * @return whether the report could be written; the figures are printed in any case
   */
  boolean show(IndexingResult run, boolean json) throws IOException {
    out.print(
        json
            ? Files.readString(files.runJson())
            : new IndexingText(Terminal.wantsColour()).render(run));
    out.flush();
    try {
      IndexingReport.write(files);
      err.println("report: " + files.reportHtml());
      return true;
    } catch (IOException e) {
      err.println(
          "weir: %s cannot be written (%s); the figures are in %s"
              .formatted(files.reportHtml(), FailureWords.of(e), files.runJson()));
      return false;
    }
  }
}
