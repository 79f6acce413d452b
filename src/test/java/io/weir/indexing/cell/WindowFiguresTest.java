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
                new Sample(5 * SECOND, 10, 1_000, 1, 100, 50, 7, 900, 0, 0, 0, 0, 0, 0, 0, 0),
                new Sample(
                    15 * SECOND,
                    110,
                    10_001_000,
                    3,
                    4_000_100,
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
            2_000_000,
            0,
            Optional.of(1.5),
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

  /** 100 MB/s is 360 GB/h; the first five seconds are slower. */
  @Test
  void steady_aSlowStart_isCutOff() {
    List<Sample> samples = cell(200, i -> i / 20);

    SteadyWindow steady =
        new WindowFigures(samples, 2).steady(samples.size() - 1, TENTH).orElseThrow();

    assertEquals(Verdict.STEADY, steady.verdict(), steady.toString());
    assertEquals(5, steady.cutStartSeconds(), 1e-6);
    assertEquals(0, steady.cutEndSeconds(), 1e-6);
    assertEquals(360, steady.figures().gigabytesPerHour(), 1e-6);
    assertTrue(
        new WindowFigures(samples, 2).between(0, samples.size() - 1).gigabytesPerHour() < 330);
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
      samples.add(
          new Sample(i * TENTH, i, text, flushes.until(i), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
      text += i < 50 ? 5_000_000 : 10_000_000;
    }
    return samples;
  }
}
