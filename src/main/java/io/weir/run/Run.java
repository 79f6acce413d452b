package io.weir.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All that one run showed: the content of {@code run.json}.
 *
 * @param schemaVersion of the file; see {@link #SCHEMA_VERSION}
 * @param kind which command made it
 * @param weir version of Weir
 * @param lucene version of Lucene
 * @param command the arguments as the user gave them
 * @param interrupted whether the user stopped the run, or it did not come to its end: the figures
 *     are partial
 * @param environment the machine, as a tree, because a run may be read on another machine by
 *     another version, which shows what it cannot name as well; see {@link RunJson#tree}
 * @param workload what every part was asked to do, each option by its name
 * @param values of the whole run: see {@link HeaderFigures}
 * @param parts one for each arm or cell and round; those of arms in the order of rounds, and in
 *     each the arms as the user gave them, in whatever order they ran
 * @param warnings about the whole run
 * @param findings what made the machine too noisy before the run began; empty on a quiet one
 * @param slos whether the arms met their objectives; empty without objectives and in an interrupted
 *     run; in a sweep, those of its answers
 * @param sweep what a sweep searched for and found; empty in any other run
 */
public record Run(
    int schemaVersion,
    Kind kind,
    String weir,
    String lucene,
    List<String> command,
    Instant startedAt,
    Instant finishedAt,
    boolean interrupted,
    JsonNode environment,
    Map<String, String> workload,
    Values values,
    List<Part> parts,
    List<RunWarning> warnings,
    List<RunWarning> findings,
    List<SloResult> slos,
    Optional<SweepResult> sweep) {

  /** The form of {@code run.json} that this version writes. */
  public static final int SCHEMA_VERSION = 2;

  /** Every figure that a run can have. */
  public static final FigureSet FIGURES =
      FigureSet.union(
          HeaderFigures.ALL,
          CanaryFigures.ALL,
          ArmFigures.ALL,
          MergeFigures.ALL,
          StepFigures.ALL,
          CellFigures.ALL);

  /** The commands that make runs. */
  public enum Kind {
    /** {@code weir stress}. */
    @JsonProperty("stress")
    STRESS,
    /** {@code weir sweep}. */
    @JsonProperty("sweep")
    SWEEP,
    /** {@code weir load}. */
    @JsonProperty("load")
    LOAD,
    /** {@code weir index}. */
    @JsonProperty("index")
    INDEX
  }

  /** The parts that have figures, in their order. */
  public Stream<Part> measured() {
    return parts.stream().filter(Part::isMeasured);
  }

  /** The parts that have none, in their order. */
  public Stream<Part> failed() {
    return parts.stream().filter(part -> !part.isMeasured());
  }

  /** The parts, each name once, in the order of the first round. */
  public List<String> names() {
    return parts.stream().map(Part::name).distinct().toList();
  }

  /** The rounds of one part. */
  public List<Part> rounds(String name) {
    return parts.stream().filter(part -> part.name().equals(name)).toList();
  }

  /** Whether anything makes figures doubtful, before the run or in a part. */
  @JsonIgnore
  public boolean isNoisy() {
    return !findings.isEmpty() || parts.stream().anyMatch(Part::isNoisy);
  }

  /** Whether no part is known to have lacked the requested state of the page cache. */
  public boolean cacheAsAsked() {
    return parts.stream().allMatch(Part::cacheAsAsked);
  }

  /** How long the run took. */
  public Duration duration() {
    return Duration.between(startedAt, finishedAt);
  }
}
