package io.weir.metrics;

import io.weir.time.NanoClock;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What a source tells, asked once for all the meters of one scrape: they are of one moment then,
 * and cost one look. It is as old as {@link #KEPT} at most.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> what the source throws is thrown, and it is asked again.
 */
final class Reading<T> implements Supplier<T> {

  /** Longer than a scrape takes, and shorter than anybody waits between two. */
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
