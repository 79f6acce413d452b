package io.weir.stress.experiment;

import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunWarning;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/** Follows a run. <b>Threads:</b> one call at a time, not always from the same thread. */
public interface ExperimentListener {

  /**
   * How far the current step is; called about once a second.
   *
   * @param step which one, for example {@code arm uncapped (1 of 2)}
   * @param stage what it does now
   * @param fraction the share of the stage that is done, from 0 to 1; empty where it is unknown
   */
  default void progress(String step, String stage, OptionalDouble fraction, String detail) {}

  /** Directories in the tree of the documents whose files are none; at least one. */
  default void leavesOut(List<Path> directories) {}

  /** What the run is about to do to a cluster that it has not started. */
  default void intends(EngineSource.Forecast forecast) {}

  /** An arm or a cell has ended, measured or failed. */
  default void ended(Run.Kind kind, Part result) {}

  /** A warning that the user should see now; the result holds it too. */
  default void warning(RunWarning warning) {}
}
