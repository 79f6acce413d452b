package io.weir.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Optional;

/**
 * What a sweep found for one kind of arm.
 *
 * @param arm the point with the shortest merge of those that met every objective; with {@link
 *     Status#NONE} the one with the lowest cap; empty when there is neither
 * @param capBytesPerSecond of that point; empty for a point without a cap
 * @param confirmed whether that point was measured once more, and still met them
 * @param contradictions points that do not fit: a lower cap that missed, or a higher one, or none,
 *     that met with a longer merge
 */
public record SweepAnswer(
    String kind,
    Status status,
    Optional<String> arm,
    Optional<Long> capBytesPerSecond,
    boolean confirmed,
    List<String> contradictions) {

  /** Whether there is an answer. */
  public enum Status {
    /** There is. */
    @JsonProperty("found")
    FOUND,
    /** Nothing that was tried met every objective. */
    @JsonProperty("none")
    NONE,
    /** The search did not finish; {@code arm} is the best so far. */
    @JsonProperty("unknown")
    UNKNOWN
  }
}
