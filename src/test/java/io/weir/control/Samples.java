package io.weir.control;

import io.weir.control.LatencySamples.LatencyBuckets;
import java.util.Arrays;

/** Makes the samples of a tick from their latencies. */
final class Samples {

  private Samples() {}

  /** Of an operation whose limit is {@code limitNanos}. */
  static LatencySamples of(long limitNanos, long runningNanos, long... latencies) {
    return of(limitNanos, runningNanos, latencies, new long[0]);
  }

  /** The same, with operations that began before the last cut took effect. */
  static LatencySamples of(long limitNanos, long runningNanos, long[] latencies, long[] former) {
    int[] buckets = new int[LatencyBuckets.COUNT];
    for (long nanos : latencies) {
      buckets[LatencyBuckets.of(nanos)]++;
    }
    return new LatencySamples(
        latencies.length,
        Arrays.stream(latencies).filter(nanos -> nanos > limitNanos).count(),
        Arrays.stream(latencies).filter(nanos -> nanos > limitNanos / 2).count(),
        Arrays.stream(latencies).filter(nanos -> nanos <= limitNanos * LatencySamples.LOW).count(),
        Arrays.stream(latencies).max().orElse(0),
        runningNanos,
        buckets,
        Arrays.stream(former).filter(nanos -> nanos > limitNanos).count());
  }
}
