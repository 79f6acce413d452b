package io.weir.stress.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Optional;

/**
 * How an arm was warmed up, and whether it was steady when measuring began. The test compares two
 * groups of reopens: the earlier and the later half of those in the last two thirds of the
 * requested warm-up.
 *
 * @param askedSeconds the shortest warm-up, as requested
 * @param seconds how long it was
 * @param steady whether the groups did not differ; empty when there were too few reopens to tell
 * @param earlierMillis the median of the earlier group, from the real start; empty for an empty
 *     group
 * @param laterMillis the median of the later group; empty likewise
 * @param chance how often steady reopens look so different or more (Mann-Whitney's test); empty
 *     when there were too few reopens to tell
 */
public record WarmUpResult(
    double askedSeconds,
    double seconds,
    Optional<Boolean> steady,
    Optional<Double> earlierMillis,
    Optional<Double> laterMillis,
    Optional<Double> chance) {

  /** Whether the groups are known to differ. */
  @JsonIgnore
  public boolean isUnsteady() {
    return steady.isPresent() && !steady.get();
  }
}
