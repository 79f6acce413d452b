package io.weir.stress.experiment;

import io.weir.stress.engine.EngineAccess;
import io.weir.stress.engine.EngineArmRun;
import io.weir.stress.engine.EngineBuild;
import io.weir.stress.engine.EngineQueries;
import io.weir.stress.engine.EngineStamp;
import io.weir.stress.experiment.StressException.Kind;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.worker.WorkerAnswer;
import io.weir.stress.worker.WorkerTask;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An index in an engine, wherever the engine is. <b>Threads:</b> one. */
abstract class EngineSource implements IndexSource<EngineForecast> {

  final StressPlan run;
  final RunKind.Ground ground;
  final EngineStamp wanted;

  /**
   * A source that has looked at nothing yet.
   *
   * @param wanted what the index must hold
   */
  EngineSource(StressPlan run, RunKind.Ground ground, EngineStamp wanted) {
    this.run = run;
    this.ground = ground;
    this.wanted = wanted;
  }

  @Override
  public final boolean draw(Path file) throws IOException {
    Files.write(file, EngineQueries.draw(run.documents(), run.queries().kind()));
    return true;
  }

  /**
   * Makes and fills the index, in a worker.
   *
   * @return how many documents it holds; 0 when the run was stopped
   */
  final long fill(EngineAccess access) throws StressException, InterruptedException {
    WorkerTask task = new WorkerTask.BuildInEngine(new EngineBuild.Setup(access, wanted));
    WorkerEnd end = ground.workers().run("index", WorkerJvm.SAME, task);
    if (ground.workers().stopped()) {
      return 0;
    }
    WorkerAnswer.IndexMade made = end.orThrow(WorkerAnswer.IndexMade.class, "filling the index");
    made.warning().ifPresent(ground.warnings());
    if (made.documents() == 0) {
      throw LuceneSource.noDocuments(made, "filling the index", wanted.from().source());
    }
    return made.documents();
  }

  /**
   * An arm's start.
   *
   * @param access to the arm's index
   * @param documents how many it holds
   * @param copy deletes what only this arm needs
   */
  final Start start(ArmQueue.Turn turn, EngineAccess access, long documents, Closeable copy) {
    Arm arm = turn.arm();
    return new Start(
        WorkerJvm.SAME,
        outputs ->
            new WorkerTask.RunEngineArm(
                new EngineArmRun.Setup(
                    arm.name(),
                    turn.round(),
                    arm.settings(),
                    access,
                    run.documents(),
                    documents,
                    ground.files().queriesText().toAbsolutePath(),
                    run.out().toAbsolutePath(),
                    run.slowReopenOver(),
                    outputs)),
        copy);
  }

  static StressException usage(String message) {
    return new StressException(Kind.USAGE, message);
  }
}
