package io.weir.benchmark.accuracy;

import com.google.common.util.concurrent.RateLimiter;

/** Guava's, as {@code RateLimiter.create} gives it (bursts of up to 1 s); a permit is a byte. */
record GuavaLimiter(RateLimiter limiter) implements Limiter {

  static GuavaLimiter perSecond(long bytes) {
    return new GuavaLimiter(RateLimiter.create(bytes));
  }

  @Override
  public Claimant claimant() {
    return (bytes, granted) -> {
      limiter.acquire(bytes);
      granted.accept(bytes);
    };
  }
}
