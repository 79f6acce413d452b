package io.weir.indexing.cell;

import io.weir.jvm.Worker;
import io.weir.time.NanoClock;

/**
 * The entry of a cell's JVM. Arguments: the file of its {@link CellTask}, and the file for its
 * {@link io.weir.run.Part}.
 */
public final class CellMain {

  private CellMain() {}

  /** Runs the cell in the file that {@code arguments} names. */
  public static void main(String[] arguments) {
    Worker.run(
        arguments,
        CellTask.class,
        (task, process) -> {
          process.writesTo(task.index());
          CellRun run = new CellRun(task, NanoClock.SYSTEM, process::tell);
          process.onStop(run::stop);
          return run.run();
        });
  }
}
