package io.weir.indexing.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.weir.report.compare.ConfidenceInterval;
import java.util.Optional;

/**
 * The part of a cell in which its rate was steady, and how sure that is.
 *
 * @param verdict whether the figures are those of steady state
 * @param cutStartSeconds what was cut off at the start
 * @param cutEndSeconds what was cut off before the last document
 * @param figures of what is left
 * @param interval of {@code figures.gigabytesPerHour}, with 95 % confidence, from up to ten parts
 *     of the window, each with whole flushes; empty with fewer than five flushes
 * @param earlierGigabytesPerHour the mean of the first half
 * @param laterGigabytesPerHour the mean of the second half
 * @param chance how often a steady rate has halves that differ so much or more (Mann-Whitney's
 *     test); empty when it cannot tell
 */
public record SteadyWindow(
    Verdict verdict,
    double cutStartSeconds,
    double cutEndSeconds,
    IndexingWindow figures,
    Optional<ConfidenceInterval> interval,
    double earlierGigabytesPerHour,
    double laterGigabytesPerHour,
    Optional<Double> chance) {

  /** Whether a window is steady. */
  public enum Verdict {
    /** It is. */
    @JsonProperty("steady")
    STEADY("steady"),
    /** Its second half is faster or slower than its first by more than noise and 5 %. */
    @JsonProperty("drifting")
    DRIFTING("drifting"),
    /** More than half of the cell would have to be cut off. */
    @JsonProperty("unsettled")
    UNSETTLED("not settled"),
    /** It holds fewer than two flushes, so a part of the work is missing from it. */
    @JsonProperty("too-few-flushes")
    TOO_FEW_FLUSHES("too few flushes");

    private final String label;

    Verdict(String label) {
      this.label = label;
    }

    /** In a word or three. */
    public String label() {
      return label;
    }
  }
}
