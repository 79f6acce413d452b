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
}
