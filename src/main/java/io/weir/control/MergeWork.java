package io.weir.control;

import io.weir.control.OperationsSight.ChargedBytes;

/**
 * Which work merges do now, as the share of reads in their bytes.
 *
 * <p>That is what they did in the last {@link #SHORT_NANOS}, or in the last tick if its bytes cost
 * more: a disk is not given too much work while it becomes clear what the work is. Merges that go
 * back and forth between two kinds of work within {@link #OFTEN_NANOS} do both, so for them it is
 * what they did in the last {@link #LONG_NANOS}.
 *
 * <p><b>Units:</b> bytes, nanoseconds of one clock. <b>Threads:</b> one at a time.
 */
final class MergeWork {

  /** A byte of other work costs so many times as much, or so little. */
  static final double OTHER = 1.25;

  static final long SHORT_NANOS = 300_000_000;
  static final long LONG_NANOS = 3_000_000_000L;
  static final long OFTEN_NANOS = 1_500_000_000;

  private final OperationsWindow recent = window(SHORT_NANOS);
  private final OperationsWindow lately = window(LONG_NANOS);
  private ChargedBytes last = ChargedBytes.NOTHING;
  private double steadyShareOfReads; // since the last change
  private boolean dearer; // than before that change
  private long sinceTurnNanos = OFTEN_NANOS; // from cheaper to dearer work, or back
  private long mixedForNanos; // from now on

  private static OperationsWindow window(long nanos) {
    return new OperationsWindow(nanos, nanos, Long.MAX_VALUE);
  }

  /** Takes a tick in; one without bytes changes nothing. */
  void add(long elapsedNanos, ChargedBytes used, OperationPrices prices) {
    if (used.isNothing()) {
      return;
    }
    last = used;
    recent.add(elapsedNanos, 0, used, false);
    lately.add(elapsedNanos, 0, used, false);
    sinceTurnNanos = Math.min(OFTEN_NANOS, sinceTurnNanos + elapsedNanos);
    mixedForNanos = Math.max(0, mixedForNanos - elapsedNanos);
    double share = recentShareOfReads(prices);
    double price = prices.ofOne(share);
    double priceBefore = prices.ofOne(steadyShareOfReads);
    if (isOther(price, priceBefore)) {
      steadyShareOfReads = share;
      turned(price > priceBefore);
    }
  }

  private void turned(boolean nowDearer) {
    if (nowDearer == dearer) {
      return;
    }
    dearer = nowDearer;
    if (sinceTurnNanos < OFTEN_NANOS) {
      mixedForNanos = LONG_NANOS;
    }
    sinceTurnNanos = 0;
  }

  static boolean isOther(double price, double priceBefore) {
    return price > OTHER * priceBefore || priceBefore > OTHER * price;
  }

  /** Whether merges go back and forth. */
  boolean isMixed() {
    return mixedForNanos > 0;
  }

  /** From 0 to 1. */
  double shareOfReads(OperationPrices prices) {
    return isMixed() ? lately.shareOfReads() : recentShareOfReads(prices);
  }

  private double recentShareOfReads(OperationPrices prices) {
    double now = last.shareOfReads();
    double mean = recent.shareOfReads();
    return prices.ofOne(now) > prices.ofOne(mean) ? now : mean;
  }
}
