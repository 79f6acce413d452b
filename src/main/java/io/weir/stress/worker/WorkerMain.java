package io.weir.stress.worker;

import io.weir.corpus.NoDocumentsException;
import io.weir.corpus.ReadProblems;
import io.weir.stress.arm.ArmObserver;
import io.weir.stress.arm.ArmObservers;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.index.IndexBuilder;
import io.weir.stress.index.IndexRewriter;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.queries.QueryDraw;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunJson;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * The entry of a worker JVM. Arguments: the file of its {@link WorkerTask}.
 *
 * <p>It stops early, with what it has, when its standard input ends (the experiment asks for it, or
 * is gone) and when it is interrupted from the keyboard together with the experiment. Exit code 0:
 * the result is written; anything else: it is not, and the standard error says why.
 */
public final class WorkerMain {

  private static final long STOPPING_SECONDS = 20;
  private static final long BUILD_PROGRESS_NANOS = 500_000_000;

  /** Lucene tells of the vector instructions it could have; kept here or it would be forgotten. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private final PrintStream protocol;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private volatile Runnable whenStopped = () -> {};

  private WorkerMain(PrintStream protocol) {
    this.protocol = protocol;
  }

  /** Runs the task in the file that {@code arguments} names. */
  public static void main(String[] arguments) throws Exception {
    LUCENE.setLevel(Level.SEVERE);
    WorkerMain worker = new WorkerMain(System.out);
    Thread main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> worker.stopAndAwait(main)));
    Thread.ofPlatform().daemon().name("weir-stdin").start(worker::stopWhenInputEnds);
    try {
      worker.run(RunJson.read(Path.of(arguments[0]), WorkerTask.class));
    } catch (Throwable t) {
      t.printStackTrace();
      // Once more in short: the experiment shows the last lines, and a trace has its cause on top.
      for (Throwable cause = t; cause != null; cause = cause.getCause()) {
        System.err.println(cause);
      }
      Runtime.getRuntime().halt(1);
    }
    // Reached as well while an interrupt has the JVM shutting down: then the hook still waits for
    // this thread, so it is here that the exit code is decided, and it says that all is well.
    Runtime.getRuntime().halt(0);
  }

  private void run(WorkerTask task) throws Exception {
    if (task.build() != null) {
      RunJson.write(
          task.result(), task.build().from() == null ? build(task.build()) : rewrite(task.build()));
    } else if (task.draw() != null) {
      byte[] queries = draw(task.draw());
      if (!stopped.get()) { // else they are not all
        Files.write(task.result(), queries);
      }
    } else {
      ArmRun run = new ArmRun(task.arm(), NanoClock.SYSTEM, this::tell, observers(task));
      whenStopped = run::stop;
      if (stopped.get()) {
        run.stop();
      }
      RunJson.write(task.result(), run.run());
    }
  }

  private static ArmObserver observers(WorkerTask task) {
    ArmRun.Setup arm = task.arm();
    Telemetry telemetry = task.telemetry();
    List<ArmObserver> observers = new ArrayList<>();
    if (telemetry.metricsPort() != null) {
      observers.add(ArmMetrics.served(telemetry.metricsPort(), arm.name()));
    }
    if (telemetry.otlpUrl() != null) {
      observers.add(ArmMetrics.pushed(telemetry.push(arm.name()), arm.name()));
    }
    if (telemetry.flightRecording()) {
      observers.add(
          new ArmRecording(
              new RunFiles(arm.out()).flightRecording(arm.name(), arm.round()), arm.name()));
    }
    return new ArmObservers(observers);
  }

  private BuildResult build(WorkerTask.Build task) throws IOException {
    ReadProblems problems = new ReadProblems();
    IndexBuilder builder =
        new IndexBuilder(task.index(), task.documents(), task.layout(), problems, stopped::get);
    Thread teller = teller("building the index", builder::indexedDocuments, task);
    try {
      return new BuildResult(builder.build(), problems.malformedCount(), problems.first());
    } catch (NoDocumentsException e) {
      return new BuildResult(0, problems.malformedCount(), problems.first());
    } finally {
      teller.interrupt();
    }
  }

  private BuildResult rewrite(WorkerTask.Build task) throws IOException {
    IndexRewriter rewriter = new IndexRewriter(task.from(), task.index(), task.layout());
    whenStopped = rewriter::stop;
    if (stopped.get()) {
      rewriter.stop();
    }
    Thread teller = teller("rewriting the index for other arms", rewriter::writtenDocuments, task);
    try {
      return new BuildResult(rewriter.rewrite(), 0, List.of());
    } finally {
      teller.interrupt();
    }
  }

  private byte[] draw(WorkerTask.Draw task) throws IOException {
    tell("reading its dictionary", null, "");
    try (Directory directory = FSDirectory.open(task.index());
        DirectoryReader reader = DirectoryReader.open(directory)) {
      return QueryDraw.draw(reader, task.kind(), task.seed(), stopped::get);
    }
  }

  /** Tells how many documents there are already, until it is interrupted. */
  private Thread teller(String stage, LongSupplier documents, WorkerTask.Build task) {
    return Thread.ofPlatform()
        .daemon()
        .name("weir-progress")
        .start(() -> tellDocuments(stage, documents, task.expectedDocuments()));
  }

  private void tellDocuments(String stage, LongSupplier documents, long expected) {
    while (!Thread.currentThread().isInterrupted()) {
      long done = documents.getAsLong();
      tell(
          stage,
          expected > 0 ? Math.min(1.0, (double) done / expected) : null,
          done + " documents");
      NanoClock.SYSTEM.parkNanos(this, BUILD_PROGRESS_NANOS);
    }
  }

  private void tell(String stage, Double fraction, String detail) {
    protocol.println(RunJson.line(new WorkerProgress(stage, fraction, detail)));
    protocol.flush();
  }

  private void stopWhenInputEnds() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever sent; only the end means something.
      }
    } catch (IOException e) {
      // As good as an end.
    }
    stop();
  }

  private void stop() {
    stopped.set(true);
    whenStopped.run();
  }

  private void stopAndAwait(Thread main) {
    stop();
    try {
      main.join(Duration.ofSeconds(STOPPING_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
