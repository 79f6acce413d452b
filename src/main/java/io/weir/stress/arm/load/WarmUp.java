package io.weir.stress.arm.load;

import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.result.RunFigure;
import io.weir.stress.result.WarmUpResult;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.statistics.inference.MannWhitneyUTest;

/**
 * Ends the warm-up of an arm: no sooner than asked for, and then when its reopens are steady; at
 * the latest after {@value #MOST_TIMES} times the asked one.
 *
 * <p>Steady means: of the reopens in the last while, which is two thirds of the asked warm-up,
 * those of the earlier half and those of the later do not differ, by Mann and Whitney's test at a
 * level of 1 %. That asks for no shape of latencies, and one slow reopen does not move it. It looks
 * again each second. With fewer than {@value #LEAST_REOPENS} reopens a half nothing can be told,
 * and the warm-up ends as asked.
 *
 * <p><b>Threads:</b> {@link #watching} is the reopens' own; {@link #await} and {@link #result} of
 * the one that runs the arm.
 */
public final class WarmUp {

  /** How many times the asked warm-up the whole may last. */
  static final int MOST_TIMES = 3;

  /** With so many in each half, two halves that share no value differ at the level. */
  static final int LEAST_REOPENS = 5;

  private static final double LEVEL = 0.01;
  private static final long STEP_NANOS = 1_000_000_000;

  /** It is decided so long before the warm-up would end, so that no reopen is counted twice. */
  private static final long DECIDED_BEFORE_NANOS = 100_000_000;

  private record ReopenTime(long startedNanos, long tookNanos) {}

  private final Timeline timeline;
  private final List<ReopenTime> reopens = new ArrayList<>(); // guarded by itself
  private WarmUpResult last;

  public WarmUp(Timeline timeline) {
    this.timeline = timeline;
  }

  /** The same reopens, which this gets to know. */
  OpenLoop.Operation watching(OpenLoop.Operation reopen) {
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
   * Waits until it has ended.
   *
   * @return false when the load ends before
   */
  public boolean await() {
    long askedNanos = -timeline.firstNanos();
    long mostNanos = (MOST_TIMES - 1) * askedNanos; // after zero
    while (timeline.awaitDue(timeline.warmupEndNanos() - DECIDED_BEFORE_NANOS)) {
      long endNanos = timeline.warmupEndNanos();
      last = judge(endNanos);
      boolean goesOn = Boolean.FALSE.equals(last.steady()) && endNanos < mostNanos;
      if (!goesOn || timeline.nowNanos() >= endNanos) {
        return timeline.awaitDue(endNanos);
      }
      timeline.warmupGoesOnUntil(Math.min(mostNanos, endNanos + STEP_NANOS));
    }
    return false;
  }

  /** What it came to; null when it was not reached. */
  public WarmUpResult result() {
    return last;
  }

  private WarmUpResult judge(long endNanos) {
    long askedNanos = -timeline.firstNanos();
    long halfNanos = askedNanos / 3;
    double[] earlier = millis(endNanos - 2 * halfNanos, endNanos - halfNanos);
    double[] later = millis(endNanos - halfNanos, endNanos);
    Double chance =
        Math.min(earlier.length, later.length) < LEAST_REOPENS
            ? null
            : MannWhitneyUTest.withDefaults().test(earlier, later).getPValue();
    return new WarmUpResult(
        askedNanos / 1e9,
        (askedNanos + endNanos) / 1e9,
        chance == null ? null : chance >= LEVEL,
        median(earlier),
        median(later),
        chance);
  }

  /** How long those took that began in the time. */
  private double[] millis(long fromNanos, long toNanos) {
    synchronized (reopens) {
      return reopens.stream()
          .filter(r -> r.startedNanos() >= fromNanos && r.startedNanos() < toNanos)
          .mapToDouble(r -> r.tookNanos() / 1e6)
          .toArray();
    }
  }

  private static Double median(double[] millis) {
    return millis.length == 0 ? null : Double.valueOf(RunFigure.median(millis));
  }
}
