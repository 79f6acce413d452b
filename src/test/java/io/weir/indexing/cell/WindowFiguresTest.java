package io.weir.indexing.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.indexing.cell.CellMeters.Counter;
import io.weir.indexing.cell.CellMeters.Sample;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Verdict;
import io.weir.run.CellFigures.Window;
import io.weir.run.Values;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WindowFiguresTest {

  private static final long SECOND = 1_000_000_000;
  private static final long TENTH = SECOND / 10;

  @Test
  void between_twoSamples_isTheirDifference() {
    WindowFigures figures =
        new WindowFigures(
            List.of(
                sample(5 * SECOND, 10, 1_000, 1, 100, 20, 50, 7, 900, 0, 0, 0, 0, 0, 0, 0, 0),
                sample(
                    15 * SECOND,
                    110,
                    10_001_000,
                    3,
                    4_000_100,
                    1_000_020,
                    2_000_050,
                    7,
                    300,
                    2,
                    SECOND / 2,
                    1,
                    SECOND,
                    10 * SECOND,
                    5 * SECOND,
                    4,
                    250)),
            2);

    Window whole = Window.WHOLE;
    assertEquals(
        Values.builder()
            .put(CellFigures.FROM, whole, 0.0)
            .put(CellFigures.TO, whole, 10.0)
            .put(CellFigures.DOCUMENTS, whole, 100L)
            .put(CellFigures.TEXT, whole, 10_000_000L)
            .put(CellFigures.RATE, whole, 3.6)
            .put(CellFigures.DOCUMENTS_PER_SECOND, whole, 10.0)
            .put(CellFigures.FLUSHES, whole, 2L)
            .put(CellFigures.FLUSHED, whole, 4_000_000L)
            .put(CellFigures.PACKED, whole, 1_000_000L)
            .put(CellFigures.MERGED, whole, 2_000_000L)
            .put(CellFigures.OTHER, whole, 0L)
            .put(CellFigures.WRITE_AMPLIFICATION, whole, 2.0)
            .put(CellFigures.WRITTEN_FOR_TEXT, whole, 0.6)
            .put(CellFigures.MERGE_DEBT, whole, 300L)
            .put(CellFigures.MOST_MERGE_DEBT, whole, 900L)
            .put(CellFigures.MERGE_STALLS, whole, 2L)
            .put(CellFigures.MERGE_STALLED, whole, 0.5)
            .put(CellFigures.FLUSH_STALLS, whole, 1L)
            .put(CellFigures.FLUSH_STALLED, whole, 1.0)
            .put(CellFigures.PROCESSORS, whole, 0.5)
            .put(CellFigures.INDEXING_THREADS, whole, 0.25)
            .put(CellFigures.COLLECTIONS, whole, 4L)
            .put(CellFigures.COLLECTING, whole, 0.25)
            .build(),
        figures.between(whole, 0, 1));
  }

  @Test
  void between_theSameSample_hasNoRate() {
    Values window = new WindowFigures(cell(1000, i -> i), 1).between(Window.WHOLE, 0, 0);

    assertEquals(0, window.require(CellFigures.RATE, Window.WHOLE));
    assertEquals(Optional.empty(), window.get(CellFigures.WRITE_AMPLIFICATION, Window.WHOLE));
    assertEquals(Optional.empty(), window.get(CellFigures.PROCESSORS, Window.WHOLE));
  }

  /** 100 MB/s is 360 GB/h; the first five seconds are slower, and the next flush ends after six. */
  @Test
  void steady_aSlowStart_isCutOff() {
    List<Sample> samples = cell(200, i -> i / 20);

    Values steady = new WindowFigures(samples, 2).steady(samples.size() - 1, TENTH);

    assertEquals(Verdict.STEADY, steady.require(CellFigures.VERDICT), steady.toString());
    assertEquals(6, steady.require(CellFigures.CUT_START), 1e-6);
    assertEquals(0, steady.require(CellFigures.CUT_END), 1e-6);
    assertEquals(360, steady.require(CellFigures.RATE, Window.STEADY), 1e-6);
    assertTrue(
        new WindowFigures(samples, 2)
                .between(Window.WHOLE, 0, samples.size() - 1)
                .require(CellFigures.RATE, Window.WHOLE)
            < 330);
  }

  /** 80 MB/s is 288 GB/h: without the last flush it would be 298. */
  @Test
  void steady_aRateThatDipsWithEachFlush_isThatOfWholeCycles() {
    List<Sample> samples = new ArrayList<>();
    long text = 0;
    for (int i = 0; i <= 600; i++) {
      samples.add(fed(i * (SECOND / 5), i, text, i / 100));
      text += i % 100 < 80 ? 20_000_000 : 0;
    }

    Values steady = new WindowFigures(samples, 2).steady(600, SECOND / 5);

    assertEquals(288, steady.require(CellFigures.RATE, Window.STEADY), 2.88, steady.toString());
    assertEquals(288, steady.require(CellFigures.INTERVAL_HIGH), 2.88, steady.toString());
    assertEquals(6, steady.require(CellFigures.FLUSHES, Window.STEADY));
    assertEquals(0, steady.require(CellFigures.CUT_END));
    assertEquals(Verdict.STEADY, steady.require(CellFigures.VERDICT));
  }

  @Test
  void steady_oneFlush_isTooFew() {
    List<Sample> samples = cell(200, i -> i < 150 ? 0 : 1);

    assertEquals(
        Verdict.TOO_FEW_FLUSHES,
        new WindowFigures(samples, 2)
            .steady(samples.size() - 1, TENTH)
            .require(CellFigures.VERDICT));
  }

  @Test
  void steady_tooFewSamples_isNothing() {
    List<Sample> samples = cell(20, i -> i);

    assertEquals(Values.NONE, new WindowFigures(samples, 2).steady(samples.size() - 1, TENTH));
  }

  private interface Flushes {
    long until(int sample);
  }

  /** A sample each tenth of a second: half the rate in the first five seconds. */
  private static List<Sample> cell(int count, Flushes flushes) {
    List<Sample> samples = new ArrayList<>();
    long text = 0;
    for (int i = 0; i <= count; i++) {
      samples.add(fed(i * TENTH, i, text, flushes.until(i)));
      text += i < 50 ? 5_000_000 : 10_000_000;
    }
    return samples;
  }

  private static Sample fed(long nanos, long documents, long text, long flushes) {
    return sample(nanos, documents, text, flushes, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** In the order of the counters. */
  private static Sample sample(long nanos, long... counts) {
    Map<Counter, Long> byCounter = new EnumMap<>(Counter.class);
    for (Counter counter : Counter.values()) {
      byCounter.put(counter, counts[counter.ordinal()]);
    }
    return new Sample(nanos, byCounter);
  }
}
