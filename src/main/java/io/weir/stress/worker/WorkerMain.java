package io.weir.stress.worker;

import io.weir.corpus.NoDocumentsException;
import io.weir.corpus.ReadProblems;
import io.weir.run.RunFiles;
import io.weir.stress.arm.ArmObserver;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.arm.LuceneArm;
import io.weir.stress.engine.EngineArm;
import io.weir.stress.engine.EngineBuild;
import io.weir.stress.index.IndexBuilder;
import io.weir.stress.index.IndexRewriter;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.queries.QueryDraw;
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

/**
 * The entry of a worker JVM. Arguments: the file of its {@link WorkerTask}, and the file for its
 * {@link WorkerAnswer}.
 *
 * <p>How it stops, and what its exit codes say, is {@link WorkerProcess}'s.
 */
public final class WorkerMain {

  private static final long BUILD_PROGRESS_NANOS = 500_000_000;

  private final WorkerProcess process;

  private WorkerMain(WorkerProcess process) {
    this.process = process;
  }

  /** Runs the task in the file that {@code arguments} names. */
  public static void main(String[] arguments) {
    WorkerProcess.run(
        arguments, WorkerTask.class, (task, process) -> new WorkerMain(process).run(task));
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
    process.writesTo(task.arm().index(), task.arm().arm().out());
    LuceneArm run = new LuceneArm(task.arm(), NanoClock.SYSTEM, process::tell, observers(task));
    process.onStop(run::stop);
    return new WorkerAnswer.ArmEnded(run.run());
  }

  private WorkerAnswer run(WorkerTask.RunEngineArm task) throws Exception {
    process.writesTo(task.arm().arm().out());
    EngineArm run = new EngineArm(task.arm(), NanoClock.SYSTEM, process::tell);
    process.onStop(run::stop);
    return new WorkerAnswer.ArmEnded(run.run());
  }

  private WorkerAnswer build(WorkerTask.BuildInEngine task) throws Exception {
    ReadProblems problems = new ReadProblems();
    EngineBuild build = new EngineBuild(task.build(), problems);
    process.onStop(build::stop);
    Thread teller =
        teller("filling the index", build::documents, task.build().wanted().from().maxDocuments());
    try {
      long documents = build.build();
      return made(documents, problems);
    } finally {
      teller.interrupt();
    }
  }

  private static ArmObserver observers(WorkerTask.RunArm task) {
    ArmRun.Setup arm = task.arm().arm();
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
    return ArmObserver.all(observers);
  }

  private WorkerAnswer build(WorkerTask.BuildIndex task) throws IOException {
    process.writesTo(task.index());
    ReadProblems problems = new ReadProblems();
    IndexBuilder builder =
        new IndexBuilder(task.index(), task.documents(), task.layout(), problems, process::stopped);
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
    return made(documents, problems);
  }

  private WorkerAnswer made(long documents, ReadProblems problems) {
    return new WorkerAnswer.IndexMade(
        documents, problems.malformedCount(), problems.first(), process.stopped());
  }

  private WorkerAnswer rewrite(WorkerTask.RewriteIndex task) throws IOException {
    process.writesTo(task.index());
    IndexRewriter rewriter = new IndexRewriter(task.from(), task.index(), task.layout());
    process.onStop(rewriter::stop);
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

  private WorkerAnswer draw(WorkerTask.DrawQueries task) throws IOException {
    process.tell("reading its dictionary", OptionalDouble.empty(), "");
    byte[] queries;
    try (Directory directory = FSDirectory.open(task.index());
        DirectoryReader reader = DirectoryReader.open(directory)) {
      queries = QueryDraw.draw(reader, task.source(), task.seed(), process::stopped);
    }
    boolean complete = !process.stopped();
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
      process.tell(
          stage,
          expected > 0
              ? OptionalDouble.of(Math.min(1.0, (double) done / expected))
              : OptionalDouble.empty(),
          done + " documents");
      NanoClock.SYSTEM.parkNanos(this, BUILD_PROGRESS_NANOS);
    }
  }
}
