package io.weir.report.words;

import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.ArmNoise;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.RunResult;
import java.util.List;
import java.util.Optional;

/**
 * What a reader must know of a run before the figures, whatever its kind and whatever the form.
 *
 * @param interrupted that the run was stopped, in a sentence
 * @param failures what has no figures
 * @param noise what else happened on the machine
 * @param warnings everything else that makes figures less than they seem
 */
public record Remarks(
    Optional<String> interrupted, List<Failure> failures, Notes noise, Notes warnings) {

  /**
   * A part of a run that failed.
   *
   * @param what which, and why
   * @param lastLines what its process last wrote
   */
  public record Failure(String what, List<String> lastLines) {

    /** Of an arm or a cell in one round. */
    public static Failure of(String name, int round, ArmFailure failure) {
      return new Failure(
          "%s, round %d: %s".formatted(name, round, failure.reason()), failure.lastLines());
    }
  }

  /** Those of a stress run or a sweep. */
  public static Remarks of(RunResult run) {
    return new Remarks(
        interrupted(run.interrupted()),
        ArmResult.failed(run.arms())
            .map(arm -> Failure.of(arm.name(), arm.round(), arm.failure()))
            .toList(),
        Notes.of(
            run.noise().findings(),
            run.arms().stream()
                .map(
                    arm ->
                        new Notes.OfArm(
                            arm.name(),
                            arm.round(),
                            arm.noise().map(ArmNoise::findings).orElse(List.of())))
                .toList()),
        Notes.of(
            run.warnings(),
            run.arms().stream()
                .map(arm -> new Notes.OfArm(arm.name(), arm.round(), arm.warnings()))
                .toList()));
  }

  /** The sentence on a run that was interrupted. */
  public static Optional<String> interrupted(boolean was) {
    return was
        ? Optional.of("The run was interrupted or has not ended: its figures are partial.")
        : Optional.empty();
  }
}
