package io.weir.indexing.cell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.indexing.result.IndexingWindow;
import io.weir.indexing.result.Stalls;
import io.weir.indexing.result.SteadyWindow;
import io.weir.indexing.result.SteadyWindow.Verdict;
import java.util.ArrayList;
import java.util.List;
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
                new Sample(5 * SECOND, 10, 1_000, 1, 100, 20, 50, 7, 900, 0, 0, 0, 0, 0, 0, 0, 0),
                new Sample(
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

    assertEquals(
        new IndexingWindow(
            0,
            10,
            100,
            10_000_000,
            3.6,
            10,
            2,
            4_000_000,
            1_000_000,
            2_000_000,
            0,
            Optional.of(2.0),
            Optional.of(0.6),
            300,
            900,
            new Stalls(2, 0.5),
            new Stalls(1, 1),
            Optional.of(0.5),
            Optional.of(0.25),
            4,
            0.25),
        figures.between(0, 1));
  }

  @Test
  void between_theSameSample_hasNoRate() {
    IndexingWindow window = new WindowFigures(cell(1000, i -> i), 1).between(0, 0);

    assertEquals(0, window.gigabytesPerHour());
    assertEquals(Optional.empty(), window.writeAmplification());
    assertEquals(Optional.empty(), window.processorShare());
  }

  /** 100 MB/s is 360 GB/h; the first five seconds are slower, and the next flush ends after six. */
  @Test
  void steady_aSlowStart_isCutOff() {
    List<Sample> samples = cell(200, i -> i / 20);

    SteadyWindow steady =
        new WindowFigures(samples, 2).steady(samples.size() - 1, TENTH).orElseThrow();

    assertEquals(Verdict.STEADY, steady.verdict(), steady.toString());
    assertEquals(6, steady.cutStartSeconds(), 1e-6);
    assertEquals(0, steady.cutEndSeconds(), 1e-6);
    assertEquals(360, steady.figures().gigabytesPerHour(), 1e-6);
    assertTrue(
        new WindowFigures(samples, 2).between(0, samples.size() - 1).gigabytesPerHour() < 330);
  }

  /** 80 MB/s is 288 GB/h: without the last flush it would be 298. */
  @Test
  void steady_aRateThatDipsWithEachFlush_isThatOfWholeCycles() {
    List<Sample> samples = new ArrayList<>();
    long text = 0;
    for (int i = 0; i <= 600; i++) {
      samples.add(sample(i * (SECOND / 5), i, text, i / 100));
      text += i % 100 < 80 ? 20_000_000 : 0;
    }

    SteadyWindow steady = new WindowFigures(samples, 2).steady(600, SECOND / 5).orElseThrow();

    assertEquals(288, steady.figures().gigabytesPerHour(), 2.88, steady.toString());
    assertEquals(288, steady.interval().orElseThrow().high(), 2.88, steady.toString());
    assertEquals(6, steady.figures().flushes());
    assertEquals(0, steady.cutEndSeconds());
    assertEquals(Verdict.STEADY, steady.verdict());
  }

  @Test
  void steady_oneFlush_isTooFew() {
    List<Sample> samples = cell(200, i -> i < 150 ? 0 : 1);

    assertEquals(
        Verdict.TOO_FEW_FLUSHES,
        new WindowFigures(samples, 2).steady(samples.size() - 1, TENTH).orElseThrow().verdict());
  }

  @Test
  void steady_tooFewSamples_isNothing() {
    List<Sample> samples = cell(20, i -> i);

    assertEquals(Optional.empty(), new WindowFigures(samples, 2).steady(samples.size() - 1, TENTH));
  }

  private interface Flushes {
    long until(int sample);
  }

  /** A sample each tenth of a second: half the rate in the first five seconds. */
  private static List<Sample> cell(int count, Flushes flushes) {
    List<Sample> samples = new ArrayList<>();
    long text = 0;
    for (int i = 0; i <= count; i++) {
      samples.add(sample(i * TENTH, i, text, flushes.until(i)));
      text += i < 50 ? 5_000_000 : 10_000_000;
    }
    return samples;
  }

  private static Sample sample(long nanos, long documents, long text, long flushes) {
    return new Sample(nanos, documents, text, flushes, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}
