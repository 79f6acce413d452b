package io.weir.report.model;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * One line of {@code reopens.csv}. Times are nanoseconds since the arm began to measure.
 *
 * @param finishedNanos empty when the reopen never returned
 * @param failed true when its result is {@code failed} or when it never returned
 * @param startedNanos empty when it never began
 * @param partNanos the duration of each part that the file holds
 */
public record ReopenRow(
    String phase,
    long intendedNanos,
    OptionalLong finishedNanos,
    boolean failed,
    OptionalLong startedNanos,
    Map<ReopenPart, Long> partNanos) {

  /** A reopen without a start and without parts. */
  public ReopenRow(String phase, long intendedNanos, OptionalLong finishedNanos, boolean failed) {
    this(phase, intendedNanos, finishedNanos, failed, OptionalLong.empty(), Map.of());
  }

  /** From the intended start until the call returned; empty when it never did. */
  public OptionalLong latencyNanos() {
    return finishedNanos.isPresent()
        ? OptionalLong.of(finishedNanos.getAsLong() - intendedNanos)
        : OptionalLong.empty();
  }

  /**
   * The latency by part; the parts add up to it exactly. The remainder is {@link ReopenPart#OTHER},
   * and so is all of a reopen whose parts add up to more than its latency. A reopen that finished
   * without a start only waited.
   */
  public Map<ReopenPart, Long> parts() {
    long latency = latencyNanos().orElseThrow();
    Map<ReopenPart, Long> parts = new EnumMap<>(ReopenPart.class);
    long waited = startedNanos.isPresent() ? startedNanos.getAsLong() - intendedNanos : latency;
    long known = partNanos.values().stream().mapToLong(Long::longValue).sum();
    if (waited >= 0 && waited + known <= latency) {
      parts.putAll(partNanos);
      parts.put(ReopenPart.WAIT, waited);
      parts.put(ReopenPart.OTHER, latency - waited - known);
    } else {
      parts.put(ReopenPart.OTHER, latency);
    }
    parts.values().removeIf(nanos -> nanos == 0);
    return parts;
  }
}
