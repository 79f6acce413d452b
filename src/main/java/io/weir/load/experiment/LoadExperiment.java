package io.weir.load.experiment;

import io.weir.host.HostProbe;
import io.weir.jvm.JvmCommand;
import io.weir.jvm.WorkerJvm;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.load.client.ClientMain;
import io.weir.load.plan.LoadPlan;
import io.weir.load.plan.LoadSearch;
import io.weir.load.plan.Loads;
import io.weir.load.server.ServerMain;
import io.weir.procfs.Procfs;
import io.weir.run.Failure;
import io.weir.run.FailureWords;
import io.weir.run.HeaderFigures;
import io.weir.run.Noise;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.stress.engine.EngineQueries;
import io.weir.stress.experiment.Experiment;
import io.weir.stress.experiment.ExperimentListener;
import io.weir.stress.experiment.RunGround;
import io.weir.stress.experiment.StressException;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Login;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.setting.ArmSetting;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.lucene.util.Version;

/**
 * One run of {@code weir load}: rounds of arms, each with a server and a client in JVMs of their
 * own, and each taken to saturation by {@link ArmSteps}.
 *
 * <p>The result is written after each arm, so the arms that have ended are safe whatever happens
 * later.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #cancel} from any thread. <b>Ownership:</b> JVMs,
 * copies of the index and scratch files are gone when {@link #run} returns or throws.
 *
 * <p><b>Failure:</b> {@link StressException} for a run that cannot begin or continue. An arm that
 * fails is in the result, and the next one runs.
 */
public final class LoadExperiment {

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
  private final Experiment.Origin origin;
  private final Procfs procfs;
  private final ExperimentListener listener;
  private final RunFiles files;
  private final RunGround ground;
  private final Instant startedAt = Instant.now();
  private final List<Part> results = new ArrayList<>();
  private final List<RunWarning> warnings = new ArrayList<>();
  private volatile boolean cancelled;
  private volatile Optional<WorkerJvm> client = Optional.empty();
  private volatile Optional<WorkerJvm> server = Optional.empty();
  private volatile boolean listens;

  /**
   * A run that has not begun.
   *
   * @param login for a target; never written to a file
   */
  public LoadExperiment(
      LoadPlan plan,
      Optional<Login> login,
      Experiment.Origin origin,
      Procfs procfs,
      ExperimentListener listener) {
    this.plan = plan;
    this.login = login;
    this.origin = origin;
    this.procfs = procfs;
    this.listener = listener;
    this.files = new RunFiles(plan.run().out());
    this.ground = new RunGround(plan.run(), procfs, listener, this::warn);
  }

  /** Where the result is. */
  public RunFiles files() {
    return files;
  }

  /** Ends the run early; {@link #run} then returns the results until now. */
  public void cancel() {
    cancelled = true;
    ground.stop();
    client.ifPresent(WorkerJvm::stop);
    server.ifPresent(this::endLater);
  }

  /** A server that still starts has nothing to lose; one that listens ends with the arm. */
  private void endLater(WorkerJvm started) {
    if (listens) {
      started.killLater();
    } else {
      started.kill();
    }
  }

  /** Checks all that {@link #run} checks before it begins, and creates nothing. */
  public void check() throws StressException, IOException, InterruptedException {
    if (plan.target().isEmpty()) {
      ground.checkIndexes();
      return;
    }
    ground.checkTarget();
    byte[] queries = ground.givenQueries().isPresent() ? ground.givenQueries().get() : drawn();
    List<String> lines = new QueryFile("queries", queries).lines();
    if (!lines.isEmpty()) {
      requireAnswer(plan.target().get().of(lines.getFirst()));
    }
  }

  /** Words of the documents, for a service whose index is not ours to read. */
  private byte[] drawn() throws StressException, IOException {
    try {
      return EngineQueries.draw(plan.run().documents(), plan.run().queries().kind());
    } catch (IllegalArgumentException e) {
      throw new StressException(StressException.Kind.USAGE, e.getMessage());
    }
  }

  /** Runs all of it. */
  public Run run() throws StressException, IOException, InterruptedException {
    check();
    try (ground) {
      listener.progress("machine", "measuring background noise", OptionalDouble.empty(), "");
      Noise noise = ground.begin();
      long documents = plan.target().isPresent() ? 0 : ground.makeIndexes();
      Optional<Values> queries = cancelled ? Optional.empty() : settleQueries();
      if (!cancelled && queries.isPresent()) {
        if (queries.get().require(HeaderFigures.QUERIES_COUNT) == 0) {
          throw new StressException(
              StressException.Kind.USAGE,
              "there is nothing to search for: the documents have no text");
        }
        runArms(noise, documents, queries);
      }
      return write(noise, documents, queries, cancelled);
    } catch (IOException e) {
      StressException.throwIfFull(e, plan.run().out(), ground.place());
      throw e;
    }
  }

  private Optional<Values> settleQueries()
      throws StressException, IOException, InterruptedException {
    boolean drawn = plan.run().queries().kind() != QuerySource.Kind.FILE;
    return plan.target().isPresent() && drawn
        ? ground.settleQueries(drawn())
        : ground.settleQueries();
  }

