package io.weir.benchmark.accuracy;

import java.util.function.LongFunction;

/** The limiters that are held against each other. */
enum Contender {
  WEIR("Weir, one budget", WeirLimiter::shared),
  WEIR_CHILDREN("Weir, a child each", WeirLimiter::divided),
  LUCENE_SIMPLE("Lucene SimpleRateLimiter", LuceneLimiter::simple),
  LUCENE_MERGE("Lucene MergeRateLimiter", LuceneLimiter::ofMerge),
  GUAVA("Guava RateLimiter", GuavaLimiter::perSecond),
  BUCKET4J("Bucket4j", Bucket4jLimiter::perSecond),
  RESILIENCE4J("Resilience4j RateLimiter", Resilience4jLimiter::perSecond);

  private final String title;
  private final LongFunction<Limiter> maker;

  Contender(String title, LongFunction<Limiter> maker) {
    this.title = title;
    this.maker = maker;
  }

  String title() {
    return title;
  }

  /** A new one. */
  Limiter limiter(long bytesPerSecond) {
    return maker.apply(bytesPerSecond);
  }
}
