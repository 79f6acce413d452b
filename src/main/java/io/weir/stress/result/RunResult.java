package io.weir.stress.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that one run showed: the content of {@code run.json}.
 *
 * @param schemaVersion of the file; see {@link RunFiles#SCHEMA_VERSION}
 * @param weir version of Weir
 * @param lucene version of Lucene
 * @param command the arguments as the user gave them
 * @param interrupted whether the user stopped the run, or it did not come to its end: the figures
 *     are partial
 * @param environment the machine, as a tree, because a run may be read on another machine by
 *     another version, which shows what it cannot name as well; see {@link RunJson#tree}
 * @param workload what every arm was asked to do, each option by its name
 * @param queries what the arms searched for; empty when the run ended before it settled that
 * @param arms one entry for each arm and round: rounds in their order, and in each the arms as the
 *     user gave them, in whatever order they ran
 * @param warnings about the whole run
 * @param noise how quiet the host was before the run began
 * @param slos whether the arms met their objectives; empty without objectives and in an interrupted
 *     run; in a sweep, those of its answers
 * @param sweep what a sweep searched for and found; empty in any other run
 */
public record RunResult(
    int schemaVersion,
    String weir,
    String lucene,
    List<String> command,
    Instant startedAt,
    Instant finishedAt,
    boolean interrupted,
    JsonNode environment,
    Map<String, String> workload,
    Optional<QueriesResult> queries,
    List<ArmResult> arms,
    List<RunWarning> warnings,
    RunNoise noise,
    List<SloResult> slos,
    Optional<SweepResult> sweep) {

  /** Whether anything makes figures doubtful, before the run or in an arm. */
  @JsonIgnore
  public boolean isNoisy() {
    return noise.isNoisy()
        || arms.stream().flatMap(arm -> arm.noise().stream()).anyMatch(ArmNoise::isNoisy);
  }

  /** Whether no arm is known to have lacked the requested state of the page cache. */
  public boolean cacheAsAsked() {
    return arms.stream().allMatch(ArmResult::cacheAsAsked);
  }

  /** How long the run took. */
  public Duration duration() {
    return Duration.between(startedAt, finishedAt);
  }
}
