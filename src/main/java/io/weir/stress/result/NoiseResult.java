package io.weir.stress.result;

import java.util.List;

/**
 * How quiet it was around the figures, so that they can be believed.
 *
 * @param hiccups of the arm's own JVM: how much later than due a thread ran that was due every 5 ms
 *     and had nothing to do; null before an arm
 * @param control the same in a JVM that does nothing, for as long as the arm took
 * @param host what others did; null before an arm
 * @param before what others did before anything ran; null in an arm
 * @param findings what makes the figures doubtful; empty when it was quiet
 */
public record NoiseResult(
    Phases<LatencySummary> hiccups,
    LatencySummary control,
    Phases<HostNoise> host,
    HostNoise before,
    List<RunWarning> findings) {

  /** Reads what is missing as empty. */
  public NoiseResult {
    findings = findings == null ? List.of() : List.copyOf(findings);
  }
}
