package io.weir.stress.worker;

import io.weir.corpus.NoDocumentsException;
import io.weir.corpus.ReadProblems;
import io.weir.stress.arm.ArmObserver;
import io.weir.stress.arm.ArmObservers;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.engine.EngineArmRun;
import io.weir.stress.engine.EngineBuild;
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
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * The entry of a worker JVM. Arguments: the file of its {@link WorkerTask}, and the file for its
 * {@link WorkerAnswer}.
 *
 * <p>It stops early, with what it has, when its standard input ends (because the experiment asks
 * for that or is gone) and when the keyboard interrupts it together with the experiment. With exit
 * code 0 the answer is written; with any other it is not, and standard error says why.
 */
public final class WorkerMain {

  private static final long STOPPING_SECONDS = 20;
  private static final long BUILD_PROGRESS_NANOS = 500_000_000;

  /** Silences Lucene's note on vector instructions; held here, or the level would be lost. */
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
      WorkerTask task = RunJson.read(Path.of(arguments[0]), WorkerTask.class);
      RunJson.write(Path.of(arguments[1]), worker.run(task));
    } catch (Throwable t) {
      t.printStackTrace();
      // Once more in short: the experiment shows the last lines, and a trace has its cause on top.
      Stream.iterate(Optional.of(t), Optional::isPresent, cause -> cause.map(Throwable::getCause))
          .forEach(cause -> System.err.println(cause.get()));
      Runtime.getRuntime().halt(1);
    }
    // Also reached while an interrupt shuts the JVM down: the hook then waits for this thread, so
    // this sets the exit code.
    Runtime.getRuntime().halt(0);
  }

  private WorkerAnswer run(WorkerTask task) throws Exception {
    return switch (task) {
      case WorkerTask.BuildIndex build -> build(build);
      case WorkerTask.RewriteIndex rewrite -> rewrite(rewrite);
      case WorkerTask.DrawQueries draw -> draw(draw);
      case WorkerTask.RunArm arm -> run(arm);
      case WorkerTask.BuildInEngine build -> build(build);
      case WorkerTask.RunEngineArm arm -> run(arm);
    };
  }

  private WorkerAnswer run(WorkerTask.RunArm task) throws Exception {
    ArmRun run = new ArmRun(task.arm(), NanoClock.SYSTEM, this::tell, observers(task));
    onStop(run::stop);
    return new WorkerAnswer.ArmEnded(run.run());
  }

  private WorkerAnswer run(WorkerTask.RunEngineArm task) throws Exception {
    EngineArmRun run = new EngineArmRun(task.arm(), NanoClock.SYSTEM, this::tell);
    onStop(run::stop);
    return new WorkerAnswer.ArmEnded(run.run());
  }

  private WorkerAnswer build(WorkerTask.BuildInEngine task) throws Exception {
    ReadProblems problems = new ReadProblems();
    EngineBuild build = new EngineBuild(task.build(), problems);
    onStop(build::stop);
    Thread teller =
        teller("filling the index", build::documents, task.build().wanted().from().maxDocuments());
    try {
      long documents = build.build();
      return new WorkerAnswer.IndexMade(documents, problems.malformedCount(), problems.first());
    } finally {
      teller.interrupt();
    }
  }

  private static ArmObserver observers(WorkerTask.RunArm task) {
    ArmRun.Setup arm = task.arm();
    Telemetry telemetry = task.telemetry();
    List<ArmObserver> observers = new ArrayList<>();
    telemetry.metricsPort().ifPresent(port -> observers.add(ArmMetrics.served(port, arm.name())));
    telemetry
        .push(arm.name())
        .ifPresent(push -> observers.add(ArmMetrics.pushed(push, arm.name())));
    if (telemetry.flightRecording()) {
      observers.add(
          new ArmRecording(
              new RunFiles(arm.out()).flightRecording(arm.name(), arm.round()), arm.name()));
    }
    return new ArmObservers(observers);
  }

  private WorkerAnswer build(WorkerTask.BuildIndex task) throws IOException {
    ReadProblems problems = new ReadProblems();
    IndexBuilder builder =
        new IndexBuilder(task.index(), task.documents(), task.layout(), problems, stopped::get);
    Thread teller =
        teller("building the index", builder::indexedDocuments, task.expectedDocuments());
    long documents;
    try {
      documents = builder.build();
    } catch (NoDocumentsException e) {
      documents = 0;
    } finally {
      teller.interrupt();
    }
    return new WorkerAnswer.IndexMade(documents, problems.malformedCount(), problems.first());
  }

  private WorkerAnswer rewrite(WorkerTask.RewriteIndex task) throws IOException {
    IndexRewriter rewriter = new IndexRewriter(task.from(), task.index(), task.layout());
    onStop(rewriter::stop);
    Thread teller =
        teller(
            "rewriting the index for other arms",
            rewriter::writtenDocuments,
            task.expectedDocuments());
    try {
      return new WorkerAnswer.IndexMade(rewriter.rewrite(), 0, List.of());
    } finally {
      teller.interrupt();
    }
  }

  private WorkerAnswer draw(WorkerTask.DrawQueries task) throws IOException {
    tell("reading its dictionary", OptionalDouble.empty(), "");
    byte[] queries;
    try (Directory directory = FSDirectory.open(task.index());
        DirectoryReader reader = DirectoryReader.open(directory)) {
      queries = QueryDraw.draw(reader, task.source(), task.seed(), stopped::get);
    }
    boolean complete = !stopped.get();
    if (complete) {
      Files.write(task.file(), queries);
    }
    return new WorkerAnswer.QueriesDrawn(complete);
  }

  /** Reports how many documents there are so far, until it is interrupted. */
  private Thread teller(String stage, LongSupplier documents, long expected) {
    return Thread.ofPlatform()
        .daemon()
        .name("weir-progress")
        .start(() -> tellDocuments(stage, documents, expected));
  }

  private void tellDocuments(String stage, LongSupplier documents, long expected) {
    while (!Thread.currentThread().isInterrupted()) {
      long done = documents.getAsLong();
      tell(
          stage,
          expected > 0
              ? OptionalDouble.of(Math.min(1.0, (double) done / expected))
              : OptionalDouble.empty(),
          done + " documents");
      NanoClock.SYSTEM.parkNanos(this, BUILD_PROGRESS_NANOS);
    }
  }

  private void tell(String stage, OptionalDouble fraction, String detail) {
    protocol.println(RunJson.line(new WorkerProgress(stage, fraction, detail)));
    protocol.flush();
  }

  private void stopWhenInputEnds() {
    try {
      while (System.in.read() >= 0) {
        // Nothing is ever sent; only the end has a meaning.
      }
    } catch (IOException e) {
      // The same as an end.
    }
    stop();
  }

  /** Runs {@code action} when this is stopped, at once if it is stopped already. */
  private void onStop(Runnable action) {
    whenStopped = action;
    if (stopped.get()) {
      action.run();
    }
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
