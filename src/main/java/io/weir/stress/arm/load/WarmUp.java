package io.weir.stress.arm.load;

import io.weir.run.ArmFigures;
import io.weir.run.RunFigure;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * Ends the warm-up of an arm: not before the requested time, then as soon as reopens are steady,
 * and at the latest after {@value #MOST_TIMES} times the requested time.
 *
 * <p>Reopens are steady when, in the last two thirds of the requested time, those of the earlier
 * half and those of the later half do not differ, by Mann and Whitney's test at a level of 1 %. The
 * test assumes no shape of the latencies, and one slow reopen does not move it. It runs again each
 * second. With fewer than {@value #LEAST_REOPENS} reopens in a half there is no test, and the
 * warm-up ends as requested.
 *
 * <p><b>Threads:</b> {@link #watching} belongs to the reopens' thread; {@link #await} and {@link
 * #values} to the thread that runs the arm.
 */
public final class WarmUp {

  /** How many times the requested warm-up it may last. */
  static final int MOST_TIMES = 3;

  /** From this many in each half, two halves that share no value differ at the level. */
  static final int LEAST_REOPENS = 5;

  private static final double LEVEL = 0.01;
  private static final long STEP_NANOS = 1_000_000_000;

  /** Decides this long before the warm-up would end, so that no reopen counts twice. */
  private static final long DECIDED_BEFORE_NANOS = 100_000_000;

  private record ReopenTime(long startedNanos, long tookNanos) {}

  private final Timeline timeline;
  private final List<ReopenTime> reopens = new ArrayList<>(); // guarded by itself
  private Values last = Values.NONE;

  public WarmUp(Timeline timeline) {
    this.timeline = timeline;
  }

  /** The same operation, observed. */
  public OpenLoop.Operation watching(OpenLoop.Operation reopen) {
    return new OpenLoop.Operation() {
      @Override
      public void run(long dueNanos, long startedNanos) throws Exception {
        reopen.run(dueNanos, startedNanos);
        if (startedNanos < timeline.warmupEndNanos()) {
          add(startedNanos, timeline.nowNanos() - startedNanos);
        }
      }

      @Override
      public void abandoned(long dueNanos, long givenUpNanos) throws Exception {
        reopen.abandoned(dueNanos, givenUpNanos);
      }
    };
  }

  /** One reopen, from its real start. */
  void add(long startedNanos, long tookNanos) {
    synchronized (reopens) {
      reopens.add(new ReopenTime(startedNanos, tookNanos));
    }
  }

  /**
   * Waits until the warm-up has ended.
   *
   * @return false when the load ended first
   */
  public boolean await() {
    long askedNanos = -timeline.firstNanos();
    long mostNanos = (MOST_TIMES - 1) * askedNanos; // after zero
    while (timeline.awaitDue(timeline.warmupEndNanos() - DECIDED_BEFORE_NANOS)) {
      long endNanos = timeline.warmupEndNanos();
      last = judge(endNanos);
      boolean goesOn = isUnsteady(last) && endNanos < mostNanos;
      if (!goesOn || timeline.nowNanos() >= endNanos) {
        return timeline.awaitDue(endNanos);
      }
      timeline.warmupGoesOnUntil(Math.min(mostNanos, endNanos + STEP_NANOS));
    }
    return false;
  }

  /** How it ended; nothing when the load ended before. */
  public Values values() {
    return last;
  }

  /** Whether the two halves are known to differ. */
  public static boolean isUnsteady(Values warmUp) {
    return warmUp.get(ArmFigures.WARM_UP_STEADY).equals(Optional.of(false));
  }

  private Values judge(long endNanos) {
    long askedNanos = -timeline.firstNanos();
    long halfNanos = askedNanos / 3;
    double[] earlier = millis(endNanos - 2 * halfNanos, endNanos - halfNanos);
    double[] later = millis(endNanos - halfNanos, endNanos);
    Optional<Double> chance =
        Math.min(earlier.length, later.length) < LEAST_REOPENS
            ? Optional.empty()
            : Optional.of(MannWhitneyUTest.withDefaults().test(earlier, later).getPValue());
    return Values.builder()
        .put(ArmFigures.WARM_UP_ASKED, askedNanos / 1e9)
        .put(ArmFigures.WARM_UP_SECONDS, (askedNanos + endNanos) / 1e9)
        .put(ArmFigures.WARM_UP_STEADY, chance.map(p -> p >= LEVEL))
        .put(ArmFigures.WARM_UP_EARLIER, median(earlier))
        .put(ArmFigures.WARM_UP_LATER, median(later))
        .put(ArmFigures.WARM_UP_CHANCE, chance)
        .build();
  }

  /** How long the reopens took that began in the given time. */
  private double[] millis(long fromNanos, long toNanos) {
    synchronized (reopens) {
      return reopens.stream()
          .filter(r -> r.startedNanos() >= fromNanos && r.startedNanos() < toNanos)
          .mapToDouble(r -> r.tookNanos() / 1e6)
          .toArray();
    }
  }

  private static Optional<Double> median(double[] millis) {
    return millis.length == 0 ? Optional.empty() : Optional.of(RunFigure.median(millis));
  }
}
