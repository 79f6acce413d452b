package io.weir.indexing.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.result.RunNoise;
import io.weir.stress.result.RunWarning;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All that one run of {@code weir index} showed: the content of its {@code run.json}.
 *
 * @param schemaVersion of the file; see {@link IndexingFiles#SCHEMA_VERSION}
 * @param experiment always {@link IndexingFiles#EXPERIMENT}: which command wrote the file
 * @param weir version of Weir
 * @param lucene version of Lucene
 * @param command the arguments as the user gave them
 * @param interrupted whether the user stopped the run, or it did not come to its end: cells are
 *     missing
 * @param environment the machine, as a tree
 * @param workload what every cell was asked to do, each option by its name
 * @param cells one entry for each cell and round, in the order in which they ran
 * @param warnings about the whole run
 * @param noise how quiet the machine was before the run began
 */
public record IndexingResult(
    int schemaVersion,
    String experiment,
    String weir,
    String lucene,
    List<String> command,
    Instant startedAt,
    Instant finishedAt,
    boolean interrupted,
    JsonNode environment,
    Map<String, String> workload,
    List<CellResult> cells,
    List<RunWarning> warnings,
    RunNoise noise) {

  /** How long the run took. */
  @JsonIgnore
  public Duration duration() {
    return Duration.between(startedAt, finishedAt);
  }

  /** Whether anything makes figures doubtful. */
  @JsonIgnore
  public boolean isNoisy() {
    return noise.isNoisy()
        || cells.stream().flatMap(cell -> cell.noise().stream()).anyMatch(CellNoise::isNoisy);
  }
}
