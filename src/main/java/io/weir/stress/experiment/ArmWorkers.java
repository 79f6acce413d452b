package io.weir.stress.experiment;

import io.weir.jvm.JvmCommand;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.jvm.Workers;
import io.weir.run.Part;
import io.weir.run.RunFiles;
import io.weir.run.Values;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.worker.StressMain;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/** Runs arms, each in a worker of its own, and adds what each writes to the files of the run. */
record ArmWorkers(Workers workers, RunFiles files) {

  /**
   * Runs one arm to its end.
   *
   * @param task what the worker does, from where it is to write
   */
  Part run(ArmQueue.Turn turn, JvmCommand jvm, Function<ArmRun.Outputs, StressMain.Task> task)
      throws IOException, InterruptedException {
    ArmRun.Outputs outputs = outputs();
    Part result;
    try (ControlJvm control = new ControlJvm(NanoClock.SYSTEM)) {
      result = control.judge(measured(turn, jvm, task.apply(outputs)));
    }
    append(outputs);
    return result;
  }

  private Part measured(ArmQueue.Turn turn, JvmCommand jvm, StressMain.Task task)
      throws InterruptedException {
    String step = "arm %s (%s)".formatted(turn.arm().name(), turn.place());
    try {
      return workers.run(step, jvm, StressMain.class, task, Part.class);
    } catch (DiedException e) {
      return Part.failed(
          Part.Kind.ARM,
          turn.arm().name(),
          turn.round(),
          turn.arm().settings().describe(),
          Values.NONE,
          e.failure());
    }
  }

  /** Files for one arm, without what the one before it left. */
  private ArmRun.Outputs outputs() throws IOException {
    Path directory = workers.scratch().toAbsolutePath().resolve("arm");
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
