package io.weir.stress.arm.meters;

import io.weir.run.MergeFigures;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.PhaseSpan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a deadline predicted at each sample, compared with the end of the merge when that is known.
 *
 * <p>The prediction that counts is that of the first sample after a third of the time that the
 * merge took. At ten samples a second, an hour of merging takes a megabyte.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class DeadlineWatch {

  private static final int PARTS = 3;
  private static final double WHOLE_PERCENT = 100;

  /** A look at the deadline; without a value when it predicted nothing. */
  private record Look(long nanos, Optional<Duration> remaining) {}

  private final List<Look> looks = new ArrayList<>();

  /** What is predicted now; empty when nothing is. */
  void add(long nowNanos, Optional<Duration> remaining) {
    looks.add(new Look(nowNanos, remaining));
  }

  /**
   * How it came out.
   *
   * @param time from the beginning of the merge to its deadline
   * @param merge when it ran
   */
  Values values(Duration time, PhaseSpan merge) {
    long tookNanos = merge.toNanos() - merge.fromNanos();
    Values.Builder values =
        Values.builder()
            .put(MergeFigures.DEADLINE, time.toNanos() / 1e9)
            .put(MergeFigures.DEADLINE_SPARE, (time.toNanos() - tookNanos) / 1e9);
    looks.stream()
        .filter(look -> PARTS * (look.nanos() - merge.fromNanos()) >= tookNanos)
        .findFirst()
        .filter(look -> look.nanos() < merge.toNanos())
        .flatMap(
            look ->
                look.remaining()
                    .map(
                        predicted ->
                            prediction(
                                predicted.toNanos() / 1e9, (merge.toNanos() - look.nanos()) / 1e9)))
        .ifPresent(values::put);
    return values.build();
  }

  private static Values prediction(double predictedSeconds, double actualSeconds) {
    return Values.builder()
        .put(MergeFigures.DEADLINE_PREDICTED, predictedSeconds)
        .put(MergeFigures.DEADLINE_ACTUAL, actualSeconds)
        .put(
            MergeFigures.DEADLINE_OFF,
            WHOLE_PERCENT * Math.abs(predictedSeconds - actualSeconds) / actualSeconds)
        .build();
  }
}
