package io.weir.stress.arm.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.fakes.AutoClock;
import io.weir.nrt.Reopen;
import io.weir.nrt.ReopenCause;
import io.weir.nrt.ReopenPhase;
import io.weir.nrt.ReopenResult;
import io.weir.nrt.SlowReopen;
import io.weir.nrt.SlowReopenOptions;
import io.weir.procfs.Procfs;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.SlowCauses;
import io.weir.run.Values;
import io.weir.stress.RunDirectoryPage;
import io.weir.stress.arm.timeline.Timeline;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines, stacks and sums of slow reopens, on a kernel and a clock that the test makes. */
class SlowReopenLogTest {

  private static final long MILLI = 1_000_000;

  @TempDir Path root;

  private final AutoClock clock = new AutoClock();
  private final StringWriter lines = new StringWriter();
  private final StringWriter stacks = new StringWriter();
  private Timeline timeline;

  @Test
  void columns_areThoseOfThePage() throws Exception {
    assertEquals(RunDirectoryPage.columns("slow-reopens.csv"), List.of(SlowReopenLog.COLUMNS));
  }

  @Test
  void slowReopen_hasALineWithWhatTheDiskDidMeanwhile() throws Exception {
    kernel(7, 1_000);
    SlowReopenLog log = log(lines);
    clock.advanceNanos(110 * MILLI);
    log.samplingBegan();
    clock.advanceNanos(80 * MILLI);
    kernel(9, 61_000); // 60 ms of the 80
    log.slowReopen(slow(100, 190, Map.of(ReopenCause.FILE_WRITE, 80, ReopenCause.NOT_SAMPLED, 10)));
    log.close();
    assertEquals(
        "a,2,before,95000000,190000000,95000000,90000000,flush,file_write,0.89,"
            + "file_write=0.89 not_sampled=0.11,1,2,7168,0.75,_7:forced",
        lines.toString().split("\r\n")[1]);
  }

  /** The figures of the reopen before would be a lie. */
  @Test
  void slowReopenThatWasNeverSampled_hasNoPressure() throws Exception {
    kernel(7, 1_000);
    SlowReopenLog log = log(lines);
    log.samplingBegan();
    clock.advanceNanos(190 * MILLI);
    log.slowReopen(slow(100, 190, Map.of(ReopenCause.STANDSTILL, 90)));
    log.close();
    assertEquals("7168,,_7:forced", lines.toString().split("\r\n")[1].split(",1,2,")[1]);
  }

  @Test
  void unknownKernel_leavesCellsEmpty() throws Exception {
    SlowReopenLog log = log(lines);
    clock.advanceNanos(190 * MILLI);
    log.slowReopen(slow(100, 190, Map.of(ReopenCause.UNMAP, 90)));
    log.close();
    assertEquals(",,_7:forced", lines.toString().split("\r\n")[1].split(",1,2,")[1]);
  }

  @Test
  void result_addsUpByPhaseWithoutTheWarmup() throws Exception {
    SlowReopenLog log = log(lines);
    log.slowReopen(slow(-900, -800, Map.of(ReopenCause.UNMAP, 100)));
    timeline.mergeStarts(1000 * MILLI);
    log.slowReopen(slow(1100, 1200, Map.of(ReopenCause.UNMAP, 60, ReopenCause.CPU, 40)));
    log.slowReopen(slow(1300, 1400, Map.of(ReopenCause.UNMAP, 100)));
    timeline.mergeEnded(2000 * MILLI);
    log.slowReopen(slow(2100, 2200, Map.of(ReopenCause.CPU, 100)));
    Values result = log.values();
    log.close();
    assertEquals(
        Values.builder()
            .put(ArmFigures.SLOW_THRESHOLD, 50L)
            .put(slow(Phase.BEFORE, 0, 0.0))
            .put(
                slow(
                    Phase.DURING,
                    2,
                    0.2,
                    new SlowCauses.Cause("unmap", "unmapping files", 0.16, 0.8, 2),
                    new SlowCauses.Cause("cpu", "computing in Lucene", 0.04, 0.2, 1)))
            .put(
                slow(
                    Phase.AFTER,
                    1,
                    0.1,
                    new SlowCauses.Cause("cpu", "computing in Lucene", 0.1, 1, 1)))
            .build(),
        result);
  }

