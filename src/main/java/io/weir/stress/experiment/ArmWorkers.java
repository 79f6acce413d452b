package io.weir.stress.experiment;

import io.weir.run.Failure;
import io.weir.run.Part;
import io.weir.run.RunFiles;
import io.weir.run.Values;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.worker.WorkerAnswer;
import io.weir.stress.worker.WorkerTask;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Runs arms, each in a worker of its own, and adds what each writes to the files of the run.
 *
 * @param scratch a directory for the files of one arm
 */
record ArmWorkers(Workers workers, RunFiles files, Path scratch) {

  /**
   * Runs one arm to its end.
   *
   * @param task what the worker does, from where it is to write
   */
  Part run(ArmQueue.Turn turn, WorkerJvm jvm, Function<ArmRun.Outputs, WorkerTask> task)
      throws IOException, InterruptedException {
    ArmRun.Outputs outputs = outputs();
    Part result;
    try (ControlJvm control = new ControlJvm(NanoClock.SYSTEM)) {
      String step = "arm %s (%s)".formatted(turn.arm().name(), turn.place());
      result = control.judge(result(turn, workers.run(step, jvm, task.apply(outputs))));
    }
    append(outputs);
    return result;
  }

  private static Part result(ArmQueue.Turn turn, WorkerEnd end) {
    return switch (end) {
      case WorkerEnd.Answered(WorkerAnswer.ArmEnded(Part result)) -> result;
      case WorkerEnd.Answered(Object other) ->
          throw new IllegalStateException("not the answer to an arm: " + other);
      case WorkerEnd.Failed(Failure failure) ->
          Part.failed(
              Part.Kind.ARM,
              turn.arm().name(),
              turn.round(),
              turn.arm().settings().describe(),
              Values.NONE,
              failure);
    };
  }

  /** Files for one arm, without what the one before it left. */
  private ArmRun.Outputs outputs() throws IOException {
    Path directory = scratch.toAbsolutePath().resolve("arm");
    IndexCopy.deleteTree(directory);
    Files.createDirectory(directory);
    return new ArmRun.Outputs(
        directory.resolve("reopens.csv"),
        directory.resolve("series.csv"),
        directory.resolve("slow-reopens.csv"),
        directory.resolve("slow-reopens.txt"),
        directory.resolve("gc.csv"),
        directory.resolve("jfr"));
  }

  private void append(ArmRun.Outputs outputs) throws IOException {
    CsvAppender.append(outputs.reopens(), files.reopensCsv());
    CsvAppender.append(outputs.series(), files.seriesCsv());
    CsvAppender.append(outputs.slowReopens(), files.slowReopensCsv());
    CsvAppender.append(outputs.gc(), files.gcCsv());
    CsvAppender.appendText(outputs.slowStacks(), files.slowReopensText());
  }
}
