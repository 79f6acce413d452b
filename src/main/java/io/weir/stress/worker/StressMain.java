package io.weir.stress.worker;

import io.weir.corpus.NoDocumentsException;
import io.weir.corpus.ReadProblems;
import io.weir.jvm.Worker;
import io.weir.run.Part;
import io.weir.run.RunFiles;
import io.weir.stress.arm.ArmObserver;
import io.weir.stress.arm.ArmObservers;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.engine.EngineArmRun;
import io.weir.stress.engine.EngineBuild;
import io.weir.stress.index.IndexBuilder;
import io.weir.stress.index.IndexRewriter;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.queries.QueryDraw;
import io.weir.time.DaemonThreads;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** The entry of the JVM that does a {@link StressTask}. */
public final class StressMain {

  private static final long BUILD_PROGRESS_NANOS = 500_000_000;

  private final Worker worker;

  private StressMain(Worker worker) {
    this.worker = worker;
  }

  /** Does the task. */
  public static void main(String[] arguments) {
    Worker.run(StressTask.class, (task, worker) -> new StressMain(worker).run(task));
  }

  private Object run(StressTask task) throws Exception {
    return switch (task) {
      case StressTask.BuildIndex build -> build(build);
      case StressTask.RewriteIndex rewrite -> rewrite(rewrite);
      case StressTask.DrawQueries draw -> draw(draw);
      case StressTask.RunArm arm -> run(arm);
      case StressTask.BuildInEngine build -> build(build);
      case StressTask.RunEngineArm arm -> run(arm);
    };
  }

  private Part run(StressTask.RunArm task) throws Exception {
    worker.writesTo(task.arm().index(), task.arm().out());
    ArmRun run = new ArmRun(task.arm(), NanoClock.SYSTEM, worker::progress, observers(task));
    worker.onStop(run::stop);
    return run.run();
  }

  private Part run(StressTask.RunEngineArm task) throws Exception {
    worker.writesTo(task.arm().out());
    EngineArmRun run = new EngineArmRun(task.arm(), NanoClock.SYSTEM, worker::progress);
    worker.onStop(run::stop);
    return run.run();
  }

  private static ArmObserver observers(StressTask.RunArm task) {
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

  private StressTask.IndexMade build(StressTask.BuildInEngine task) throws Exception {
    ReadProblems problems = new ReadProblems();
    EngineBuild build = new EngineBuild(task.build(), problems);
    worker.onStop(build::stop);
    Thread teller =
        teller("filling the index", build::documents, task.build().wanted().from().maxDocuments());
    try {
      return made(build.build(), problems);
    } finally {
      teller.interrupt();
    }
  }

  private StressTask.IndexMade build(StressTask.BuildIndex task) throws IOException {
    worker.writesTo(task.index());
    ReadProblems problems = new ReadProblems();
    IndexBuilder builder =
        new IndexBuilder(task.index(), task.documents(), task.layout(), problems, worker::stopped);
    Thread teller =
        teller("building the index", builder::indexedDocuments, task.expectedDocuments());
    try {
      return made(builder.build(), problems);
    } catch (NoDocumentsException e) {
      return made(0, problems);
    } finally {
      teller.interrupt();
    }
  }

  private StressTask.IndexMade rewrite(StressTask.RewriteIndex task) throws IOException {
    worker.writesTo(task.index());
    IndexRewriter rewriter = new IndexRewriter(task.from(), task.index(), task.layout());
    worker.onStop(rewriter::stop);
    Thread teller =
        teller(
            "rewriting the index for other arms",
            rewriter::writtenDocuments,
            task.expectedDocuments());
    try {
      return made(rewriter.rewrite(), new ReadProblems());
    } finally {
      teller.interrupt();
    }
  }

  private StressTask.IndexMade made(long documents, ReadProblems problems) {
    return new StressTask.IndexMade(
        documents, problems.malformedCount(), problems.first(), worker.stopped());
  }

  private StressTask.QueriesDrawn draw(StressTask.DrawQueries task) throws IOException {
    worker.writesTo(task.file());
    worker.progress("reading its dictionary", OptionalDouble.empty(), "");
    byte[] queries;
    try (Directory directory = FSDirectory.open(task.index());
        DirectoryReader reader = DirectoryReader.open(directory)) {
      queries = QueryDraw.draw(reader, task.source(), task.seed(), worker::stopped);
    }
    boolean complete = !worker.stopped();
    if (complete) {
      Files.write(task.file(), queries);
    }
    return new StressTask.QueriesDrawn(complete);
  }

  /** Reports how many documents there are so far, until it is interrupted. */
  private Thread teller(String stage, LongSupplier documents, long expected) {
    Thread teller =
        DaemonThreads.unstarted("weir-progress", () -> tellDocuments(stage, documents, expected));
    teller.start();
    return teller;
  }

  private void tellDocuments(String stage, LongSupplier documents, long expected) {
    while (!Thread.currentThread().isInterrupted()) {
      long done = documents.getAsLong();
      worker.progress(
          stage,
          expected > 0
              ? OptionalDouble.of(Math.min(1.0, (double) done / expected))
              : OptionalDouble.empty(),
          done + " documents");
      NanoClock.SYSTEM.parkNanos(this, BUILD_PROGRESS_NANOS);
    }
  }
}
