package io.weir.stress.arm.meters;

import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.Timeline;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What was evicted from the page cache and read again in each phase of an arm, and whether that
 * still went on when the arm ended.
 *
 * <p>It knows what samples tell, so a phase begins at the first sample in it.
 *
 * <p><b>Threads:</b> one.
 */
public final class Refaults {

  /**
   * How fast bytes were read again.
   *
   * @param before a second, in the phase before the merge; 0 where there was none
   * @param first in the first fifth of the phase after it
   * @param last in the last fifth
   */
  public record Recovery(double before, double first, double last) {}

  /** The counter at a sample. */
  private record Look(long nanos, long bytes) {

    long growth(Look later) {
      return Math.max(0, later.bytes - bytes);
    }

    /** Empty where the looks are too close for a rate. */
    Optional<Double> perSecond(Look later) {
      double seconds = (later.nanos - nanos) / 1e9;
      return seconds < LEAST_SECONDS ? Optional.empty() : Optional.of(growth(later) / seconds);
    }
  }

  private static final long FIFTH = 5;

  /** One search that reads much is no rate. */
  private static final double LEAST_SECONDS = 1;

  private final Timeline timeline;
  private final Map<Phase, Look> first = new EnumMap<>(Phase.class);
  private final Map<Phase, Look> last = new EnumMap<>(Phase.class);
  private Optional<Phase> current = Optional.empty();
  private Optional<Look> firstFifthEnd = Optional.empty();
  private Optional<Look> lastFifthBegin = Optional.empty();

  Refaults(Timeline timeline) {
    this.timeline = timeline;
  }

  /**
   * Takes the counter as it is; what is read after the load's end is of no phase.
   *
   * @param nanos on the timeline
   */
  void look(long nanos, long bytes) {
    if (nanos > timeline.endNanos()) {
      return;
    }
    Look now = new Look(nanos, bytes);
    Phase phase = timeline.phaseOf(nanos);
    current.ifPresent(before -> last.put(before, now));
    first.putIfAbsent(phase, now);
    last.put(phase, now);
    current = Optional.of(phase);
    if (phase == Phase.AFTER) {
      long passedNanos = nanos - timeline.mergeEndNanos();
      long fifthNanos = (timeline.endNanos() - timeline.mergeEndNanos()) / FIFTH;
      if (passedNanos <= fifthNanos) {
        firstFifthEnd = Optional.of(now);
      } else if (passedNanos >= (FIFTH - 1) * fifthNanos && lastFifthBegin.isEmpty()) {
        lastFifthBegin = Optional.of(now);
      }
    }
  }

  /** The bytes of each measured phase; nothing where the kernel does not count them. */
  public Values values() {
    Values.Builder values = Values.builder();
    for (Phase phase : Phase.MEASURED) {
      values.put(ArmFigures.REFAULTED_BYTES, phase, span(phase, Look::growth));
    }
    return values.build();
  }

  /** Empty where the kernel does not count them, or where the phase after is too short to tell. */
  public Optional<Recovery> recovery() {
    Optional<Look> end = Optional.ofNullable(last.get(Phase.AFTER));
    Optional<Double> atFirst =
        Optional.ofNullable(first.get(Phase.AFTER))
            .flatMap(begin -> firstFifthEnd.flatMap(begin::perSecond));
    Optional<Double> atLast = lastFifthBegin.flatMap(begin -> end.flatMap(begin::perSecond));
    double before = span(Phase.BEFORE, Look::perSecond).flatMap(rate -> rate).orElse(0.0);
    return atFirst.flatMap(rate -> atLast.map(later -> new Recovery(before, rate, later)));
  }

  private <T> Optional<T> span(Phase phase, BiFunction<Look, Look, T> of) {
    return Optional.ofNullable(first.get(phase)).map(begin -> of.apply(begin, last.get(phase)));
  }
}
