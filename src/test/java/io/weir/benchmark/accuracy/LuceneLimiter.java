package io.weir.benchmark.accuracy;

import org.apache.lucene.index.MergePolicy.OneMergeProgress;
import org.apache.lucene.index.MergeRateLimiter;
import org.apache.lucene.store.RateLimiter;

/**
 * Lucene's; a permit is a byte, the rate is in MiB per second. Each thread adds up what it writes
 * and pauses when that is more than the limiter wants to be asked for, as Lucene's own {@code
 * RateLimitedIndexOutput} does for each file.
 */
record LuceneLimiter(RateLimiter limiter) implements Limiter {

  static LuceneLimiter simple(long bytesPerSecond) {
    return new LuceneLimiter(new RateLimiter.SimpleRateLimiter(mebibytes(bytesPerSecond)));
  }

  static LuceneLimiter ofMerge(long bytesPerSecond) {
    MergeRateLimiter limiter = new MergeRateLimiter(new OneMergeProgress());
    limiter.setMBPerSec(mebibytes(bytesPerSecond));
    return new LuceneLimiter(limiter);
  }

  @Override
  public Claimant claimant() {
    long[] sinceLastPauseBytes = new long[1];
    return (bytes, granted) -> {
      sinceLastPauseBytes[0] += bytes;
      if (sinceLastPauseBytes[0] > limiter.getMinPauseCheckBytes()) {
        limiter.pause(sinceLastPauseBytes[0]);
        sinceLastPauseBytes[0] = 0;
      }
      granted.accept(bytes);
    };
  }

  private static double mebibytes(long bytes) {
    return bytes / 1024.0 / 1024.0;
  }
}
