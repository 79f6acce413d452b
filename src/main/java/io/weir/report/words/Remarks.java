package io.weir.report.words;

import io.weir.report.compare.ChangedMachine;
import io.weir.run.Part;
import io.weir.run.Run;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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
    public static Failure of(String name, int round, io.weir.run.Failure failure) {
      return new Failure(
          "%s, round %d: %s".formatted(name, round, failure.reason()), failure.lastLines());
    }
  }

  /** Those of a run of any kind. */
  public static Remarks of(Run run) {
    return new Remarks(
        interrupted(run.interrupted()),
        run.failed()
            .flatMap(
                part ->
                    part.failure().stream().map(why -> Failure.of(part.name(), part.round(), why)))
            .toList(),
        Notes.of(
            Stream.concat(
                    run.findings().stream(),
                    ChangedMachine.of(run.parts()).stream()
                        .flatMap(changed -> changed.warnings().stream()))
                .toList(),
            run.parts(),
            Part::findings),
        Notes.of(run.warnings(), run.parts(), Part::warnings));
  }

  /** The sentence on a run that was interrupted. */
  public static Optional<String> interrupted(boolean was) {
    return was
        ? Optional.of("The run was interrupted or has not ended: its figures are partial.")
        : Optional.empty();
  }
}
