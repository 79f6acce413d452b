package io.weir.report.model;

import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * One line of {@code reopens.csv}. Times are nanoseconds since the arm's measuring began.
 *
 * @param finishedNanos empty when the reopen never returned
 * @param failed true when its result is {@code failed} or when it never returned
 * @param startedNanos empty when it never began
 * @param toldNanos how long each part took that the file tells of
 */
public record ReopenRow(
    String phase,
    long intendedNanos,
    OptionalLong finishedNanos,
    boolean failed,
    OptionalLong startedNanos,
    Map<ReopenPart, Long> toldNanos) {

  /** One of which no more is told than when it was. */
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
   * Where the latency went; the parts add up to it exactly. What is not told is {@link
   * ReopenPart#OTHER}, and so is all of a reopen whose parts are longer than it is. One that
   * finished without having begun only waited.
   */
  public Map<ReopenPart, Long> parts() {
    long latency = latencyNanos().orElseThrow();
    Map<ReopenPart, Long> parts = new EnumMap<>(ReopenPart.class);
    long waited = startedNanos.isPresent() ? startedNanos.getAsLong() - intendedNanos : latency;
    long told = toldNanos.values().stream().mapToLong(Long::longValue).sum();
    if (waited >= 0 && waited + told <= latency) {
      parts.putAll(toldNanos);
      parts.put(ReopenPart.WAIT, waited);
      parts.put(ReopenPart.OTHER, latency - waited - told);
    } else {
      parts.put(ReopenPart.OTHER, latency);
    }
    parts.values().removeIf(nanos -> nanos == 0);
    return parts;
  }
}
