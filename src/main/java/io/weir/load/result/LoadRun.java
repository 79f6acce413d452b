package io.weir.load.result;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.result.QueriesResult;
import io.weir.stress.result.RunNoise;
import io.weir.stress.result.RunWarning;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A whole run of {@code weir load}: the content of {@code load.json}.
 *
 * @param weir the version
 * @param lucene the version
 * @param command as the user gave it
 * @param interrupted whether the user stopped it, so that figures are partial
 * @param environment the machine
 * @param workload each option by its name
 * @param queries empty when the run ended before they were settled
 * @param limitMillis what p99 must not pass
 * @param arms in the order in which they ran
 * @param noise how quiet the machine was before
 */
public record LoadRun(
    int schemaVersion,
    String weir,
    String lucene,
    List<String> command,
    Instant startedAt,
    Instant endedAt,
    boolean interrupted,
    JsonNode environment,
    Map<String, String> workload,
    Optional<QueriesResult> queries,
    double limitMillis,
    List<LoadArm> arms,
    List<RunWarning> warnings,
    RunNoise noise) {

  /** The form of {@code load.json} that this version writes, and the only one that it reads. */
  public static final int SCHEMA_VERSION = 1;

  /** The arms, each name once, in the order of the first round. */
  public List<String> names() {
    return arms.stream().map(LoadArm::name).distinct().toList();
  }

  /** The rounds of one arm. */
  public List<LoadArm> rounds(String name) {
    return arms.stream().filter(arm -> arm.name().equals(name)).toList();
  }
}
