package io.weir.benchmark.accuracy;

import io.github.bucket4j.Bucket;
import java.time.Duration;

/**
 * Bucket4j's local bucket with greedy refill; a token is a KiB, because it allows no more than one
 * token a nanosecond. Its capacity is our burst: what the rate gives in 50 ms, but never less than
 * the piece that is asked for.
 */
record Bucket4jLimiter(Bucket bucket) implements Limiter {

  private static final int TOKEN_BYTES = 1024;

  static Bucket4jLimiter perSecond(long bytes) {
    long capacity = Math.max(bytes / 20, Cell.PIECE_BYTES) / TOKEN_BYTES;
    return new Bucket4jLimiter(
        Bucket.builder()
            // As many tokens in 1024 s as bytes in 1 s: exact for every rate.
            .addLimit(
                b -> b.capacity(capacity).refillGreedy(bytes, Duration.ofSeconds(TOKEN_BYTES)))
            .build());
  }

  @Override
  public Claimant claimant() {
    return (bytes, granted) -> {
      bucket.asBlocking().consume(bytes / TOKEN_BYTES);
      granted.accept(bytes);
    };
  }
}
