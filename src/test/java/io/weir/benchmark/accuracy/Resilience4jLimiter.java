package io.weir.benchmark.accuracy;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;

/**
 * Resilience4j's default, the atomic one; a permit is a byte. It gives out a period's permits at
 * once, so its period is our burst, 50 ms. At a MB/s that is less than two pieces.
 */
record Resilience4jLimiter(RateLimiter limiter) implements Limiter {

  private static final Duration PERIOD = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  static Resilience4jLimiter perSecond(long bytes) {
    RateLimiterConfig config =
        RateLimiterConfig.custom()
            .limitRefreshPeriod(PERIOD)
            .limitForPeriod(Math.toIntExact(bytes / 20))
            .timeoutDuration(PATIENCE)
            .build();
    return new Resilience4jLimiter(RateLimiter.of("accuracy", config));
  }

  @Override
  public Claimant claimant() {
    return (bytes, granted) -> {
      if (!limiter.acquirePermission(bytes)) {
        throw new IllegalStateException("no permission within " + PATIENCE);
      }
      granted.accept(bytes);
    };
  }
}
