package io.weir.nrt;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A reopen that took longer than the threshold, and why.
 *
 * <p>Its time is the sum of {@code causeNanos}, to the nanosecond: the wait for another reopen, as
 * measured; the time before the first stack was taken; the time in which the sampler did not come
 * to run when it should have; and the rest, given to the causes by their share of the stacks. A
 * stack that took longer to take than the others, as of a thread in a page fault, weighs the more.
 *
 * @param reopen with its phases, if they are known
 * @param causeNanos time of each cause that had any, the largest first
 * @param stacks the distinct stacks, those with the most time first
 * @param samplesTaken how many stacks were taken
 * @param samplesExpected how many there would be if the sampler had always been in time
 * @param merges those that ran at its beginning or its end, as {@link SlowReopenOptions#merges}
 *     told
 */
public record SlowReopen(
    Reopen reopen,
    Map<ReopenCause, Long> causeNanos,
    List<Stack> stacks,
    int samplesTaken,
    int samplesExpected,
    List<String> merges) {

  /**
   * Where the thread was, in the frames of the refresh alone.
   *
   * @param frames the innermost first; empty for all stacks of that cause beyond the number kept
   * @param samples how often it was seen
   * @param nanos the time that it stands for
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
   * What took the most of its time, time that was not sampled left aside; {@link
   * ReopenCause#NOT_SAMPLED} if there is nothing else.
   */
  public ReopenCause cause() {
    return causeNanos.keySet().stream()
        .filter(cause -> cause != ReopenCause.NOT_SAMPLED)
        .findFirst()
        .orElse(ReopenCause.NOT_SAMPLED);
  }

  /** The part of the whole time that a cause has: from 0 to 1. */
  public double share(ReopenCause cause) {
    long total = reopen.totalNanos();
    return total <= 0 ? 0 : (double) causeNanos.getOrDefault(cause, 0L) / total;
  }

  /** The phase that took longest; empty if none is known. */
  public Optional<ReopenPhase> phase() {
    return reopen.phaseNanos().entrySet().stream()
        .max(
            Map.Entry.<ReopenPhase, Long>comparingByValue()
                .thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey);
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
