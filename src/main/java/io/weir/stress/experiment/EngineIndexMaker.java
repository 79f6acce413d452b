package io.weir.stress.experiment;

import io.weir.stress.engine.EngineAccess;
import io.weir.stress.engine.EngineBuild;
import io.weir.stress.engine.EngineStamp;
import io.weir.stress.worker.StressMain;
import io.weir.stress.worker.StressMain.IndexMade;
import java.util.Optional;

/** Makes the index that arms on an engine start from, in a worker. <b>Threads:</b> one. */
record EngineIndexMaker(RunContext context) {

  /**
   * Makes and fills it.
   *
   * @return how many documents it holds; 0 when the run was stopped
   */
  long make(EngineAccess access, EngineStamp wanted) throws StressException, InterruptedException {
    StressMain.Task task = new StressMain.BuildInEngine(new EngineBuild.Setup(access, wanted));
    Optional<IndexMade> answer = context.run("index", task, IndexMade.class, "filling the index");
    if (answer.isEmpty() || context.workers().stopped()) {
      return 0;
    }
    IndexMade made = answer.get();
    made.warning().ifPresent(context.warnings());
    if (made.documents() == 0) {
      throw IndexMaker.noDocuments(made, "filling the index", wanted.from().source());
    }
    return made.documents();
  }
}
