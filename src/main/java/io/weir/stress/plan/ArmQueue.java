package io.weir.stress.plan;

import io.weir.run.Part;
import io.weir.run.SloResult;
import io.weir.run.SweepResult;
import java.util.List;
import java.util.Optional;

/**
 * The arms of a run one after another: known before it begins, or decided by what those before came
 * to.
 *
 * <p><b>Threads:</b> one. <b>Failure:</b> an arm that failed is among the results, and what follows
 * from that is decided here.
 */
public interface ArmQueue {

  /**
   * An arm to run.
   *
   * @param round from 1
   * @param place where it stands in the run, for the progress: {@code 2 of 6}
   */
  record Turn(Arm arm, int round, String place) {}

  /**
   * What to run now; empty when the run is done.
   *
   * @param results of all that ran, in that order
   */
  Optional<Turn> next(List<Part> results);

  /** Whether the objectives were kept to; empty while that is unknown. */
  List<SloResult> judge(List<Part> results);

  /**
   * What a sweep searches for and what it has found so far; empty for a run that is no sweep.
   *
   * @param interrupted whether the last arm was stopped by the user
   */
  default Optional<SweepResult> sweep(List<Part> results, boolean interrupted) {
    return Optional.empty();
  }
}
