package io.weir.stress.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weir.corpus.NoDocumentsException;
import io.weir.corpus.ReadProblems;
import io.weir.exporter.MetricsServer;
import io.weir.exporter.MetricsServerOptions;
import io.weir.exporter.OtlpPush;
import io.weir.exporter.OtlpPushOptions;
import io.weir.jfr.WeirEvents;
import io.weir.jvm.Worker;
import io.weir.metrics.BudgetMetrics;
import io.weir.metrics.DirectoryMetrics;
import io.weir.metrics.DiskMetrics;
import io.weir.metrics.HostMemoryMetrics;
import io.weir.metrics.JvmAndProcessMetrics;
import io.weir.metrics.LatencyGoalMetrics;
import io.weir.metrics.LinuxMetrics;
import io.weir.metrics.MergeMetrics;
import io.weir.metrics.ReopenMetrics;
import io.weir.metrics.WeirHistograms;
import io.weir.procfs.Procfs;
import io.weir.run.Part;
import io.weir.run.RunFiles;
import io.weir.run.RunWarning;
import io.weir.stress.arm.ArmObserver;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.arm.LuceneArm;
import io.weir.stress.engine.EngineArm;
import io.weir.stress.engine.EngineBuild;
import io.weir.stress.index.IndexBuilder;
import io.weir.stress.index.IndexRewriter;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.queries.QueryDraw;
import io.weir.time.DaemonThreads;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** The entry of a worker of {@code weir stress}, which does a {@link Task}. */
public final class StressMain {

  /** What it is to do. */
  public sealed interface Task {}

  /**
   * Builds an index from documents; an {@link IndexMade} answers it.
   *
   * @param expectedDocuments how many there will be, for progress; 0 if unknown
   */
  public record BuildIndex(
      Documents documents, IndexLayout layout, long expectedDocuments, Path index)
      implements Task {}

  /**
   * Rewrites an index in another layout; an {@link IndexMade} answers it.
   *
   * @param from the index to rewrite
   * @param expectedDocuments how many it holds, for progress
   */
  public record RewriteIndex(Path from, IndexLayout layout, long expectedDocuments, Path index)
      implements Task {}

  /**
   * Draws queries from an index; a {@link QueriesDrawn} answers it.
   *
   * @param source what to draw, not {@link QuerySource.Kind#FILE}
   * @param file where to leave them
   */
  public record DrawQueries(QuerySource source, long seed, Path index, Path file) implements Task {}

  /**
   * Runs an arm; a {@link Part} answers it.
   *
   * @param telemetry how other tools can observe the arm
   */
  public record RunArm(LuceneArm.Setup arm, Telemetry telemetry) implements Task {}

  /** Builds an index in an engine; an {@link IndexMade} answers it. */
  public record BuildInEngine(EngineBuild.Setup build) implements Task {}

  /** Runs an arm on an engine; a {@link Part} answers it. */
  public record RunEngineArm(EngineArm.Setup arm) implements Task {}

  /**
   * An index was built or rewritten.
   *
   * @param documents how many it holds; 0 if there were none, or the worker was stopped
   * @param problems how many inputs could not be read as a document
   * @param examples the first of them, as file, line and reason
   * @param stopped whether the worker was stopped before the end
   */
  public record IndexMade(long documents, long problems, List<String> examples, boolean stopped) {

    /** What a reader of the run must know of the documents; empty if all could be read. */
    public Optional<RunWarning> warning() {
      return problems == 0
          ? Optional.empty()
          : Optional.of(
              new RunWarning(
                  "%d %s malformed; the first: %s"
                      .formatted(
                          problems,
                          problems == 1
                              ? "place in the documents is"
                              : "places in the documents are",
                          String.join("; ", examples)),
                  "damaged, truncated or unreadable input",
                  "look at the places named; everything else was indexed"));
    }
  }

  /**
   * Queries were drawn.
   *
   * @param complete false if the worker was stopped before all were drawn; then there is no file
   */
  public record QueriesDrawn(boolean complete) {}

  private static final long BUILD_PROGRESS_NANOS = 500_000_000;

  private final Worker worker;

  private StressMain(Worker worker) {
    this.worker = worker;
  }

  /** Does the task. */
  public static void main(String[] arguments) {
    Worker.run(Task.class, (task, worker) -> new StressMain(worker).run(task));
  }

  private Object run(Task task) throws Exception {
    return switch (task) {
      case BuildIndex build -> build(build);
      case RewriteIndex rewrite -> rewrite(rewrite);
      case DrawQueries draw -> draw(draw);
      case RunArm arm -> run(arm);
      case BuildInEngine build -> build(build);
      case RunEngineArm arm -> run(arm);
    };
  }

  private Part run(RunArm task) throws Exception {
    worker.writesTo(task.arm().index(), task.arm().arm().out());
    LuceneArm run = new LuceneArm(task.arm(), NanoClock.SYSTEM, worker::progress, observers(task));
    worker.onStop(run::stop);
    return run.run();
  }

  private Part run(RunEngineArm task) throws Exception {
    worker.writesTo(task.arm().arm().out());
    EngineArm run = new EngineArm(task.arm(), NanoClock.SYSTEM, worker::progress);
    worker.onStop(run::stop);
    return run.run();
  }

