package io.weir.report.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.report.SampleRun;
import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelinesTest {
  private static final String REOPENS =
      "arm,round,phase,intended_nanos,started_nanos,visible_nanos,finished_nanos,result\n";

  @TempDir Path directory;

  @Test
  void read_sampleRun_givesEachArmItsOwnRows() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    Timelines timelines = Timelines.read(files);
    for (Part arm : files.read().measured().toList()) {
      long count =
          arm.latency(ArmFigures.REOPEN, Phase.BEFORE).count()
              + arm.latency(ArmFigures.REOPEN, Phase.DURING).count()
              + arm.latency(ArmFigures.REOPEN, Phase.AFTER).count();
      assertEquals(count, timelines.reopens(arm).size());
      assertTrue(timelines.samples(arm).has("dirty_bytes"));
    }
    assertEquals(0, timelines.unreadableLines());
  }

  @Test
  void read_noCsvFiles_isEmpty() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    Files.delete(files.reopensCsv());
    Files.delete(files.slowReopensCsv()); // as in runs of before it was there
    Files.delete(files.seriesCsv());
    Timelines timelines = Timelines.read(files);
    Part arm = files.read().parts().get(0);
    assertEquals(0, timelines.reopens(arm).size());
    assertEquals(0, timelines.samples(arm).size());
    assertEquals(List.of(), timelines.slowReopens(arm));
  }

  @Test
  void read_tornLastLines_countsThemAndKeepsTheRest() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    Part arm = files.read().parts().get(0);
    int whole = Timelines.read(files).reopens(arm).size();
    append(files.reopensCsv(), "\"uncapped\",1,after,123");
    append(files.seriesCsv(), "\"uncap");
    append(files.slowReopensCsv(), "\"uncapped\",1,after,1,2,3,4,flush,unmap,0");
    Timelines timelines = Timelines.read(files);
    assertEquals(whole, timelines.reopens(arm).size());
    assertEquals(3, timelines.unreadableLines());
  }

  @Test
  void read_emptyCells_areAbsent() throws IOException {
    RunFiles files = SampleRun.pair(directory);
    Part arm = files.read().parts().get(0);
    Files.writeString(files.reopensCsv(), REOPENS + "uncapped,1,during,5,6,,,failed\n");
    Files.writeString(
        files.seriesCsv(),
        """
        arm,round,phase,time_nanos,dirty_bytes,cap_state,cap_bytes_per_second
        uncapped,1,before,0,,unlimited,
        uncapped,1,before,100,7,paused,
        """);
    Timelines timelines = Timelines.read(files);
    assertEquals(
        new ReopenRow("during", 5, OptionalLong.empty(), true, OptionalLong.of(6), Map.of()),
        timelines.reopens(arm).get(0));
    Samples samples = timelines.samples(arm);
    assertEquals(OptionalLong.empty(), samples.value("dirty_bytes", 0));
    assertEquals(OptionalLong.of(7), samples.value("dirty_bytes", 1));
    assertEquals(OptionalLong.empty(), samples.value("cap_bytes_per_second", 0));
    assertEquals(OptionalLong.of(0), samples.value("cap_bytes_per_second", 1));
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }
}
