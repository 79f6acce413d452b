package io.weir.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.weir.figure.Figure;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one part of a run showed in one round: figures, or why there are none.
 *
 * @param name an arm as the user named it, a step by its load, a cell by its place in the matrix
 * @param round from 1
 * @param settings what it ran with, each option by its name
 * @param values what was measured
 * @param failure why it failed; one that was interrupted can have failed as well
 * @param warnings what a reader of the figures must know
 * @param findings what made the machine too noisy for the figures; empty on a quiet one
 * @param parts the steps of an arm, in their order; empty in any other part
 */
public record Part(
    Kind kind,
    String name,
    int round,
    Status status,
    Map<String, String> settings,
    Values values,
    Optional<Failure> failure,
    List<RunWarning> warnings,
    List<RunWarning> findings,
    List<Part> parts) {

  /** What a part is of. */
  public enum Kind {
    /** A variant under a load that does not change: {@code weir stress}, {@code weir sweep}. */
    @JsonProperty("arm")
    ARM,
    /** One load in the search for what an arm bears: {@code weir load}. */
    @JsonProperty("step")
    STEP,
    /** A variant with one number of threads and one buffer: {@code weir index}. */
    @JsonProperty("cell")
    CELL
  }

  /** Refuses a part that failed for no reason. */
  public Part {
    if (status == Status.FAILED && failure.isEmpty()) {
      throw new IllegalArgumentException("a part that failed must say why: " + name);
    }
  }

  /** A part that ran, without warnings. */
  public static Part of(
      Kind kind,
      String name,
      int round,
      Status status,
      Map<String, String> settings,
      Values values) {
    return new Part(
        kind,
        name,
        round,
        status,
        settings,
        values,
        Optional.empty(),
        List.of(),
        List.of(),
        List.of());
  }

  /**
   * A part of which little is known but why it failed.
   *
   * @param values what is known
   */
  public static Part failed(
      Kind kind,
      String name,
      int round,
      Map<String, String> settings,
      Values values,
      Failure failure) {
    return new Part(
        kind,
        name,
        round,
        Status.FAILED,
        settings,
        values,
        Optional.of(failure),
        List.of(),
        List.of(),
        List.of());
  }

  /** The same with these warnings. */
  public Part withWarnings(List<RunWarning> newWarnings) {
    return new Part(
        kind, name, round, status, settings, values, failure, newWarnings, findings, parts);
  }

  /** The same with how quiet the machine was. */
  public Part with(Noise noise) {
    Values all = Values.builder().put(values).put(noise.values()).build();
    return new Part(
        kind, name, round, status, settings, all, failure, warnings, noise.findings(), parts);
  }

  /** The same with {@code more} values, which replace those that it has. */
  public Part with(Values more) {
    return with(new Noise(more, findings));
  }

  /** The same with these parts. */
  public Part withParts(List<Part> newParts) {
    return new Part(
        kind, name, round, status, settings, values, failure, warnings, findings, newParts);
  }

  /** Whether it left figures: it ran to its end, or was interrupted. */
  @JsonIgnore
  public boolean isMeasured() {
    return status != Status.FAILED;
  }

  /** Whether the machine was too noisy for the figures. */
  @JsonIgnore
  public boolean isNoisy() {
    return !findings.isEmpty();
  }

  /** False only if the page cache is known not to have been in the requested state. */
  public boolean cacheAsAsked() {
    return get(ArmFigures.CACHE_AS_ASKED).orElse(true);
  }

  /** The value of a figure; empty when it was not measured. */
  public <T> Optional<T> get(Figure<T> figure) {
    return values.get(figure);
  }

  /** The value of the figure that {@code figures} has for {@code constant}. */
  public <E extends Enum<E>, T> Optional<T> get(FigureBy<E, T> figures, E constant) {
    return values.get(figures, constant);
  }

  /** The value of a figure that every part of this kind has. */
  public <T> T require(Figure<T> figure) {
    return values.require(figure);
  }

  /** The value of a figure that every part of this kind has. */
  public <E extends Enum<E>, T> T require(FigureBy<E, T> figures, E constant) {
    return values.require(figures, constant);
  }

  /** The latencies of a phase; {@link LatencySummary#EMPTY} when none was measured. */
  public LatencySummary latency(FigureBy<Phase, LatencySummary> figures, Phase phase) {
    return values.latency(figures, phase);
  }
}
