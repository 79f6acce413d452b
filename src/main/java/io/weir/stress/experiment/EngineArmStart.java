package io.weir.stress.experiment;

import io.weir.run.RunFiles;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.engine.EngineAccess;
import io.weir.stress.engine.EngineArm;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.worker.WorkerTask;
import java.io.Closeable;

/** What arms on an engine start with, wherever the engine is. */
record EngineArmStart(StressPlan plan, RunFiles files) {

  /**
   * An arm's start.
   *
   * @param access to the arm's index
   * @param documents how many it holds
   * @param copy deletes what only this arm needs
   */
  IndexSource.Start of(ArmQueue.Turn turn, EngineAccess access, long documents, Closeable copy) {
    Arm arm = turn.arm();
    return new IndexSource.Start(
        WorkerJvm.SAME,
        outputs ->
            new WorkerTask.RunEngineArm(
                new EngineArm.Setup(
                    new ArmRun.Setup(
                        arm.name(),
                        turn.round(),
                        arm.settings(),
                        plan.documents(),
                        documents,
                        files.queriesText().toAbsolutePath(),
                        plan.out().toAbsolutePath(),
                        plan.slowReopenOver(),
                        outputs),
                    access)),
        copy);
  }
}
