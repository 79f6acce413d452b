package io.weir.merge;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The progress of the forced merges that run now. When {@code forceMerge} works in several rounds,
 * the merges of later rounds are not known yet.
 *
 * @param merges number of running forced merges
 * @param doneBytes bytes written to lasting files; temporary and compound files do not count
 * @param estimatedBytes bytes expected in those files; empty if unknown for any merge
 * @param fraction done bytes divided by estimated bytes, from 0 to 1; accurate to a few percent
 * @param elapsed time since the first of them started
 * @param remaining time left at the speed of the last seconds; empty if that is zero or the
 *     estimate is unknown
 */
public record ForcedMergeProgress(
    int merges,
    long doneBytes,
    OptionalLong estimatedBytes,
    OptionalDouble fraction,
    Duration elapsed,
    Optional<Duration> remaining) {

  /** The progress of one merge. */
  record Part(
      long doneBytes, OptionalLong estimatedBytes, long elapsedNanos, double bytesPerSecond) {}

  /** Adds them up; empty when there are none. */
  static Optional<ForcedMergeProgress> of(List<Part> parts) {
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    long doneBytes = 0;
    long estimated = 0;
    long left = 0;
    long elapsedNanos = 0;
    double bytesPerSecond = 0;
    boolean known = true;
    for (Part part : parts) {
      doneBytes += part.doneBytes();
      estimated += part.estimatedBytes().orElse(0);
      left += Math.max(0, part.estimatedBytes().orElse(0) - part.doneBytes());
      elapsedNanos = Math.max(elapsedNanos, part.elapsedNanos());
      bytesPerSecond += part.bytesPerSecond();
      known &= part.estimatedBytes().isPresent();
    }
    boolean measurable = known && estimated > 0;
    return Optional.of(
        new ForcedMergeProgress(
            parts.size(),
            doneBytes,
            known ? OptionalLong.of(estimated) : OptionalLong.empty(),
            measurable
                ? OptionalDouble.of((double) (estimated - left) / estimated)
                : OptionalDouble.empty(),
            Duration.ofNanos(elapsedNanos),
            known && bytesPerSecond > 0
                ? Optional.of(Duration.ofNanos((long) (left / bytesPerSecond * 1e9)))
                : Optional.empty()));
  }

  /**
   * Bytes per second over the last five to ten seconds, or since the start if that is shorter.
   *
   * <p><b>Threads:</b> any; guarded by this.
   */
  static final class RecentSpeed {

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
}
