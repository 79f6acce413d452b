package io.weir.control;

import java.util.Arrays;

/**
 * Whether operations queue up, which shows before any of them is late. Two signs of it:
 *
 * <ul>
 *   <li>Most operations took longer than half of the limit.
 *   <li>Fewer than half of the usual number ended, while one has been running for longer than a
 *       quarter of the limit. The others wait behind it, so it is often the only one to be seen.
 * </ul>
 *
 * <p>Both are looked for in the last ticks: in so many that {@link #OPERATIONS} usually end in
 * them, and in at least {@link #LEAST_TICKS}. Where operations are too rare for that, there is no
 * sign.
 *
 * <p>A congestion control that watches delays reacts sooner than one that waits for losses. Source:
 * L. S. Brakmo and L. L. Peterson, "TCP Vegas: End to End Congestion Avoidance on a Global
 * Internet", IEEE Journal on Selected Areas in Communications 13(8), 1995.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class QueueDetector {

  private static final int LEAST_TICKS = 2;
  private static final int MOST_TICKS = 8;
  private static final double OPERATIONS = 8;
  private static final int FEW = 4; // operations that prove nothing
  private static final double KEPT = Math.pow(0.5, 1.0 / 40); // of the weight of a tick: about 10 s

  private final long limitNanos;
  private final double most; // the share of operations
  private final long[] counts = new long[MOST_TICKS]; // the newest last
  private final long[] near = new long[MOST_TICKS];
  private int seen; // ticks, since the last cut or drain
  private long runningNanos;
  private double ended; // decays
  private double ticks; // decays

  QueueDetector(LatencyTarget target) {
    limitNanos = target.limit().toNanos();
    most = (1 + target.percentile().allowedShare()) / 2;
  }

  /** Takes the samples of a tick. */
  void add(LatencySamples samples) {
    System.arraycopy(counts, 1, counts, 0, MOST_TICKS - 1);
    System.arraycopy(near, 1, near, 0, MOST_TICKS - 1);
    counts[MOST_TICKS - 1] = samples.count();
    near[MOST_TICKS - 1] = samples.near();
    seen = Math.min(MOST_TICKS, seen + 1);
    runningNanos = samples.runningNanos();
    ended = KEPT * ended + samples.count();
    ticks = KEPT * ticks + 1;
  }

  /** Former ticks say nothing about the present rate. */
  void forget() {
    seen = 0;
  }

  /** How many usually end in a tick; not a number before the first one. */
  double operationsOfATick() {
    return ended / ticks;
  }

  /** Whether operations queue up now. */
  boolean showsQueue() {
    double usual = operationsOfATick();
    int window = Math.max(LEAST_TICKS, (int) Math.ceil(OPERATIONS / usual));
    if (window > seen) {
      return false;
    }
    long count = sum(counts, window);
    boolean slow = count >= FEW && sum(near, window) > most * count;
    boolean stuck = count < usual * window / 2 && runningNanos > limitNanos / 4;
    return slow || stuck;
  }

  /** Whether most operations of the last tick took longer than half of the limit. */
  boolean wasSlow() {
    return sum(near, 1) > most * sum(counts, 1);
  }

  private static long sum(long[] ofTicks, int ticks) {
    return Arrays.stream(ofTicks, MOST_TICKS - ticks, MOST_TICKS).sum();
  }
}