  private static Values slow(
      Phase phase, long reopens, double lostSeconds, SlowCauses.Cause... causes) {
    return Values.builder()
        .put(ArmFigures.SLOW_REOPENS, phase, reopens)
        .put(ArmFigures.SLOW_LOST, phase, lostSeconds)
        .put(ArmFigures.SLOW_CAUSES, phase, new SlowCauses(List.of(causes)))
        .build();
  }

  @Test
  void stacks_areWrittenOnceEachWithTheirTime() throws Exception {
    SlowReopenLog log = log(lines);
    for (int i = 0; i < 2; i++) {
      log.slowReopen(slow(100, 190, Map.of(ReopenCause.UNMAP, 90)));
    }
    log.close();
    assertEquals(
        """
        == a, round 2: where slow reopens were, the warm-up included

        writing a file: 0.180 s, samples: 2, reopens: 2
            at com.shop.A.f(A.java:1)

        """,
        stacks.toString());
  }

  @Test
  void noSlowReopen_writesNoStacks() throws Exception {
    log(lines).close();
    assertEquals("", stacks.toString());
  }

  @Test
  void lineThatCannotBeWritten_isToldAtTheEnd() throws Exception {
    SlowReopenLog log =
        log(
            new Writer() {
              private boolean header = true;

              @Override
              public void write(char[] text, int from, int length) throws IOException {
                if (!header) {
                  throw new IOException("no space left");
                }
                header = new String(text, from, length).indexOf('\n') < 0;
              }

              @Override
              public void flush() {}

              @Override
              public void close() {}
            });
    log.slowReopen(slow(100, 190, Map.of(ReopenCause.UNMAP, 90)));
    assertEquals("no space left", assertThrows(IOException.class, log::close).getMessage());
  }

  private SlowReopenLog log(Writer out) throws IOException {
    timeline = new Timeline(clock, Duration.ofSeconds(1));
    clock.advanceNanos(1000 * MILLI); // the measuring begins
    return new SlowReopenLog(
        SlowReopenOptions.defaults().withThreshold(Duration.ofMillis(50)),
        timeline,
        new Procfs(root),
        new ArmCsv(out, "a", 2, SlowReopenLog.COLUMNS),
        stacks);
  }

  private void kernel(long dirtyKilobytes, long stalledMicros) throws IOException {
    Path pressure = Files.createDirectories(root.resolve("proc/pressure")).resolve("io");
    Files.writeString(pressure, "some avg10=0.00 total=" + stalledMicros + "\n");
    Files.writeString(root.resolve("proc/meminfo"), "Dirty: " + dirtyKilobytes + " kB\n");
  }

  /** Times in milliseconds since the measuring began; due 5 ms before the start. */
  private SlowReopen slow(long startMillis, long endMillis, Map<ReopenCause, Integer> millis) {
    long start = timeline.onClock(startMillis * MILLI);
    Reopen reopen =
        new Reopen(
            ReopenResult.CHANGED,
            OptionalLong.of(start - 5 * MILLI),
            start,
            OptionalLong.empty(),
            timeline.onClock(endMillis * MILLI),
            Map.of(ReopenPhase.FLUSH, 80 * MILLI, ReopenPhase.WARM, MILLI));
    Map<ReopenCause, Long> nanos = new EnumMap<>(ReopenCause.class);
    millis.forEach((cause, each) -> nanos.put(cause, each * MILLI));
    StackTraceElement frame = new StackTraceElement("com.shop.A", "f", "A.java", 1);
    return new SlowReopen(
        reopen,
        nanos,
        List.of(
            new SlowReopen.Stack(
                ReopenCause.FILE_WRITE, List.of(frame), 1, (endMillis - startMillis) * MILLI)),
        1,
        2,
        List.of("_7:forced"));
  }
}
