package io.weir.load.experiment;

import io.weir.corpus.DocumentSource;
import io.weir.jvm.JvmCommand;
import io.weir.jvm.WorkerJvm;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.load.client.ClientMain;
import io.weir.load.plan.LoadPlan;
import io.weir.load.plan.LoadSearch;
import io.weir.load.plan.Loads;
import io.weir.load.plan.TargetUrl;
import io.weir.load.server.ServerMain;
import io.weir.rest.Login;
import io.weir.run.ArmFigures;
import io.weir.run.FailureWords;
import io.weir.run.HeaderFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Resource;
import io.weir.run.Run;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import io.weir.run.Values;
import io.weir.stress.engine.ClusterVectors;
import io.weir.stress.engine.EngineQueries;
import io.weir.stress.experiment.IndexCopy;
import io.weir.stress.experiment.LuceneSource;
import io.weir.stress.experiment.Preflight;
import io.weir.stress.experiment.RunForecast;
import io.weir.stress.experiment.RunKind;
import io.weir.stress.experiment.RunQueries;
import io.weir.stress.experiment.StressException;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.queries.QueryFile;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The run of {@code weir load}: rounds of arms, each with a server and a client in JVMs of their
 * own, and each taken to saturation by {@link ArmSteps}.
 */
public final class LoadRun implements RunKind<Optional<RunForecast>> {

  /**
   * The client's JVM: a collector that does not stop it, so that it measures the server's pauses
   * and not its own.
   */
  private static final List<String> CLIENT_JVM =
      List.of(
          "-XX:+UseZGC",
          "-Xms256m",
          "-Xmx1g",
          "-Djdk.httpclient.keepalive.timeout=200",
          "-Dsun.net.httpserver.nodelay=true"); // of the service that it measures its floor with

  private static final Duration FIRST_ANSWER = Duration.ofSeconds(10);
  private static final int SUCCESS = 2;
  private static final int HUNDRED = 100;

  private final LoadPlan plan;
  private final Optional<Login> login;
  private final Ground ground;
  private final Optional<LuceneSource> source; // empty for a target
  private final RunQueries queries;
  private Optional<ClusterVectors> neighbours = Optional.empty(); // of a target with vectors
  private long documents; // 0 until the index is whole, and of a target
  private volatile Optional<WorkerJvm> client = Optional.empty();
  private volatile Optional<WorkerJvm> server = Optional.empty();
  private volatile boolean listens;

  private LoadRun(LoadPlan plan, Optional<Login> login, Ground ground) {
    this.plan = plan;
    this.login = login;
    this.ground = ground;
    this.source =
        plan.target().isPresent()
            ? Optional.empty()
            : Optional.of(new LuceneSource(plan.run(), ground));
    this.queries = new RunQueries(plan.run(), plan.target().isPresent() && !hasVectors());
    ground.atCancel().accept(this::cancel);
  }

  /**
   * A run of the arms of {@code plan}.
   *
   * @param login for a target; never written to a file
   */
  public static Planned<Optional<RunForecast>> of(LoadPlan plan, Optional<Login> login) {
    return new Planned<>(
        Run.Kind.LOAD,
        plan.run().out(),
        plan.run().strict(),
        Map.of(),
        ground -> new LoadRun(plan, login, ground));
  }

  private void cancel() {
    client.ifPresent(WorkerJvm::stop);
    server.ifPresent(this::endLater);
  }

  private boolean cancelled() {
    return ground.workers().stopped();
  }

  /** A server that still starts has nothing to lose; one that listens ends with the arm. */
  private void endLater(WorkerJvm started) {
    if (listens) {
      started.killLater();
    } else {
      started.kill();
    }
  }

  @Override
  public Optional<RunForecast> check() throws StressException, IOException, InterruptedException {
    queries.check();
    if (source.isPresent()) {
      DocumentSource text = Preflight.requireDocuments(plan.run().documents(), ground.listener());
      return Optional.of(source.get().check(text));
    }
    if (hasVectors()) {
      neighbours = Optional.of(findNeighbours());
    }
    byte[] bytes = queries.given().isPresent() ? queries.given().get() : drawn();
    List<ClientMain.Query> all =
        requests(plan.target().orElseThrow(), new QueryFile("queries", bytes));
    if (!all.isEmpty()) {
      requireAnswer(all.getFirst());
    }
    return Optional.empty();
  }

  private boolean hasVectors() {
    return plan.run().documents().vectors().isPresent();
  }

  private ClusterVectors findNeighbours() throws StressException, InterruptedException {
    Preflight.requireDocuments(plan.run().documents(), ground.listener());
    try {
      return ClusterVectors.open(
          plan.target().orElseThrow().index(login).orElseThrow(), plan.run().documents());
    } catch (IOException e) {
      throw new StressException(
          StressException.Kind.USAGE,
          "--target must be an index for --vectors: " + FailureWords.of(e));
    }
  }

