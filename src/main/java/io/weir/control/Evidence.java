package io.weir.control;

import io.weir.control.LatencySamples.LatencyBuckets;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Whether one latency meets its target at the present rate: pure arithmetic on samples.
 *
 * <p><b>A miss</b> of the target is found by a sequential test, Page's cumulative sum. Each sample
 * beyond the limit adds to the suspicion, each other one takes some away, and it never falls below
 * zero. The two amounts are those of the likelihood ratio between a share of misses twice as large
 * as allowed and one of a quarter of that. So they balance between 0.82 and 0.87 of the allowed
 * share: 0.84 for p99. Source: E. S. Page, "Continuous Inspection Schemes", Biometrika 41, 1954.
 *
 * <p>While samples are few, {@link #LEAST_ENOUGH} is enough: for p99 two misses with 37 other
 * samples in between, or three with 154. Of many samples, chance alone puts some misses close to
 * each other in each second. So the more misses the last seconds may have, the more suspicion is
 * needed.
 *
 * <p>The samples of one tick alone are never enough, because one garbage collection may delay many
 * operations. An operation that runs for more than {@link LatencySamples#SEVERE} times the limit
 * is: it waits for more than a pause of the process.
 *
 * <p><b>A queue</b> of operations is found by a {@link QueueDetector}, before the target is missed.
 * It does not count where most operations are usually near the limit: then no rate would help.
 *
 * <p><b>Calm</b> is a run of ticks without samples near the limit, beyond the allowed share. It
 * shows room for more. With only few samples the percentile itself could not: a second with four
 * reopens has no p99.
 *
 * <p><b>Room</b> is what calm samples add up to. A sample near the limit costs as many as the
 * allowed share needs to make up for it, 100 for p99. So a rate is not raised while more than the
 * allowed share is near the limit: at the next rate these would be late.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class Evidence {

  private static final double BAD_SHARE = 2; // of the allowed share
  private static final double GOOD_SHARE = 0.25;

  /** The logarithm of the likelihood ratio that shows a miss when samples are few. */
  static final double LEAST_ENOUGH = 3.5;

  private static final double ENOUGH_PER_LOG = 5;
  private static final double MOST_OF_ONE_TICK = 0.75; // of what is enough
  private static final double MOST_ROOM = 1e6;
  private static final double HALF_LIFE_NANOS = 10e9;
  private static final double LEAST_WEIGHT = 0.5;
  private static final int FEW_LOW = 16;
  private static final int FEW_CALM = 32;

  private final LatencyTarget target;
  private final long limitNanos;
  private final double allowed;
  private final double gainOfMiss;
  private final double lossOfOther;
  private final ErrorBudget budget;
  private final QueueDetector queue;
  private final double[] recent = new double[LatencyBuckets.COUNT]; // decays
  private double recentWeight;
  private double suspicion; // 1 is enough
  private final double[] suspects = new double[LatencyBuckets.COUNT]; // since it was zero
  private double suspectsWeight;
  private long suspectNanos; // the longest of them
  private long hangingNanos; // the longest that ran since
  private long count; // since the rate changed, as all below
  private long misses;
  private boolean calm = true; // since the rate changed
  private double room;
  private long low; // samples in a row
  private long lowNanos; // for how long
  private long calmOnes; // samples in a row that were not near the limit
  private long calmNanos; // for how long

  Evidence(LatencyTarget target) {
    this.target = target;
    this.limitNanos = target.limit().toNanos();
    this.allowed = target.percentile().allowedShare();
    this.budget = new ErrorBudget(allowed);
    this.queue = new QueueDetector(target);
    double good = GOOD_SHARE * allowed;
    double bad = Math.min(BAD_SHARE * allowed, (1 + allowed) / 2);
    this.gainOfMiss = Math.log(bad / good);
    this.lossOfOther = Math.log((1 - good) / (1 - bad));
  }

  LatencyTarget target() {
    return target;
  }

  /**
   * Takes the samples of a tick.
   *
   * @param elapsedNanos since the tick before
   * @param trusted false if the whole process may have stood still; misses then prove nothing
   */
  void add(LatencySamples samples, long elapsedNanos, boolean trusted) {
    pass(elapsedNanos);
    for (int bucket = 0; bucket < recent.length; bucket++) {
      recent[bucket] += samples.buckets()[bucket];
    }
    recentWeight += samples.count();
    if (!trusted) {
      return;
    }
    count += samples.count();
    misses += samples.misses();
    suspect(samples);
    queue.add(samples);
    boolean isNear =
        samples.near() > samples.count() * allowed || samples.runningNanos() > limitNanos / 2;
    calm &= !isNear;
    room =
        Math.clamp(
            room + samples.count() - samples.near() - samples.near() / allowed,
            -1 / allowed,
            MOST_ROOM);
    boolean isLow = samples.low() == samples.count() && !isNear;
    low = isLow ? low + samples.count() : 0;
    lowNanos = isLow ? lowNanos + elapsedNanos : 0;
    calmOnes = isNear ? 0 : calmOnes + samples.count();
    calmNanos = isNear ? 0 : calmNanos + elapsedNanos;
  }

  /** What the target still allows. */
  ErrorBudget budget() {
    return budget;
  }

  private void suspect(LatencySamples samples) {
    if (suspicion == 0) {
      forgetSuspects();
    }
    for (int bucket = 0; bucket < suspects.length; bucket++) {
      suspects[bucket] += samples.buckets()[bucket];
    }
    suspectsWeight += samples.count();
    suspectNanos = Math.max(suspectNanos, samples.maxNanos());
    hangingNanos = Math.max(hangingNanos, samples.runningNanos());
    double change =
        samples.misses() * gainOfMiss - (samples.count() - samples.misses()) * lossOfOther;
    suspicion = Math.max(0, suspicion + Math.min(change / enough(), MOST_OF_ONE_TICK));
    if (samples.runningNanos() > LatencySamples.SEVERE * limitNanos) {
      suspicion = Math.max(suspicion, 1);
    }
  }

  /** Grows with the logarithm of the misses that the last ten to twenty seconds may have. */
  private double enough() {
    return Math.max(LEAST_ENOUGH, ENOUGH_PER_LOG * Math.log(recentWeight * allowed));
  }

  private void forgetSuspects() {
    Arrays.fill(suspects, 0);
    suspectsWeight = 0;
    suspectNanos = 0;
    hangingNanos = 0;
  }

  /** The rate has changed, so former samples say little about it. */
  void rateChanged() {
    count = 0;
    misses = 0;
    forgetSuspects();
    calm = true;
  }

  /** The rate was cut, and the suspicion has had its effect. */
  void acquit() {
    suspicion = 0;
    queue.forget();
    room = 0;
    low = 0;
    lowNanos = 0;
    calmOnes = 0;
    calmNanos = 0;
  }

  boolean showsMiss() {
    return suspicion >= 1;
  }

  /** Whether operations queue up, so that the target would be missed soon. */
  boolean showsQueue() {
    return queue.showsQueue() && !isUsuallySlow();
  }

  /** Whether most operations of the last tick were near the limit or beyond it. */
  boolean wasSlow() {
    return queue.wasSlow() && !isUsuallySlow();
  }

  /** Whether half of the operations of the last ten to twenty seconds were near the limit. */
  private boolean isUsuallySlow() {
    double near = 0;
    for (int bucket = 0; bucket < recent.length; bucket++) {
      near += LatencyBuckets.largest(bucket) > limitNanos / 2 ? recent[bucket] : 0;
    }
    return 2 * near > recentWeight;
  }

  /** How many operations a tick usually has; not a number before the first tick. */
  double operationsOfATick() {
    return queue.operationsOfATick();
  }

  /**
   * How bad the suspected miss is: the percentile of the samples that raised the suspicion, or an
   * operation that runs, as a multiple of the limit. Of few samples it is the longest.
   */
  double worst() {
    long tailNanos = Math.min(suspectNanos, tailNanos(suspects, suspectsWeight));
    return (double) Math.max(tailNanos, hangingNanos) / limitNanos;
  }

  /** Whether no sample since the rate changed was near the limit. */
  boolean isCalm() {
    return calm;
  }

  /** How many good samples there were in excess of what the bad ones cost. */
  double room() {
    return room;
  }

  /** Only later samples count as room. */
  void forgetRoom() {
    room = 0;
  }

  /** What was late or near the limit no longer counts. */
  void forgive() {
    budget.forgive();
    room = Math.max(0, room);
  }

  /**
   * A tick with many good samples must not hide bad ones that come later; nor must a bad one be
   * remembered for minutes where samples are rare.
   */
  void limitRoom(double least, double most) {
    room = Math.clamp(room, least, most);
  }

  /** The samples in a row that were far below the limit. */
  long low() {
    return low;
  }

  /** For how long all samples have been far below the limit; 0 while they are few. */
  long lowNanos() {
    return low < FEW_LOW ? 0 : lowNanos;
  }

  /** For how long no sample has been near the limit; 0 while they are few. */
  long calmNanos() {
    return calmOnes < FEW_CALM ? 0 : calmNanos;
  }

  long count() {
    return count;
  }

  long misses() {
    return misses;
  }

  /** Whether the target is met clearly, on {@code enough} times the samples that can show it. */
  boolean isMetClearly(int enough) {
    return count * allowed >= enough && misses <= GOOD_SHARE * allowed * count;
  }

  /** The percentile of the last ten to twenty seconds; empty if there were no samples. */
  OptionalLong tailNanos() {
    return recentWeight < LEAST_WEIGHT
        ? OptionalLong.empty()
        : OptionalLong.of(tailNanos(recent, recentWeight));
  }

  private long tailNanos(double[] buckets, double weight) {
    double above = weight * allowed;
    int bucket = buckets.length - 1;
    for (double seen = buckets[bucket]; bucket > 0 && seen <= above; seen += buckets[bucket]) {
      bucket--;
    }
    return LatencyBuckets.largest(bucket);
  }

  /** Time passes, and the last seconds with it. */
  void pass(long elapsedNanos) {
    budget.pass(elapsedNanos);
    double factor = Math.pow(0.5, elapsedNanos / HALF_LIFE_NANOS);
    recentWeight *= factor;
    for (int bucket = 0; bucket < recent.length; bucket++) {
      recent[bucket] *= factor;
    }
  }

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
   * <p>A congestion control that watches delays reacts sooner than one that waits for losses.
   * Source: L. S. Brakmo and L. L. Peterson, "TCP Vegas: End to End Congestion Avoidance on a
   * Global Internet", IEEE Journal on Selected Areas in Communications 13(8), 1995.
   *
   * <p><b>Threads:</b> one at a time.
   */
  static final class QueueDetector {

    private static final int LEAST_TICKS = 2;
    private static final int MOST_TICKS = 8;
    private static final double OPERATIONS = 8;
    private static final int FEW = 4; // operations that prove nothing
    private static final double KEPT =
        Math.pow(0.5, 1.0 / 40); // of the weight of a tick: about 10 s

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
}
