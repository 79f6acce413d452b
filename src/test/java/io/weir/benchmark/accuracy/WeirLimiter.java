package io.weir.benchmark.accuracy;

import io.weir.rate.ByteBudget;

/** Ours; a permit is a byte. */
record WeirLimiter(ByteBudget budget) implements Limiter {

  static WeirLimiter perSecond(long bytes) {
    return new WeirLimiter(ByteBudget.perSecond(bytes));
  }

  @Override
  public Claimant claimant() {
    return (bytes, granted) -> {
      for (long left = bytes; left > 0; ) {
        long part = budget.acquire(left);
        granted.accept(part);
        left -= part;
      }
    };
  }
}