  /** What the client sends to a service at {@code address}. */
  private List<ClientMain.Query> requests(TargetUrl address, QueryFile file)
      throws IOException, InterruptedException {
    if (neighbours.isEmpty()) {
      return file.lines().stream().map(line -> new ClientMain.Query(address.of(line))).toList();
    }
    return neighbours.get().bodies(file.queries()).stream()
        .map(body -> new ClientMain.Query(address.ofBodies(), Optional.of(body)))
        .toList();
  }

  /** Words of the documents, for a service whose index is not ours to read. */
  private byte[] drawn() throws StressException, IOException {
    try {
      return EngineQueries.draw(plan.run().documents(), plan.run().queries().kind());
    } catch (IllegalArgumentException e) {
      throw new StressException(StressException.Kind.USAGE, e.getMessage());
    }
  }

  @Override
  public Path place() {
    return source.isPresent() ? source.get().place() : plan.run().out();
  }

  @Override
  public void make() throws StressException, IOException, InterruptedException {
    documents = source.isPresent() ? source.get().make() : 0;
    if (cancelled() || !queries.settle(ground, this::draw)) {
      return;
    }
    if (queries.values().require(HeaderFigures.QUERIES_COUNT) == 0) {
      throw new StressException(
          StressException.Kind.USAGE, "there is nothing to search for: the documents have no text");
    }
  }

  private boolean draw(Path file) throws StressException, IOException, InterruptedException {
    if (source.isPresent()) {
      return source.get().draw(file);
    }
    Files.write(file, drawn());
    return true;
  }

  @Override
  public Optional<Trial> next(List<Part> results) {
    return plan.run().queue().next(results).map(turn -> () -> runArm(turn, results.size() + 1));
  }

  private Part runArm(ArmQueue.Turn turn, int step) throws IOException, InterruptedException {
    Arm arm = turn.arm();
    try {
      if (source.isEmpty()) {
        return measure(
            turn, Service.Foreign.of(plan.target().orElseThrow(), NanoClock.SYSTEM, this::recall));
      }
      try (IndexCopy copy = source.get().copy(arm, step);
          Service own = serve(turn, copy.path().toAbsolutePath())) {
        return measure(turn, own);
      } finally {
        server = Optional.empty();
        listens = false;
      }
    } catch (DiedException e) {
      return new Part(
          Part.Kind.ARM,
          arm.name(),
          turn.round(),
          cancelled() ? Status.INTERRUPTED : Status.FAILED,
          plan.settings(arm),
          Values.NONE,
          Optional.of(e.failure()),
          List.of(),
          List.of(),
          List.of());
    }
  }

  private Values recall() throws IOException, InterruptedException {
    return neighbours.isEmpty()
        ? Values.NONE
        : neighbours.get().recall(settled().queries(), this::cancelled);
  }

  private QueryFile settled() throws IOException {
    return QueryFile.read(ground.files().queriesText());
  }

  private Part measure(ArmQueue.Turn turn, Service service)
      throws IOException, DiedException, InterruptedException {
    try (WorkerJvm started = client(turn, requests(service.address(), settled()))) {
      client = Optional.of(started);
      if (cancelled()) {
        started.stop();
      }
      if (service instanceof Service.Own own) {
        own.jvm().onExit(started::stop); // its requests would all fail
      }
      Part result =
          new ArmSteps(plan, turn, service, started, ground.listener(), this::cancelled).run();
      return withPauses(result, ground.files().gcCsv(turn.arm().name(), turn.round()));
    } finally {
      client = Optional.empty();
    }
  }

  private Service serve(ArmQueue.Turn turn, Path index) throws DiedException, InterruptedException {
    Arm arm = turn.arm();
    ground
        .listener()
        .progress(
            "arm %s (%s)".formatted(arm.name(), turn.place()),
            "starting the server",
            OptionalDouble.empty(),
            "");
    Path scratch = ground.workers().scratch();
    WorkerJvm jvm =
        WorkerJvm.start(
            "the JVM of the server",
            LuceneSource.jvm(arm, ServerMain.JVM_ARGUMENTS),
            ServerMain.class,
            new ServerMain.Task(
                arm.name(),
                turn.round(),
                arm.settings(),
                plan.run().documents(),
                index,
                documents,
                ground.files().queriesText().toAbsolutePath(),
                plan.serverThreads().isPresent()
                    ? Optional.of(plan.serverThreads().getAsInt())
                    : Optional.empty(),
                ground.files().seriesCsv(arm.name(), turn.round()).toAbsolutePath(),
                ground.files().gcCsv(arm.name(), turn.round()).toAbsolutePath(),
                scratch.resolve("jfr").toAbsolutePath()),
            scratch.resolve("server.txt"),
            Map.of());
    server = Optional.of(jvm);
    if (cancelled()) {
      jvm.kill();
    }
    try {
      Service own = Service.Own.await(jvm, NanoClock.SYSTEM);
      listens = true;
      return own;
    } catch (DiedException | RuntimeException e) {
      jvm.close();
      throw e;
    }
  }

