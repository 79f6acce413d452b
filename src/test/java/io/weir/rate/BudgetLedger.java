package io.weir.rate;

import java.time.Duration;

/**
 * What one capped budget must hold, by an account of its own: what time has earned, less what the
 * snapshot says was granted. It is told of time only while nothing else happens, so it is exact to
 * the nano-byte.
 */
final class BudgetLedger {

  static final long NANO_BYTES_PER_BYTE = 1_000_000_000L;

  final ByteBudget budget;
  private final long burstNanos;
  private long levelNanoBytes;
  private long settledBytes;

  /** For a budget that has just been drained. */
  BudgetLedger(ByteBudget budget, long burstNanos) {
    this.budget = budget;
    this.burstNanos = burstNanos;
    this.settledBytes = budget.snapshot().grantedBytes();
  }

  /** Takes off what was granted since the last time, and says what is left; below zero is debt. */
  long settle() {
    long grantedBytes = budget.snapshot().grantedBytes();
    levelNanoBytes -= (grantedBytes - settledBytes) * NANO_BYTES_PER_BYTE;
    settledBytes = grantedBytes;
    return levelNanoBytes;
  }

  /** Time passes at the rate now in force; a pause earns nothing. */
  void earn(long nanos) {
    Rate rate = budget.rate();
    if (rate.isLimited()) {
      long burst = TokenBucket.burstBytes(rate.bytesPerSecond(), burstNanos) * NANO_BYTES_PER_BYTE;
      levelNanoBytes = Math.min(levelNanoBytes + nanos * rate.bytesPerSecond(), burst);
    }
  }

  /** How long until it holds so much; {@link Long#MAX_VALUE} while paused. */
  long nanosUntil(long bytes) {
    Rate rate = budget.rate();
    long missing = bytes * NANO_BYTES_PER_BYTE - levelNanoBytes;
    return rate.isLimited()
        ? Math.max(0, Math.ceilDiv(missing, rate.bytesPerSecond()))
        : Long.MAX_VALUE;
  }

  long wholeBytes() {
    return Math.max(0, levelNanoBytes / NANO_BYTES_PER_BYTE);
  }

  long debtBytes() {
    return Math.max(0, Math.ceilDiv(-levelNanoBytes, NANO_BYTES_PER_BYTE));
  }

  /** Takes all whole bytes it holds, without waiting. */
  static long drain(ByteBudget budget) throws InterruptedException {
    long drained = 0;
    for (long piece = ByteBudget.MAX_GRANT_BYTES; piece > 0; ) {
      long granted = budget.tryAcquire(piece, Duration.ZERO);
      drained += granted;
      if (granted == 0) {
        piece /= 2;
      }
    }
    return drained;
  }
}
