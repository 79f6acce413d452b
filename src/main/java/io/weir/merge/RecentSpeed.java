package io.weir.merge;

/**
 * Bytes per second over the last five to ten seconds, or since the start if that is shorter.
 *
 * <p><b>Threads:</b> any; guarded by this.
 */
final class RecentSpeed {

  private static final long STEP_NANOS = 5_000_000_000L;
  private static final double NANOS_PER_SECOND = 1e9;

  private long bytes; // guarded by this, as all below
  private long fromNanos;
  private long fromBytes;
  private long stepNanos;
  private long stepBytes;

  RecentSpeed(long nowNanos) {
    fromNanos = nowNanos;
    stepNanos = nowNanos;
  }

  synchronized void add(long moreBytes, long nowNanos) {
    moveOn(nowNanos);
    bytes += moreBytes;
  }

  /** The speed; 0 if nothing was written in that time. */
  synchronized double bytesPerSecond(long nowNanos) {
    moveOn(nowNanos);
    long nanos = nowNanos - fromNanos;
    return nanos <= 0 ? 0 : (bytes - fromBytes) * NANOS_PER_SECOND / nanos;
  }

  private void moveOn(long nowNanos) {
    if (nowNanos - stepNanos >= STEP_NANOS) {
      fromNanos = stepNanos;
      fromBytes = stepBytes;
      stepNanos = nowNanos;
      stepBytes = bytes;
    }
  }
}
