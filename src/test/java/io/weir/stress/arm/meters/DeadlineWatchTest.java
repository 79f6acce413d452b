package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.run.MergeFigures;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.Timeline;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeadlineWatchTest {

  private static final long SECOND = 1_000_000_000;

  private final WriterSamples.DeadlineWatch watch = new WriterSamples.DeadlineWatch();

  /** From 10 s to 40 s, so a third of it is over at 20 s. */
  @Test
  void result_aMergeInTime_hasItsSpareTimeAndThePredictionAfterAThird() {
    predicts(15, 10); // far off, but before
    predicts(19.9, 12);
    predicts(20, 18);
    predicts(20.1, 19.9);

    assertEquals(
        Values.builder()
            .put(MergeFigures.DEADLINE, 42.0)
            .put(MergeFigures.DEADLINE_SPARE, 12.0)
            .put(MergeFigures.DEADLINE_PREDICTED, 18.0)
            .put(MergeFigures.DEADLINE_ACTUAL, 20.0)
            .put(MergeFigures.DEADLINE_OFF, 10.0)
            .build(),
        watch.values(Duration.ofSeconds(42), span(10, 40)));
  }

  @Test
  void result_aMergeThatIsLate_hasNegativeSpareTime() {
    predicts(21, 22.8);

    Values result = watch.values(Duration.ofSeconds(25), span(10, 40));

    assertEquals(-5, result.require(MergeFigures.DEADLINE_SPARE));
    assertEquals(
        19, result.require(MergeFigures.DEADLINE_ACTUAL), "from the sample on, not from the third");
    assertEquals(20, result.require(MergeFigures.DEADLINE_OFF), 1e-9);
  }

  /** A later one would be easier, and is not what was predicted after a third. */
  @Test
  void result_nothingPredictedAfterAThird_isAbsent() {
    predicts(19.9, 20);
    watch.add(20 * SECOND, Optional.empty());
    predicts(20.1, 19.9);

    assertPredictsNothing(watch);
  }

  @Test
  void result_noSampleFromAThirdToTheEnd_isAbsent() {
    predicts(19, 20);
    predicts(40, 0.5);

    assertPredictsNothing(watch);
    assertPredictsNothing(new WriterSamples.DeadlineWatch());
  }

  private static void assertPredictsNothing(WriterSamples.DeadlineWatch watch) {
    assertEquals(
        Optional.empty(),
        watch.values(Duration.ofSeconds(42), span(10, 40)).get(MergeFigures.DEADLINE_PREDICTED));
  }

  private void predicts(double atSeconds, double remainingSeconds) {
    watch.add(
        Math.round(atSeconds * SECOND),
        Optional.of(Duration.ofNanos(Math.round(remainingSeconds * SECOND))));
  }

  private static Timeline.Span span(long fromSeconds, long toSeconds) {
    return new Timeline.Span(fromSeconds * SECOND, toSeconds * SECOND);
  }
}
