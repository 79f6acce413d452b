package io.weir.control;

import java.util.OptionalLong;

/**
 * Whether one latency meets its target at the present rate: pure arithmetic on samples.
 *
 * <p><b>A miss</b> of the target is found by a sequential test, Page's cumulative sum. Each sample
 * beyond the limit adds {@link #GAIN} to the suspicion, each other one takes a little away, and it
 * never falls below zero. The two amounts are those of the likelihood ratio between a share of
 * misses twice as large as allowed and one of a quarter of that; so they balance at 0.84 of the
 * allowed share. For p99, two misses among 37 samples are enough, or three among 156. One tick
 * alone never is: one garbage collection may delay many operations. Source: E. S. Page, "Continuous
 * Inspection Schemes", Biometrika 41, 1954.
 *
 * <p><b>Calm</b> is a run of ticks without samples near the limit, beyond the allowed share. It
 * shows room for more. With only few samples the percentile itself could not: a second with four
 * reopens has no p99.
 *
 * <p><b>Threads:</b> one at a time.
 */
final class Evidence {

  private static final double BAD_SHARE = 2; // of the allowed share
  private static final double GOOD_SHARE = 0.25;

  /** What one miss adds. */
  static final double GAIN = Math.log(BAD_SHARE / GOOD_SHARE);

  /** The suspicion that shows a miss of the target. */
  static final double ENOUGH = 3.5;

  private static final double MOST_OF_ONE_TICK = 0.75 * ENOUGH;
  private static final double NEAR_COST = 0.12;
  private static final double MISS_COST = 0.5;
  private static final double MOST_ROOM = 1e6;
  private static final double HALF_LIFE_NANOS = 10e9;
  private static final double LEAST_WEIGHT = 0.5;

  private final LatencyTarget target;
  private final long limitNanos;
  private final double lossOfGood;
  private final double[] recent = new double[LatencyBuckets.COUNT]; // decays
  private double recentWeight;
  private double suspicion;
  private long count; // since the rate changed, as all below
  private long misses;
  private long maxNanos;
  private boolean calm = true; // since the rate changed
  private double room;
  private long low; // samples in a row

  Evidence(LatencyTarget target) {
    this.target = target;
    this.limitNanos = target.limit().toNanos();
    this.lossOfGood = (BAD_SHARE - GOOD_SHARE) * target.percentile().allowedShare();
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
    decay(elapsedNanos);
    for (int bucket = 0; bucket < recent.length; bucket++) {
      recent[bucket] += samples.buckets()[bucket];
    }
    recentWeight += samples.count();
    if (!trusted) {
      return;
    }
    count += samples.count();
    misses += samples.misses();
    maxNanos = Math.max(maxNanos, Math.max(samples.maxNanos(), samples.runningNanos()));
    double change =
        (samples.misses() + samples.severe()) * GAIN
            - (samples.count() - samples.misses()) * lossOfGood;
    suspicion = Math.max(0, suspicion + Math.min(change, MOST_OF_ONE_TICK));
    if (samples.runningNanos() > LatencySamples.SEVERE * limitNanos) {
      suspicion = Math.max(suspicion, ENOUGH); // it waits for more than a pause of the process
    }
    boolean isNear =
        samples.near() > samples.count() * target.percentile().allowedShare()
            || samples.runningNanos() > limitNanos / 2;
    calm &= !isNear;
    double allowed = target.percentile().allowedShare();
    room =
        Math.clamp(
            room
                + (samples.count() - samples.near())
                - samples.near() * NEAR_COST / allowed
                - samples.misses() * MISS_COST / allowed,
            0,
            MOST_ROOM);
    low = samples.low() < samples.count() || isNear ? 0 : low + samples.count();
  }

  /** The rate has changed, so former samples say little about it. */
  void rateChanged() {
    count = 0;
    misses = 0;
    maxNanos = 0;
    calm = true;
  }

  /** The rate was cut, and the suspicion has had its effect. */
  void acquit() {
    suspicion = 0;
    room = 0;
    low = 0;
  }

  boolean showsMiss() {
    return suspicion >= ENOUGH;
  }

  /** The longest latency since the rate changed, as a multiple of the limit. */
  double worst() {
    return (double) maxNanos / limitNanos;
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

  /** A tick with many good samples must not hide bad ones that come later. */
  void limitRoom(double most) {
    room = Math.min(room, most);
  }

  /** The samples in a row that were far below the limit. */
  long low() {
    return low;
  }

  long count() {
    return count;
  }

  long misses() {
    return misses;
  }

  /** Whether the target is met clearly, on {@code enough} times the samples that can show it. */
  boolean isMetClearly(int enough) {
    double allowed = target.percentile().allowedShare();
    return count * allowed >= enough && misses <= GOOD_SHARE * allowed * count;
  }

  /** The percentile of the last ten to twenty seconds; empty if there were no samples. */
  OptionalLong tailNanos() {
    if (recentWeight < LEAST_WEIGHT) {
      return OptionalLong.empty();
    }
    double above = recentWeight * target.percentile().allowedShare();
    int bucket = recent.length - 1;
    for (double seen = recent[bucket]; bucket > 0 && seen <= above; seen += recent[bucket]) {
      bucket--;
    }
    return OptionalLong.of(LatencyBuckets.largest(bucket));
  }

  private void decay(long elapsedNanos) {
    double factor = Math.pow(0.5, elapsedNanos / HALF_LIFE_NANOS);
    recentWeight *= factor;
    for (int bucket = 0; bucket < recent.length; bucket++) {
      recent[bucket] *= factor;
    }
  }
}
