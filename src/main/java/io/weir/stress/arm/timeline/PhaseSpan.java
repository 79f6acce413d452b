package io.weir.stress.arm.timeline;

/**
 * When a phase began and ended, in nanoseconds of its {@link Timeline}.
 *
 * @param toNanos not before {@code fromNanos}
 */
public record PhaseSpan(long fromNanos, long toNanos) {

  /** How long it was. */
  public double seconds() {
    return (toNanos - fromNanos) / 1e9;
  }
}
