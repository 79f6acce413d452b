package io.weir.indexing.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.corpus.ReadProblems;
import io.weir.indexing.plan.IndexingSettings;
import io.weir.indexing.result.CellKey;
import io.weir.indexing.result.MeasuredCell;
import io.weir.stress.plan.Documents;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.Preset;
import io.weir.suite.Slow;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Slow("indexes for a given time")
class CellRunTest {

  @TempDir Path temp;

  @Test
  void run_aCell_countsWhatIsInItsIndex() throws Exception {
    MeasuredCell cell =
        new CellRun(task(2), NanoClock.SYSTEM, (stage, fraction, detail) -> {}).run();

    assertEquals(ArmStatus.DONE, cell.status());
    try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(temp.resolve("index")))) {
      assertEquals(reader.numDocs(), cell.whole().documents());
    }
    assertTrue(cell.whole().flushes() > 0, cell.toString());
    assertTrue(cell.whole().writeAmplification().orElseThrow() >= 1, cell.toString());
    assertEquals(0, cell.drain().documents());
    assertEquals(0, cell.whole().mergeDebtBytes());
    assertEquals(cell.drain().toSeconds(), cell.whole().toSeconds());
    assertTrue(cell.source().gigabytesPerHour() > cell.whole().gigabytesPerHour(), cell.toString());
    assertTrue(cell.noise().orElseThrow().host().isPresent());
    assertTrue(Files.readAllLines(temp.resolve("series.csv")).size() > 10);
  }

  @Test
  void run_thatIsStopped_returnsWhatItHas() throws Exception {
    CellRun[] run = new CellRun[1];
    run[0] =
        new CellRun(
            task(3600),
            NanoClock.SYSTEM,
            (stage, fraction, detail) -> {
              if (stage.equals("indexing")) {
                run[0].stop();
              }
            });

    MeasuredCell cell = run[0].run();

    assertEquals(ArmStatus.INTERRUPTED, cell.status());
    assertTrue(cell.whole().documents() > 0, cell.toString());
  }

  @Test
  void feeders_oneThatFails_stopsAllAndIsThrown() throws Exception {
    MemoryDocuments documents =
        MemoryDocuments.load(
            new Documents("synthetic:10", 1, 0), 1_000_000, new ReadProblems(), () -> false);
    Feeders failing =
        Feeders.of(
                "test",
                3,
                1,
                documents,
                (number, text, random) -> {
                  throw new IOException("disk full");
                })
            .start();
    failing.stop();

    assertTrue(failing.failed());
    IOException thrown = assertThrows(IOException.class, failing::throwFailure);
    assertTrue(thrown.getMessage().contains("disk full"), thrown.getMessage());
  }

  private CellTask task(int seconds) {
    return new CellTask(
        new CellKey("stock", 2, 2_000_000),
        1,
        IndexingSettings.DEFAULT.with(ArmSetting.PRESET, Preset.STOCK),
        new Documents("synthetic:1000", 1, 0),
        1_000_000,
        Duration.ofSeconds(seconds),
        1,
        temp.resolve("index"),
        temp.resolve("series.csv"));
  }
}
