package io.weir.stress.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.jvm.JvmCommand;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.worker.StressMain;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;

/**
 * Where the arms of a run get their index.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> {@link #close} deletes what only this run needs, and
 * releases the index.
 *
 * @param <F> what {@link #check} tells
 */
public interface IndexSource<F> extends Closeable {

  /**
   * What an arm starts with.
   *
   * @param jvm for its worker
   * @param task what its worker does, from where it is to write
   * @param copy deletes the arm's copy of the index
   */
  record Start(JvmCommand jvm, Function<ArmRun.Outputs, StressMain.Task> task, Closeable copy)
      implements Closeable {

    @Override
    public void close() throws IOException {
      copy.close();
    }
  }

  /** Refuses what cannot work, creates nothing, and tells what {@link #make} would do. */
  F check(DocumentSource documents) throws StressException, IOException;

  /**
   * Makes all that arms need, and keeps other processes from changing it.
   *
   * @return how many documents the index has; 0 when the run was stopped before it had all
   */
  long make() throws StressException, IOException, InterruptedException;

  /**
   * Writes queries for the index to {@code file}.
   *
   * @return false when the run was stopped before
   */
  boolean draw(Path file) throws StressException, IOException, InterruptedException;

  /**
   * Makes what one arm works on.
   *
   * @param step of the run, from 1 on
   * @param documents what {@link #make} returned
   */
  Start start(ArmQueue.Turn turn, int step, long documents) throws IOException;

  /** Where the index is or will be, as far as this machine knows. */
  Path place();

  /** Of the workload, for the record. */
  Map<String, String> facts() throws IOException;
}
