package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.procfs.Procfs;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.Await;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.load.OpenLoop;
import io.weir.stress.arm.load.Schedule;
import io.weir.stress.arm.load.TargetRate;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.logs.HistogramLog;
import io.weir.stress.arm.timeline.LatencyRecorder;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.LoadRate;
import io.weir.time.NanoClock;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** On a clock that each wait moves on, a watch of seconds takes no time. */
class SamplingThreadTest {

  private static final long SECOND = 1_000_000_000;

  @TempDir Path temp;

  private final AutoClock clock = new AutoClock();
  private final Timeline timeline = new Timeline(clock, Duration.ofSeconds(2));
  private final LatencyRecorder reopens = new LatencyRecorder();
  private final LatencyRecorder searches = new LatencyRecorder();
  private final StringWriter series = new StringWriter();

  @Test
  void watch_wholeArm_samplesTenTimesASecondAndLogsEachSecondUnderItsPhase() throws Exception {
    timeline.mergeStarts(2 * SECOND);
    timeline.mergeEnded(4 * SECOND);
    timeline.endAt(6 * SECOND);
    Path reopenFile = temp.resolve("reopens.hlog");
    int[] seconds = {0};
    try (HistogramLog reopenLog = new HistogramLog(reopens, reopenFile, "reopen");
        HistogramLog searchLog =
            new HistogramLog(searches, temp.resolve("searches.hlog"), "search")) {
      SamplingThread watch =
          new SamplingThread(
              timeline,
              sampler(series)::sample,
              List.of(reopenLog, searchLog),
              () -> {
                for (int i = 0; i <= seconds[0]; i++) {
                  reopens.record(timeline.phaseOf(timeline.nowNanos()), 5_000_000);
                }
                seconds[0]++;
              });
      awaitEnd();
      watch.finish();
    }

    assertEquals(1 + 80 + 1, series.toString().lines().count(), "header, samples, the last look");
    assertEquals(8, seconds[0]);
    List<String> tags = new ArrayList<>();
    List<Long> counts = new ArrayList<>();
    for (Histogram interval : read(reopenFile)) {
      tags.add(interval.getTag());
      counts.add(interval.getTotalCount());
      assertTrue(
          interval.getTotalCount() == 0
              || Math.abs(interval.getMaxValue() - 5_000_000) <= 5_000_000 / 1000);
    }
    assertEquals(
        List.of(
            "warmup", "warmup", "warmup", "before", "before", "during", "during", "after", "after"),
        tags);
    assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L), counts);
  }

  /** The fault is of known length: 450 ms in which nothing was sampled. */
  @Test
  void result_aSampleThatStalls_tellsTheGapAndWhatWasMissed() throws Exception {
    timeline.endAt(2 * SECOND);
    boolean[] stalled = {false};
    Writer stall =
        new FilterWriter(series) {
          @Override
          public void flush() throws IOException {
            if (!stalled[0] && timeline.nowNanos() >= SECOND) {
              stalled[0] = true;
              clock.advanceNanos(45 * SECOND / 100);
            }
            super.flush();
          }
        };
    Values result;
    try (HistogramLog log = new HistogramLog(reopens, temp.resolve("reopens.hlog"), "reopen");
        HistogramLog other = new HistogramLog(searches, temp.resolve("searches.hlog"), "search")) {
      SamplingThread watch =
          new SamplingThread(timeline, sampler(stall)::sample, List.of(log, other), () -> {});
      awaitEnd();
      watch.finish();
      result = watch.values();
    }
    // Due from 0 s to 1.9 s; that of 1.0 s returns at 1.45 s; the next is at 1.5 s.
    assertEquals(
        Values.builder()
            .put(ArmFigures.SAMPLES, 20L - 4)
            .put(ArmFigures.MISSED_SAMPLES, 4L)
            .put(ArmFigures.LONGEST_GAP, 500.0)
            .build(),
        result);
    assertEquals(1 + 20 + 16 + 1, series.toString().lines().count(), "header, samples, the last");
  }

  /** What is due during the merge and ends after it stays with the merge, as in run.json. */
  @Test
  void histogramLog_intervalOfTwoPhases_hasALineEach() throws Exception {
    reopens.record(Phase.DURING, 700_000_000);
    reopens.record(Phase.AFTER, 3_000_000);
    reopens.record(Phase.DURING, 9_000_000);
    timeline.endAt(-SECOND);
    Path file = temp.resolve("reopens.hlog");
    try (HistogramLog log = new HistogramLog(reopens, file, "reopen");
        HistogramLog other = new HistogramLog(searches, temp.resolve("searches.hlog"), "search")) {
      new SamplingThread(timeline, sampler(series)::sample, List.of(log, other), () -> {}).finish();
    }
    assertTrue(Files.readString(file).lines().findFirst().orElse("").contains("due in]"));
    Histogram during = new Histogram(3);
    Histogram after = new Histogram(3);
    for (Histogram interval : read(file)) {
      if (interval.getTotalCount() > 0) {
        ("during".equals(interval.getTag()) ? during : after).add(interval);
      }
    }
    assertEquals(2, during.getTotalCount());
    assertEquals(1, after.getTotalCount());
    assertEquals(
        reopens.summary(Phase.DURING).p50Millis(), during.getValueAtPercentile(50) / 1e6, 0.001);
  }

  @Test
  void histogramLog_intervals_followOneAnotherWithoutAGap() throws Exception {
    timeline.endAt(SECOND);
    Path file = temp.resolve("reopens.hlog");
    try (HistogramLog log = new HistogramLog(reopens, file, "reopen");
        HistogramLog other = new HistogramLog(searches, temp.resolve("searches.hlog"), "search")) {
      SamplingThread watch =
          new SamplingThread(timeline, sampler(series)::sample, List.of(log, other), () -> {});
      awaitEnd();
      watch.finish();
    }
    List<Histogram> intervals = read(file);
    assertEquals(4, intervals.size(), "three whole seconds, and the rest");
    for (int i = 1; i < intervals.size(); i++) {
      assertEquals(
          intervals.get(i - 1).getEndTimeStamp(),
          intervals.get(i).getStartTimeStamp(),
          1.0, // the file holds seconds with three digits, the reader computes in floating point
          "no gap");
    }
    assertEquals(
        1000,
        intervals.get(1).getEndTimeStamp() - intervals.get(1).getStartTimeStamp(),
        1.0,
        "a second in between");
  }

  @Test
  void watch_samplingFails_endsTheArmAndIsThrown() throws Exception {
    Writer full =
        new StringWriter() {
          @Override
          public void flush() {
            throw new IllegalStateException("disk is full");
          }
        };
    try (HistogramLog log = new HistogramLog(reopens, temp.resolve("reopens.hlog"), "reopen");
        HistogramLog other = new HistogramLog(searches, temp.resolve("searches.hlog"), "search")) {
      SamplingThread watch =
          new SamplingThread(timeline, sampler(full)::sample, List.of(log, other), () -> {});
      Await.until("the arm is ended", timeline::ended);

      IOException thrown = assertThrows(IOException.class, watch::finish);

      assertEquals(
          "sampling failed: java.lang.IllegalStateException: disk is full", thrown.getMessage());
    }
  }

  /** The log is written through a stream that keeps its failures to itself. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void watch_histogramLogCannotBeWritten_isThrown() throws Exception {
    try (HistogramLog log = new HistogramLog(reopens, Path.of("/dev/full"), "reopen");
        HistogramLog other = new HistogramLog(searches, temp.resolve("searches.hlog"), "search")) {
      timeline.endAt(SECOND);
      SamplingThread watch =
          new SamplingThread(timeline, sampler(series)::sample, List.of(log, other), () -> {});

      IOException thrown = assertThrows(IOException.class, watch::finish);

      assertTrue(thrown.getMessage().contains("/dev/full"), thrown.getMessage());
    }
  }

  private void awaitEnd() {
    Await.until("the last look", () -> timeline.nowNanos() >= timeline.endNanos() - SECOND / 10);
  }

  private Sampler sampler(Writer out) throws IOException {
    OpenLoop none =
        new OpenLoop(
            TargetRate.perSecond("none", LoadRate.NONE),
            Schedule.even(TargetRate.perSecond("none", LoadRate.NONE), 0),
            timeline,
            (due, started) -> {});
    MergeMeter meter = new MergeMeter(Procfs.SYSTEM, NanoClock.SYSTEM);
    return new Sampler(
        timeline,
        Optional.of(new Procfs(temp)),
        new Load(none, none, none, none, null),
        new WriterSamples(new Procfs(temp), new MergeCounters(meter, Optional.empty())),
        new ArmCsv(out, "arm", 1, Sampler.COLUMNS));
  }

  private static List<Histogram> read(Path file) throws IOException {
    List<Histogram> intervals = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
      for (EncodableHistogram next = reader.nextIntervalHistogram();
          next != null;
          next = reader.nextIntervalHistogram()) {
        intervals.add((Histogram) next);
      }
    }
    return intervals;
  }
}
