package io.weir.metrics;

import io.weir.time.NanoClock;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The value of a source, read once for all meters of a scrape, so that they are consistent and cost
 * one read. It is at most {@link #KEPT} old.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> exceptions of the source pass through, and the next call
 * reads it again.
 */
final class Reading<T> implements Supplier<T> {

  /** Longer than a scrape, and shorter than the time between two scrapes. */
  static final Duration KEPT = Duration.ofMillis(20);

  private final Supplier<T> source;
  private final NanoClock clock;
  private T value; // guarded by this, like all below
  private boolean asked;
  private long askedAtNanos;

  Reading(Supplier<T> source, NanoClock clock) {
    this.source = source;
    this.clock = clock;
  }

  @Override
  public synchronized T get() {
    long nowNanos = clock.nanoTime();
    if (!asked || nowNanos - askedAtNanos >= KEPT.toNanos()) {
      value = source.get();
      askedAtNanos = nowNanos;
      asked = true;
    }
    return value;
  }
}
