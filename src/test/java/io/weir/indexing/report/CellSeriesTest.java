package io.weir.indexing.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.indexing.report.IndexingReport.CellSeries;
import io.weir.run.RunFiles;
import io.weir.stress.arm.logs.ArmCsv;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CellSeriesTest {

  private static final String NAME = "a \"b\", 2 threads, 64MB";

  @TempDir Path temp;

  @Test
  void read_aNameWithQuotesAndALineThatIsCutOff_hasAllThatIsWhole() throws Exception {
    RunFiles files = new RunFiles(temp);
    try (ArmCsv lines =
        new ArmCsv(
            Files.newBufferedWriter(files.seriesCsv()),
            NAME,
            1,
            "cell",
            "round",
            "time_nanos",
            "text_bytes",
            "flushed_bytes",
            "merged_bytes")) {
      lines.line(0L, 0L, 0L, 0L);
      lines.line(1_000_000_000L, 10_000_000L, 4_000_000L, 2_000_000L);
    }
    Files.writeString(files.seriesCsv(), "other,1,20", StandardOpenOption.APPEND);

    Map<CellSeries.Key, CellSeries> all = CellSeries.read(files);

    CellSeries series = all.get(new CellSeries.Key(NAME, 1));
    assertEquals(1, all.size(), all.toString());
    assertEquals(50, series.times().size()); // 20 ms each
    assertEquals(0.01, series.times().getFirst(), 1e-9);
    assertEquals(36, series.gigabytesPerHour().getLast(), 1e-9);
    assertEquals(4, series.flushedPerSecond().getLast(), 1e-9);
    assertEquals(2, series.mergedPerSecond().getLast(), 1e-9);
  }
}
