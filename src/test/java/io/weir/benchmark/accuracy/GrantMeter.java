package io.weir.benchmark.accuracy;

import io.weir.time.NanoClock;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * When bytes were granted to one thread: how many in each millisecond since the start. It takes the
 * same memory whatever a limiter lets through, one that limits nothing included.
 *
 * <p>A grant counts in the millisecond in which the thread comes back with it. A thread that is
 * kept off the processor between the two is late with at most one piece.
 *
 * <p><b>Threads:</b> told by one; read when that one has ended.
 */
final class GrantMeter implements LongConsumer {

  private static final long SLOT_NANOS = 1_000_000;

  private final NanoClock clock;
  private final long startNanos;
  private final long[] slotBytes;
  private long totalBytes;
  private long grants;

  /**
   * A meter of what comes from {@code startNanos} on.
   *
   * @param spanMillis what comes later than this is only counted in the total
   */
  GrantMeter(NanoClock clock, long startNanos, int spanMillis) {
    this.clock = clock;
    this.startNanos = startNanos;
    this.slotBytes = new long[spanMillis];
  }

  @Override
  public void accept(long bytes) {
    long slot = (clock.nanoTime() - startNanos) / SLOT_NANOS;
    if (slot < slotBytes.length) {
      slotBytes[(int) slot] += bytes;
    }
    totalBytes += bytes;
    grants++;
  }

  long totalBytes() {
    return totalBytes;
  }

  long grants() {
    return grants;
  }

  /** What came from one millisecond on and before another. */
  long bytesWithin(int fromMillis, int toMillis) {
    long bytes = 0;
    for (int slot = fromMillis; slot < toMillis; slot++) {
      bytes += slotBytes[slot];
    }
    return bytes;
  }

  /** The most that came to all of {@code meters} in any window, tried at each millisecond. */
  static long worstWindowBytes(List<GrantMeter> meters, int windowMillis) {
    long window = 0;
    long worst = 0;
    int span = meters.get(0).slotBytes.length;
    for (int end = 0; end < span; end++) {
      for (GrantMeter meter : meters) {
        window += meter.slotBytes[end];
        window -= end >= windowMillis ? meter.slotBytes[end - windowMillis] : 0;
      }
      worst = Math.max(worst, window);
    }
    return worst;
  }
}
