package io.weir.benchmark.accuracy;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;

/**
 * Ours; a permit is a byte.
 *
 * @param divided whether each claimant has a child of the budget, as each merge has, or all claim
 *     from the budget itself
 */
record WeirLimiter(ByteBudget budget, boolean divided) implements Limiter {

  static WeirLimiter shared(long bytesPerSecond) {
    return new WeirLimiter(ByteBudget.perSecond(bytesPerSecond), false);
  }

  static WeirLimiter divided(long bytesPerSecond) {
    return new WeirLimiter(ByteBudget.perSecond(bytesPerSecond), true);
  }

  @Override
  public Claimant claimant() {
    ByteBudget own = divided ? budget.child(BudgetOptions.named("claimant")) : budget;
    return (bytes, granted) -> {
      for (long left = bytes; left > 0; ) {
        long part = own.acquire(left);
        granted.accept(part);
        left -= part;
      }
    };
  }
}