  private WorkerJvm client(ArmQueue.Turn turn, List<ClientMain.Query> sent) throws DiedException {
    String arm = turn.arm().name();
    return WorkerJvm.start(
        "the JVM of the client",
        new JvmCommand(Optional.empty(), CLIENT_JVM),
        ClientMain.class,
        new ClientMain.Task(
            arm,
            turn.round(),
            sent,
            ground.files().requests(arm, turn.round()).toAbsolutePath(),
            ground.files().responsesHistogramLog(arm, turn.round()).toAbsolutePath()),
        ground.workers().scratch().resolve("client.txt"),
        login.map(Login::toEnvironment).orElse(Map.of()));
  }

  /** A service that does not answer the first query is a mistake of the user's. */
  private void requireAnswer(ClientMain.Query query) throws StressException, InterruptedException {
    URI address = query.address();
    HttpRequest.Builder request = query.request().timeout(FIRST_ANSWER);
    login.ifPresent(known -> request.header("Authorization", known.authorization()));
    try (HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(FIRST_ANSWER)
            .build()) {
      HttpResponse<Void> answer = http.send(request.build(), BodyHandlers.discarding());
      if (answer.statusCode() / HUNDRED != SUCCESS) {
        throw new StressException(
            StressException.Kind.USAGE,
            "--target must answer queries, but %s was answered with HTTP status %d"
                .formatted(address, answer.statusCode()));
      }
    } catch (IOException e) {
      throw new StressException(
          StressException.Kind.USAGE,
          "--target must answer queries: %s (%s)".formatted(address, FailureWords.of(e)));
    }
  }

  @Override
  public Account account(List<Part> results, boolean interrupted) throws IOException {
    return new Account(
        workload(),
        Values.builder()
            .put(queries.values())
            .put(HeaderFigures.LIMIT, plan.rule().limit().toNanos() / 1e6)
            .build(),
        results);
  }

  private Map<String, String> workload() throws IOException {
    Map<String, String> workload = new TreeMap<>();
    if (source.isEmpty()) {
      workload.put("target", plan.target().orElseThrow().template());
    } else {
      workload.putAll(source.get().facts());
      workload.put("docs", plan.run().documents().source());
      workload.put(
          "server-threads",
          plan.serverThreads().isPresent()
              ? Integer.toString(plan.serverThreads().getAsInt())
              : "virtual");
    }
    if (documents > 0) {
      workload.put("documents", Long.toString(documents));
    }
    plan.run().documents().vectors().ifPresent(vectors -> workload.put("vectors", vectors));
    workload.put("seed", Long.toString(plan.run().documents().seed()));
    workload.put("queries", plan.run().queries().toString());
    workload.put("step", plan.step().toMillis() + "ms");
    workload.put("warmup", plan.warmUp().toMillis() + "ms");
    workload.put("limit", plan.rule().limit().toMillis() + "ms");
    workload.put("rounds", Integer.toString(plan.run().rounds()));
    workload.put(
        "load",
        switch (plan.loads()) {
          case Loads.Listed listed -> listed.perSecond().toString();
          case Loads.Auto auto ->
              "auto, to within "
                  + LoadSearch.PRECISION_PERCENT
                  + " %"
                  + (auto.first().isPresent() ? ", from " + auto.first().getAsDouble() : "");
        });
    return workload;
  }

  @Override
  public void close() throws IOException {
    neighbours.ifPresent(ClusterVectors::close);
    if (source.isPresent()) {
      source.get().close();
    }
  }

  /** A pause of the collector. */
  private record Pause(long startNanos, long nanos) {}

  /**
   * {@code arm} with the share of each step in which the collector stopped the server, and the
   * resources that follow from it. The JVM reports a pause some seconds late, so this is known only
   * when the arm has ended.
   *
   * @param gc the pauses of this arm and round
   */
  static Part withPauses(Part arm, Path gc) throws IOException {
    if (Phase.MEASURED.stream()
        .noneMatch(phase -> arm.get(ArmFigures.GC_PAUSES, phase).isPresent())) {
      return arm;
    }
    List<Pause> pauses = readPauses(gc);
    return arm.withParts(arm.parts().stream().map(step -> withPauses(step, pauses)).toList());
  }

  private static Part withPauses(Part step, List<Pause> pauses) {
    long startNanos = step.require(StepFigures.START);
    long endNanos = step.require(StepFigures.END);
    double stopped =
        pauses.stream()
            .mapToLong(
                pause ->
                    Math.max(
                        0,
                        Math.min(endNanos, pause.startNanos() + pause.nanos())
                            - Math.max(startNanos, pause.startNanos())))
            .sum();
    double percent = 100 * stopped / Math.max(1, endNanos - startNanos);
    Part paused =
        step.with(
            Values.builder().put(StepFigures.PAUSED, Math.round(100 * percent) / 100.0).build());
    return paused.with(
        Values.builder().put(StepFigures.FULL, Resource.of(paused.values())).build());
  }

  private static List<Pause> readPauses(Path gc) throws IOException {
    List<Pause> pauses = new ArrayList<>();
    try (CSVParser lines =
        CSVParser.parse(
            Files.newBufferedReader(gc),
            CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get())) {
      for (CSVRecord line : lines) {
        pauses.add(
            new Pause(
                Long.parseLong(line.get("start_nanos")),
                Long.parseLong(line.get("duration_nanos"))));
      }
    }
    return pauses;
  }
}
