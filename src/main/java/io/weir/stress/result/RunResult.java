package io.weir.stress.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * All that one run showed: the content of {@code run.json}.
 *
 * <p>A list that an older or partial file does not have is empty here, never null.
 *
 * @param schemaVersion of the file this is or was; see {@link RunFiles#SCHEMA_VERSION}
 * @param weir version of Weir
 * @param lucene version of Lucene
 * @param command the arguments as the user gave them
 * @param finishedAt null while the run has not ended
 * @param interrupted true when the user stopped the run and the figures are partial
 * @param environment the machine, as a tree: a run is read on other machines and by other versions
 *     than wrote it, and what one of them could not name is still shown; see {@link RunJson#tree};
 *     null when it is not known
 * @param workload what every arm was asked to do, each option by its name
 * @param queries what was searched for; null in runs of before it was kept, and when a run ended
 *     before it was settled
 * @param arms one entry an arm and round, rounds in their order, and in each the arms as the user
 *     gave them, in whatever order they ran
 * @param warnings about the whole run
 * @param noise how quiet it was before anything ran; null in runs of before it was measured
 * @param slos whether the arms kept to the objectives that were set; empty when none were, and in a
 *     run that was interrupted; in a sweep those of the caps that were found
 * @param sweep what a sweep searched for and found; null in any other run
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
    QueriesResult queries,
    List<ArmResult> arms,
    List<RunWarning> warnings,
    NoiseResult noise,
    List<SloResult> slos,
    SweepResult sweep) {

  /** Reads what is missing as empty. */
  public RunResult {
    command = command == null ? List.of() : List.copyOf(command);
    workload = workload == null ? Map.of() : workload;
    arms = arms == null ? List.of() : List.copyOf(arms);
    warnings = warnings == null ? List.of() : List.copyOf(warnings);
    slos = slos == null ? List.of() : List.copyOf(slos);
  }

  /** Whether anything was found that makes figures doubtful, before the run or in an arm. */
  @JsonIgnore
  public boolean isNoisy() {
    return isNoisy(noise) || arms.stream().anyMatch(arm -> isNoisy(arm.noise()));
  }

  /** Whether each arm that asked for a state of the page cache is known to have had it. */
  public boolean cacheAsAsked() {
    return arms.stream().allMatch(ArmResult::cacheAsAsked);
  }

  private static boolean isNoisy(NoiseResult noise) {
    return noise != null && !noise.findings().isEmpty();
  }

  /** How long the run took; null when one of its ends is not known. */
  public Duration duration() {
    return startedAt == null || finishedAt == null ? null : Duration.between(startedAt, finishedAt);
  }
}
