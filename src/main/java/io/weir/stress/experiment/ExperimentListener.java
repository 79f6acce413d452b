package io.weir.stress.experiment;

import io.weir.stress.result.ArmResult;
import io.weir.stress.result.RunWarning;

/** Is told how a run gets on. <b>Threads:</b> one at a time, not always the same. */
public interface ExperimentListener {

  /**
   * How far the current step is; told about once a second.
   *
   * @param step which one, for example {@code arm uncapped (1 of 2)}
   * @param stage what it does now
   * @param fraction how much of the stage is done, from 0 to 1; null when that cannot be told
   */
  default void progress(String step, String stage, Double fraction, String detail) {}

  /** An arm ended, well or not. */
  default void armEnded(ArmResult result) {}

  /** Something the user should know now; it is also in the result. */
  default void warning(RunWarning warning) {}
}
