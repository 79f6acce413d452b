package io.weir.report.svg;

import io.weir.report.chart.CapChart;
import io.weir.report.model.CapCurves;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Makes {@code sweep.svg} of a run with several caps: the {@link CapChart} alone.
 *
 * <p><b>Threads:</b> stateless. <b>Failure:</b> a run that cannot be read is an {@link IOException}
 * whose message is fit for a user.
 */
public final class CapPicture {

  private static final int WIDTH = 900;

  /** Reads the run and writes {@link RunFiles#sweepSvg} if it has several caps. */
  public void write(RunFiles files) throws IOException {
    Optional<CapCurves> curves = CapCurves.of(files.read());
    if (curves.isPresent()) {
      PictureFile picture =
          new PictureFile(
              CapChart.TITLE,
              WIDTH,
              List.of(),
              List.of(new PictureFile.Column("", List.of(CapChart.of(curves.get())))));
      RunJson.replace(files.sweepSvg(), picture.render());
    }
  }
}
