package io.weir.indexing.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.corpus.ReadProblems;
import io.weir.fakes.CapturedLog;
import io.weir.fakes.ForwardingClock;
import io.weir.indexing.plan.CellKey;
import io.weir.indexing.plan.IndexingSettings;
import io.weir.merge.MergeListener;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Window;
import io.weir.run.FailureWords;
import io.weir.run.Part;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.stress.Await;
import io.weir.stress.arm.meters.CapWatch;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.Preset;
import io.weir.suite.Slow;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Slow("indexes for a given time")
@Timeout(300)
class CellRunTest {

  private static final int FLUSHES = 20;

  @TempDir Path temp;

  @Test
  void run_aCell_countsWhatIsInItsIndex() throws Exception {
    Part cell = new CellRun(task(2), NanoClock.SYSTEM, (stage, fraction, detail) -> {}).run();

    assertEquals(Status.DONE, cell.status());
    try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(temp.resolve("index")))) {
      assertEquals(reader.numDocs(), cell.require(CellFigures.DOCUMENTS, Window.WHOLE));
    }
    assertTrue(cell.require(CellFigures.FLUSHES, Window.WHOLE) > 0, cell.toString());
    assertTrue(
        cell.require(CellFigures.FLUSHED, Window.WHOLE)
                + cell.require(CellFigures.MERGED, Window.WHOLE)
            >= segmentBytes(),
        cell.toString());
    assertEquals(0, cell.require(CellFigures.DOCUMENTS, Window.DRAIN));
    assertEquals(0, cell.require(CellFigures.MERGE_DEBT, Window.WHOLE));
    assertEquals(
        cell.require(CellFigures.TO, Window.DRAIN), cell.require(CellFigures.TO, Window.WHOLE));
    assertTrue(
        cell.require(CellFigures.SOURCE_RATE) > cell.require(CellFigures.RATE, Window.WHOLE),
        cell.toString());
    assertTrue(cell.get(CellFigures.NOISE_HOST).isPresent());
    assertTrue(Files.readAllLines(temp.resolve("series.csv")).size() > 10);
  }

  @Test
  void ofCap_eachTrouble_isAWarning() {
    CapWatch.Trouble trouble =
        new CapWatch.Trouble(3, Optional.of(new CapWatch.Shortfall(5e6, 12e6, 13.2e6)));

    assertEquals(List.of(), CellRun.ofCap(CapWatch.Trouble.NONE));
    assertEquals(
        List.of(
            "the cap was lifted 3 times, so the rates are higher than the cap allows",
            "the cap of 5.0 MB/s cannot keep up: in the long run merges must write 12 MB/s"),
        CellRun.ofCap(trouble).stream().map(RunWarning::what).toList());
  }

  /** Weir says so, or has lifted the cap already; which comes first depends on the machine. */
  @Test
  void run_underACapThatIsFarTooLow_warns() throws Exception {
    CellRun[] run = new CellRun[1];
    try (CapturedLog log = CapturedLog.of(MergeListener.class.getPackage())) {
      run[0] =
          new CellRun(
              cappedTask(),
              NanoClock.SYSTEM,
              (stage, fraction, detail) -> {
                if (log.messages().stream().anyMatch(said -> said.contains("cap"))) {
                  run[0].stop();
                }
              });

      Part cell = run[0].run();

      assertTrue(
          cell.warnings().stream().anyMatch(w -> w.what().startsWith("the cap ")), cell.toString());
    }
  }

  /** Feeding has ended with space; the merges that are still to be done have none. */
  @Test
  void run_whoseMergesFillTheDisk_fails() throws Exception {
    AtomicLong freeBytes = new AtomicLong(Long.MAX_VALUE);
    AtomicLong aheadNanos = new AtomicLong();
    NanoClock clock =
        new ForwardingClock(NanoClock.SYSTEM) {
          @Override
          public long nanoTime() {
            return super.nanoTime() + aheadNanos.get();
          }
        };
    CellRun run =
        new CellRun(
            cappedTask(),
            clock,
            (stage, fraction, detail) -> {
              if (stage.equals("finishing merges")) {
                freeBytes.set(511_000_000);
              } else if (flushes(detail) >= FLUSHES) {
                aheadNanos.set(TimeUnit.HOURS.toNanos(1));
              }
            },
            freeBytes::get);

    IOException thrown = assertThrows(IOException.class, run::run);

    assertTrue(
        thrown.getMessage().contains("must keep 512 MB free, the index left it 511 MB"),
        thrown.getMessage());
    // Its JVM then says that line and ends, without a stack trace, as on a full disk.
    assertEquals(Optional.of(thrown.getMessage()), FailureWords.fullDisk(thrown, temp));
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

    Part cell = run[0].run();

    assertEquals(Status.INTERRUPTED, cell.status());
    assertTrue(cell.require(CellFigures.DOCUMENTS, Window.WHOLE) > 0, cell.toString());
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
    Await.until("a thread has failed", failing::failed);
    failing.stop();

    assertTrue(failing.failed());
    IOException thrown = assertThrows(IOException.class, failing::throwFailure);
    assertTrue(thrown.getMessage().contains("disk full"), thrown.getMessage());
  }

  /**
   * After so many flushes there are merges, and under such a cap they last. How long that takes
   * depends on the machine, so the cell is not to end by itself before.
   */
  private CellRun.Task cappedTask() {
    return task(
        3600, IndexingSettings.DEFAULT.withText(ArmSetting.CAP, "20KB/s"), 1_000_000, FLUSHES);
  }

  private static int flushes(String detail) {
    Matcher flushes = Pattern.compile("(\\d+) flushes").matcher(detail);
    return flushes.find() ? Integer.parseInt(flushes.group(1)) : 0;
  }

  private long segmentBytes() throws IOException {
    long bytes = 0;
    try (Directory directory = FSDirectory.open(temp.resolve("index"))) {
      for (String name : directory.listAll()) {
        bytes += name.startsWith("_") ? directory.fileLength(name) : 0;
      }
    }
    return bytes;
  }

  private CellRun.Task task(int seconds) {
    return task(
        seconds, IndexingSettings.DEFAULT.with(ArmSetting.PRESET, Preset.STOCK), 2_000_000, 1);
  }

  private CellRun.Task task(int seconds, ArmSettings settings, long ramBufferBytes, int flushes) {
    return new CellRun.Task(
        new CellKey("arm", 2, ramBufferBytes),
        1,
        settings,
        new Documents("synthetic:1000", 1, 0),
        1_000_000,
        Duration.ofSeconds(seconds),
        flushes,
        temp.resolve("index"),
        temp.resolve("series.csv"));
  }
}
