package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.stress.engine.EngineAccess;
import io.weir.stress.plan.ArmQueue;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Where the arms of a run on an engine get their index. <b>Threads:</b> one. */
interface EngineIndexSource {

  /** Refuses what cannot work; creates nothing. */
  void check(DocumentSource documents) throws StressException, IOException;

  /** What {@link #make} would do, in a sentence without a full stop. */
  String forecast();

  /**
   * Makes all that arms need.
   *
   * @return how many documents their index has; 0 when the run was stopped
   */
  long make() throws StressException, IOException, InterruptedException;

  /** What one arm works on. */
  EngineAccess access(ArmQueue.Turn turn, int step) throws IOException;

  /** The arm of this step has ended. */
  void ended(int step) throws IOException;

  /** Where the index is or will be, as far as this machine knows. */
  Path place();

  /** Of the workload. */
  Map<String, String> facts();
}
