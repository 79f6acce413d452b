package io.weir.report.svg;

import io.weir.report.chart.ArmCharts;
import io.weir.report.model.Timelines;
import io.weir.report.words.ArmRuns;
import io.weir.report.words.Headline;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import java.io.IOException;

/**
 * Makes {@code report.svg} of a run directory, for a README or a ticket: each arm in a sentence,
 * then the first arms over time.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user.
 */
public final class RunPicture {

  private static final int WIDTH = 1280;
  private static final String TITLE = "What readers felt while Lucene merged";

  /** Reads the run and writes {@link RunFiles#reportSvg}. */
  public void write(RunFiles files) throws IOException {
    Run run = files.read();
    PictureFile picture =
        new PictureFile(
            TITLE + (ArmRuns.hasRounds(run) ? " (round 1)" : ""),
            WIDTH,
            Headline.of(run).stream()
                .map(headline -> headline.arm() + ": " + headline.sentence() + ".")
                .toList(),
            ArmCharts.atAGlance(run, Timelines.read(files)).stream()
                .map(arm -> new PictureFile.Column(arm.arm().name(), arm.charts()))
                .toList());
    RunJson.replace(files.reportSvg(), picture.render());
  }
}
