package io.weir.indexing.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.weir.stress.result.HostNoise;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.RunWarning;
import java.util.List;
import java.util.Optional;

/**
 * How quiet the machine was while a cell ran.
 *
 * @param control how late an idle thread ran, in a JVM that did nothing, that was due every 5 ms;
 *     empty until the run adds it. Where a cell has as many threads as the machine has processors,
 *     it is late because of the cell
 * @param host what others did while documents were indexed; empty for a cell that failed
 * @param findings what makes figures doubtful
 */
public record CellNoise(
    Optional<LatencySummary> control, Optional<HostNoise> host, List<RunWarning> findings) {

  /** Whether anything makes the figures doubtful. */
  @JsonIgnore
  public boolean isNoisy() {
    return !findings.isEmpty();
  }
}
