package io.weir.stress.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Optional;

/**
 * How quiet the host was during an arm, so that a reader can judge its figures.
 *
 * @param hiccups of the arm's own JVM: how late an idle thread ran that was due every 5 ms; empty
 *     when the arm failed
 * @param control the same in a JVM that did nothing, over the whole arm; empty until the experiment
 *     adds it
 * @param host what others did in each phase, empty for a phase that was too short to measure; empty
 *     when the arm failed
 * @param findings what makes the figures doubtful; empty on a quiet host
 */
public record ArmNoise(
    Optional<Phases<LatencySummary>> hiccups,
    Optional<LatencySummary> control,
    Optional<Phases<Optional<HostNoise>>> host,
    List<RunWarning> findings) {

  /** Whether anything makes the figures doubtful. */
  @JsonIgnore
  public boolean isNoisy() {
    return !findings.isEmpty();
  }
}
