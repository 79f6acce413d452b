package io.weir.stress.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * How quiet the host was in the second before a run began.
 *
 * @param control how late an idle thread ran that was due every 5 ms
 * @param before what others did
 * @param findings what will make figures doubtful; empty on a quiet host
 */
public record RunNoise(LatencySummary control, HostNoise before, List<RunWarning> findings) {

  /** Whether anything will make figures doubtful. */
  @JsonIgnore
  public boolean isNoisy() {
    return !findings.isEmpty();
  }
}