  private static ArmObserver observers(RunArm task) {
    ArmRun.Setup arm = task.arm().arm();
    Telemetry telemetry = task.telemetry();
    List<ArmObserver> observers = new ArrayList<>();
    telemetry.metricsPort().ifPresent(port -> observers.add(servedMeters(port, arm.name())));
    telemetry.push(arm.name()).ifPresent(push -> observers.add(pushedMeters(push, arm.name())));
    if (telemetry.flightRecording()) {
      observers.add(
          new ArmRecording(
              new RunFiles(arm.out()).flightRecording(arm.name(), arm.round()), arm.name()));
    }
    return ArmObserver.all(observers);
  }

  private IndexMade build(BuildInEngine task) throws Exception {
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

  private IndexMade build(BuildIndex task) throws IOException {
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

  private IndexMade rewrite(RewriteIndex task) throws IOException {
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

  private IndexMade made(long documents, ReadProblems problems) {
    return new IndexMade(documents, problems.malformedCount(), problems.first(), worker.stopped());
  }

  private QueriesDrawn draw(DrawQueries task) throws IOException {
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
    return new QueriesDrawn(complete);
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

  /**
   * Serves the meters of an arm while it runs to scrapes on {@code port}. The tag {@code index} is
   * the arm's name. With {@code preset=stock} there are no meters of merges, because stock Lucene
   * does not count them.
   */
  private static ArmObserver servedMeters(int port, String arm) {
    return parts -> {
      PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      JvmAndProcessMetrics process = bind(parts, arm, registry);
      MetricsServer server = MetricsServer.start(MetricsServerOptions.local(port), registry);
      return () -> {
        server.close();
        process.close();
      };
    };
  }

  /** Pushes the same by OTLP. */
  private static ArmObserver pushedMeters(OtlpPushOptions options, String arm) {
    return parts -> {
      OtlpPush push = OtlpPush.start(options);
      return new PushedMeters(push, bind(parts, arm, push.registry()), options);
    };
  }

  private record PushedMeters(OtlpPush push, JvmAndProcessMetrics process, OtlpPushOptions options)
      implements ArmObserver.Observation {

    @Override
    public void close() throws IOException {
      push.close();
      process.close();
    }

    @Override
    public List<RunWarning> warnings() {
      OtlpPush.Snapshot sent = push.snapshot();
      return sent.lastFailure().stream()
          .map(
              why ->
                  new RunWarning(
                      "%d of %d pushes of meters to %s failed, the last with: %s"
                          .formatted(
                              sent.failures(),
                              sent.failures() + sent.pushes(),
                              options.endpoint(),
                              why),
                      "the collector is down, or refuses them",
                      "see its log; the arm's figures are not affected"))
          .toList();
    }
  }

  private static JvmAndProcessMetrics bind(
      ArmObserver.Parts parts, String arm, MeterRegistry registry) {
    registry.config().meterFilter(WeirHistograms.filter());
    Tags tags = Tags.of("index", arm);
    parts.budget().ifPresent(budget -> new BudgetMetrics(budget).bindTo(registry));
    parts.goal().ifPresent(goal -> new LatencyGoalMetrics(goal).bindTo(registry));
    parts.scheduler().ifPresent(scheduler -> new MergeMetrics(scheduler, tags).bindTo(registry));
    new ReopenMetrics(parts.reopens(), tags).bindTo(registry);
    new DirectoryMetrics(parts.directory(), tags).bindTo(registry);
    new LinuxMetrics().bindTo(registry);
    new HostMemoryMetrics().bindTo(registry);
    new DiskMetrics().bindTo(registry);
    JvmAndProcessMetrics process = new JvmAndProcessMetrics();
    process.bindTo(registry);
    return process;
  }

  /**
   * The flight recorder of an arm's JVM, with what the JDK records by default and Weir's own
   * events; the index has the arm's name. An interrupted arm leaves its file too.
   *
   * @param file where the recording goes
   * @param arm its name
   */
  record ArmRecording(Path file, String arm) implements ArmObserver {

    private static final String JDK_DEFAULT = "default";

    @Override
    public Observation open(Parts parts) throws IOException {
      WeirEvents events = new WeirEvents();
      parts.budget().ifPresent(events::add);
      parts.goal().ifPresent(events::add);
      parts.scheduler().ifPresent(scheduler -> events.add(arm, scheduler));
      events.add(arm, parts.reopens());
      events.addDirtyPages(Procfs.SYSTEM);
      Recording recording = start();
      return () -> {
        events.close();
        if (recording.getState()
            == RecordingState.RUNNING) { // else the JVM is shutting down and has stopped it
          recording.stop();
        }
        recording.close();
      };
    }

    private Recording start() throws IOException {
      try {
        Recording recording = new Recording(Configuration.getConfiguration(JDK_DEFAULT));
        recording.setName(arm);
        recording.setDestination(file);
        recording.setDumpOnExit(true);
        recording.start();
        return recording;
      } catch (ParseException e) {
        throw new IOException(
            "the JDK's own settings of its flight recorder: " + e.getMessage(), e);
      }
    }
  }
}
