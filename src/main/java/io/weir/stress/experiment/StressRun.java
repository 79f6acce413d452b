package io.weir.stress.experiment;

import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunResult;
import java.io.IOException;

/**
 * One run of a stress test, whatever it measures.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #cancel} from any thread.
 */
public interface StressRun {

  /** Where the result is. */
  RunFiles files();

  /**
   * Runs all of it.
   *
   * @throws StressException for a run that cannot begin or continue
   */
  RunResult run() throws StressException, IOException, InterruptedException;

  /** Ends the run early; {@link #run} then returns the results until now. */
  void cancel();
}
