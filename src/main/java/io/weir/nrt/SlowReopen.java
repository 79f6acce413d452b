package io.weir.nrt;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A reopen that took longer than the threshold, and why.
 *
 * <p>Its time is exactly the sum of {@code causeNanos}: the measured wait for another reopen; the
 * time before the first stack was taken; the time in which the sampler could not run although it
 * was due; and the rest, divided among the causes by their share of the stacks. A stack that took
 * longer to obtain, such as that of a thread in a page fault, has more weight.
 *
 * @param reopen the reopen, with its phases if known
 * @param causeNanos time of each cause, largest first
 * @param stacks the distinct stacks, largest time first
 * @param samplesTaken number of stacks taken
 * @param samplesExpected number of stacks if the sampler had never been late
 * @param merges merges that ran at its beginning or its end, according to {@link
 *     SlowReopenOptions#merges}
 */
public record SlowReopen(
    Reopen reopen,
    Map<ReopenCause, Long> causeNanos,
    List<Stack> stacks,
    int samplesTaken,
    int samplesExpected,
    List<String> merges) {

  /**
   * A stack, with the frames of the refresh only.
   *
   * @param frames innermost first; empty for all stacks of that cause beyond the number kept
   * @param samples how often it was sampled
   * @param nanos the time that it represents
   */
  public record Stack(ReopenCause cause, List<StackTraceElement> frames, int samples, long nanos) {

    /** Keeps a copy of the frames. */
    public Stack {
      frames = List.copyOf(frames);
    }
  }

  /** Keeps copies. */
  public SlowReopen {
    causeNanos = largestFirst(causeNanos);
    stacks = List.copyOf(stacks);
    merges = List.copyOf(merges);
  }

  /**
   * The cause with the most time, except {@link ReopenCause#NOT_SAMPLED}, which is returned only if
   * there is no other.
   */
  public ReopenCause cause() {
    return causeNanos.keySet().stream()
        .filter(cause -> cause != ReopenCause.NOT_SAMPLED)
        .findFirst()
        .orElse(ReopenCause.NOT_SAMPLED);
  }

  /** The fraction of the total time that a cause has: from 0 to 1. */
  public double share(ReopenCause cause) {
    Objects.requireNonNull(cause, "cause");
    long total = reopen.totalNanos();
    return total <= 0 ? 0 : (double) causeNanos.getOrDefault(cause, 0L) / total;
  }

  /** The longest phase; empty if no phase is known. */
  public Optional<ReopenPhase> phase() {
    return reopen.phaseNanos().entrySet().stream()
        .max(
            Map.Entry.<ReopenPhase, Long>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey);
  }

  /** The causes with their times, and the merges that ran, as a line of a log has them. */
  public String explanation() {
    return causeNanos.entrySet().stream()
            .map(
                cause ->
                    cause.getKey().name().toLowerCase(Locale.ROOT)
                        + " "
                        + Duration.ofNanos(cause.getValue()).toMillis()
                        + " ms")
            .collect(Collectors.joining(", "))
        + "; merges: "
        + (merges.isEmpty() ? "none" : String.join(", ", merges));
  }

  private static Map<ReopenCause, Long> largestFirst(Map<ReopenCause, Long> nanos) {
    Map<ReopenCause, Long> sorted = new LinkedHashMap<>();
    nanos.entrySet().stream()
        .sorted(
            Map.Entry.<ReopenCause, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(e -> sorted.put(e.getKey(), e.getValue()));
    return Collections.unmodifiableMap(sorted);
  }
}
