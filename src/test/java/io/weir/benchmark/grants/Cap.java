package io.weir.benchmark.grants;

import io.weir.rate.Rate;

/** What holds the claimants back, and how much each asks for at a time. */
enum Cap {
  /** Nothing: a grant is counted and that is all. */
  NONE("none", Rate.UNLIMITED, 64),

  /** A cap that is never reached: a grant is one compare-and-set on the parent's bucket. */
  FAR_ABOVE("far above", Rate.perSecond(Rate.MAX_BYTES_PER_SECOND), 64),

  /** A cap below the demand: claimants stand in line. At the most 97,656 grants a second. */
  CONTENDED("100 MB/s", Rate.perSecond(100_000_000), 1024);

  private final String title;
  private final Rate rate;
  private final int claimBytes;

  Cap(String title, Rate rate, int claimBytes) {
    this.title = title;
    this.rate = rate;
    this.claimBytes = claimBytes;
  }

  String title() {
    return title;
  }

  Rate rate() {
    return rate;
  }

  int claimBytes() {
    return claimBytes;
  }
}
