package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.stress.arm.timeline.PhaseSpan;
import io.weir.stress.result.DeadlineResult;
import io.weir.stress.result.DeadlineResult.Prediction;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeadlineWatchTest {

  private static final long SECOND = 1_000_000_000;

  private final DeadlineWatch watch = new DeadlineWatch();

  /** From 10 s to 40 s, so a third of it is over at 20 s. */
  @Test
  void result_aMergeInTime_hasItsSpareTimeAndThePredictionAfterAThird() {
    predicts(15, 10); // far off, but before
    predicts(19.9, 12);
    predicts(20, 18);
    predicts(20.1, 19.9);

    assertEquals(
        new DeadlineResult(42, 12, Optional.of(new Prediction(18, 20, 10))),
        watch.result(Duration.ofSeconds(42), span(10, 40)));
  }

  @Test
  void result_aMergeThatIsLate_hasNegativeSpareTime() {
    predicts(21, 22.8);

    DeadlineResult result = watch.result(Duration.ofSeconds(25), span(10, 40));

    assertEquals(-5, result.spareSeconds());
    Prediction prediction = result.afterThird().orElseThrow();
    assertEquals(19, prediction.actualSeconds(), "from the sample on, not from the third");
    assertEquals(20, prediction.offPercent(), 1e-9);
  }

  /** A later one would be easier, and is not what was predicted after a third. */
  @Test
  void result_nothingPredictedAfterAThird_isAbsent() {
    predicts(19.9, 20);
    watch.add(20 * SECOND, Optional.empty());
    predicts(20.1, 19.9);

    assertEquals(Optional.empty(), watch.result(Duration.ofSeconds(42), span(10, 40)).afterThird());
  }

  @Test
  void result_noSampleFromAThirdToTheEnd_isAbsent() {
    predicts(19, 20);
    predicts(40, 0.5);

    assertEquals(Optional.empty(), watch.result(Duration.ofSeconds(42), span(10, 40)).afterThird());
    assertEquals(
        Optional.empty(),
        new DeadlineWatch().result(Duration.ofSeconds(42), span(10, 40)).afterThird());
  }

  private void predicts(double atSeconds, double remainingSeconds) {
    watch.add(
        Math.round(atSeconds * SECOND),
        Optional.of(Duration.ofNanos(Math.round(remainingSeconds * SECOND))));
  }

  private static PhaseSpan span(long fromSeconds, long toSeconds) {
    return new PhaseSpan(fromSeconds * SECOND, toSeconds * SECOND);
  }
}