  private void runArms(Noise noise, long documents, Optional<Values> queries)
      throws StressException, IOException, InterruptedException {
    List<String> searches = QueryFile.read(ground.queriesText()).lines();
    int arms = plan.run().arms().size();
    for (int round = 1; round <= plan.run().rounds(); round++) {
      for (Arm arm : plan.run().order(round)) {
        if (cancelled) {
          return;
        }
        String place = "%d of %d".formatted(results.size() + 1, arms * plan.run().rounds());
        Part result = runArm(arm, round, place, documents, searches);
        results.add(result);
        result
            .failure()
            .filter(failed -> result.status() == Status.FAILED)
            .ifPresent(
                failed ->
                    listener.warning(
                        new RunWarning(
                            "arm %s, round %d failed: %s"
                                .formatted(arm.name(), result.round(), failed.reason()),
                            failed.lastLines().isEmpty()
                                ? "it says no more"
                                : String.join("; ", failed.lastLines()),
                            "its steps before are kept")));
        write(noise, documents, queries, true); // what remains if this process dies
      }
    }
  }

  private Part runArm(Arm arm, int round, String place, long documents, List<String> searches)
      throws IOException, InterruptedException {
    try (RunGround.Copy copy = copy(arm);
        Service service = serve(arm, round, place, documents, copy)) {
      List<URI> addresses = searches.stream().map(query -> service.address().of(query)).toList();
      try (WorkerJvm started = client(arm, round, addresses)) {
        client = Optional.of(started);
        if (cancelled) {
          started.stop();
        }
        if (service instanceof Service.Own own) {
          own.jvm().onExit(started::stop); // its requests would all fail
        }
        Part result =
            new ArmSteps(plan, arm, round, place, service, started, listener, () -> cancelled)
                .run();
        return PauseShares.add(result, files.gcCsv(arm.name(), round));
      } finally {
        client = Optional.empty();
      }
    } catch (DiedException e) {
      return failed(arm, round, e.failure());
    } finally {
      server = Optional.empty();
      listens = false;
    }
  }

  private RunGround.Copy copy(Arm arm) throws IOException {
    return plan.target().isPresent()
        ? new RunGround.Copy(plan.run().out(), () -> {})
        : ground.copy(arm, results.size() + 1);
  }

  private Service serve(Arm arm, int round, String place, long documents, RunGround.Copy copy)
      throws DiedException, InterruptedException {
    if (plan.target().isPresent()) {
      return Service.Foreign.of(plan.target().get(), NanoClock.SYSTEM);
    }
    listener.progress(
        "arm %s (%s)".formatted(arm.name(), place),
        "starting the server",
        OptionalDouble.empty(),
        "");
    List<String> arguments =
        new ArrayList<>(JvmCommand.withHeap(arm.settings().get(ArmSetting.JVM_ARGS)));
    arguments.addAll(ServerMain.JVM_ARGUMENTS);
    WorkerJvm jvm =
        WorkerJvm.start(
            "the JVM of the server",
            new JvmCommand(arm.settings().get(ArmSetting.JVM), arguments),
            ServerMain.class,
            new ServerMain.Task(
                arm.name(),
                round,
                arm.settings(),
                plan.run().documents(),
                copy.index(),
                documents,
                plan.serverThreads().isPresent()
                    ? Optional.of(plan.serverThreads().getAsInt())
                    : Optional.empty(),
                files.seriesCsv(arm.name(), round).toAbsolutePath(),
                files.gcCsv(arm.name(), round).toAbsolutePath(),
                ground.scratch().resolve("jfr").toAbsolutePath()),
            ground.scratch().resolve("server.txt"),
            Map.of());
    server = Optional.of(jvm);
    if (cancelled) {
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

  private WorkerJvm client(Arm arm, int round, List<URI> addresses) throws DiedException {
    return WorkerJvm.start(
        "the JVM of the client",
        new JvmCommand(Optional.empty(), CLIENT_JVM),
        ClientMain.class,
        new ClientMain.Task(
            arm.name(),
            round,
            addresses,
            files.requests(arm.name(), round).toAbsolutePath(),
            files.responsesHistogramLog(arm.name(), round).toAbsolutePath()),
        ground.scratch().resolve("client.txt"),
        login.map(Login::toEnvironment).orElse(Map.of()));
  }

  private Part failed(Arm arm, int round, Failure failure) {
    return new Part(
        Part.Kind.ARM,
        arm.name(),
        round,
        cancelled ? Status.INTERRUPTED : Status.FAILED,
        plan.settings(arm),
        Values.NONE,
        Optional.of(failure),
        List.of(),
        List.of(),
        List.of());
  }

  /** A service that does not answer the first query is a mistake of the user's. */
  private void requireAnswer(URI address) throws StressException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(address).GET().timeout(FIRST_ANSWER);
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

  private Run write(Noise noise, long documents, Optional<Values> queries, boolean interrupted)
      throws IOException {
    Run run =
        new Run(
            Run.SCHEMA_VERSION,
            Run.Kind.LOAD,
            origin.version(),
            Version.LATEST.toString(),
            origin.command(),
            startedAt,
            Instant.now(),
            interrupted,
            RunJson.tree(HostProbe.read(ground.place(), procfs)),
            workload(documents),
            Values.builder()
                .put(noise.values())
                .put(queries.orElse(Values.NONE))
                .put(HeaderFigures.LIMIT, plan.rule().limit().toNanos() / 1e6)
                .build(),
            List.copyOf(results),
            List.copyOf(warnings),
            noise.findings(),
            List.of(),
            Optional.empty());
    files.write(run);
    return run;
  }

  private Map<String, String> workload(long documents) throws IOException {
    Map<String, String> workload = new TreeMap<>();
    if (plan.target().isPresent()) {
      workload.put("target", plan.target().get().template());
    } else {
      workload.putAll(ground.facts());
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

  private void warn(RunWarning warning) {
    warnings.add(warning);
    listener.warning(warning);
  }
}
