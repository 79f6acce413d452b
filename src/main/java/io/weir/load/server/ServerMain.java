package io.weir.load.server;

import io.weir.procfs.IoCounters;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.run.RunJson;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.load.Searches;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.meters.GcMeter;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.meters.SamplingThread;
import io.weir.stress.arm.meters.WriterSamples;
import io.weir.stress.arm.storage.ArmIndex;
import io.weir.stress.arm.storage.CacheCondition;
import io.weir.stress.arm.storage.WritePath;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.worker.WorkerProcess;
import io.weir.time.NanoClock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;

/**
 * The entry of the server's JVM. Argument: the file of its {@link ServerMessage.Task}.
 *
 * <p>It answers queries until its standard input ends; the updates, reopens, commits and forced
 * merges of the arm run beside them. An interrupt from the keyboard alone does not end it: the run
 * then ends its input. It ends early, with a message on its standard error, when one of those loads
 * fails.
 */
public final class ServerMain {

  /** What the command line of this JVM must have. */
  public static final List<String> JVM_ARGUMENTS = SearchServer.JVM_ARGUMENTS;

  private static final Duration MOST_ENDING = Duration.ofSeconds(60);

  /** How often it looks whether a load or a merge has failed. */
  private static final long LOOK_MILLIS = 100;

  /** Held here, or the level would be lost. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private final ServerMessage.Task task;
  private final PrintStream protocol;
  private final NanoClock clock = NanoClock.SYSTEM;
  private final List<RunWarning> warnings = new ArrayList<>();
  private Optional<ForcedMerges> merges = Optional.empty();

  private ServerMain(ServerMessage.Task task, PrintStream protocol) {
    this.task = task;
    this.protocol = protocol;
  }

  /** Serves until its input ends. */
  public static void main(String[] arguments) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT); // digits that a page can use
    LUCENE.setLevel(Level.SEVERE);
    Thread main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> join(main)));
    Path file = Path.of(arguments[0]);
    Path index = file;
    try {
      ServerMessage.Task task = RunJson.read(file, ServerMessage.Task.class);
      index = task.index();
      new ServerMain(task, System.out).serve();
    } catch (Throwable t) {
      WorkerProcess.fail(t, index, file);
    }
    Runtime.getRuntime().halt(0);
  }

  private static void join(Thread main) {
    try {
      main.join(MOST_ENDING);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void serve() throws Exception {
    CacheCondition cache = CacheCondition.make(task.index(), task.settings().get(ArmSetting.CACHE));
    cache.warning().ifPresent(warnings::add);
    WritePath path = new WritePath(task.settings());
    try (GcMeter gc = new GcMeter(clock, task.flightRecords());
        ArmIndex index = new ArmIndex(task.index(), task.settings(), path);
        SearcherManager searchers = new SearcherManager(index.writer(), new SearcherFactory());
        Updater updater =
            new Updater(
                index.updates(),
                1,
                task.settings().get(ArmSetting.MODE),
                task.documents(),
                task.documentCount())) {
      Timeline timeline = new Timeline(clock, Duration.ZERO);
      Load load =
          Load.of(
              task.settings(),
              timeline,
              new Load.Operations(
                  (due, started) -> searchers.maybeRefreshBlocking(),
                  new Searches(List.of(), timeline, (query, due) -> 0), // they come over HTTP
                  updater,
                  1,
                  (due, started) -> index.writer().commit()),
              task.documents().seed());
      tell(serve(gc, index, searchers, timeline, load, path));
    }
  }

  private ServerMessage.Ended serve(
      GcMeter gc,
      ArmIndex index,
      SearcherManager searchers,
      Timeline timeline,
      Load load,
      WritePath path)
      throws Exception {
    Values collected;
    try (Sampler sampler =
            new Sampler(
                timeline,
                Optional.of(Procfs.SYSTEM),
                load,
                new WriterSamples(Procfs.SYSTEM, path.counters()),
                csv(task.series(), Sampler.COLUMNS));
        GcMeter.During collections =
            gc.begin(timeline, csv(task.gc(), GcMeter.COLUMNS), () -> false);
        SearchServer server =
            new SearchServer(
                searchers,
                task.threads(),
                error -> WorkerProcess.fail(error, task.index()),
                clock)) {
      SamplingThread sampling =
          new SamplingThread(timeline, sampler::sample, List.of(), collections::look);
      load.start();
      tell(new ServerMessage.Ready(server.port()));
      answerUntilTheEnd(index, timeline, server);
      timeline.stop();
      load.finish();
      merges.ifPresent(ForcedMerges::close);
      sampling.finish();
      collected = collections.values();
      throwFailure(load, index);
    } finally {
      merges.ifPresent(ForcedMerges::close);
      index.rollback(); // also ends a merge that still runs
    }
    gc.warning().ifPresent(warnings::add);
    return new ServerMessage.Ended(collected, List.copyOf(warnings));
  }

  /** Before the rollback, which ends merges too. */
  private void throwFailure(Load load, ArmIndex index) throws IOException {
    load.throwFailure();
    Optional<Throwable> failed = mergeFailure();
    if (failed.isPresent()) {
      throw new IOException("a forced merge failed: " + failed.get(), failed.get());
    }
    index.throwFailure();
  }

  /** Also ends when a merge has failed, or another load, which ends the timeline. */
  private void answerUntilTheEnd(ArmIndex index, Timeline timeline, SearchServer server)
      throws InterruptedException {
    BlockingQueue<Optional<String>> asked = new LinkedBlockingQueue<>();
    Thread.ofPlatform().daemon().name("weir-asked").start(() -> read(asked));
    while (!timeline.ended() && mergeFailure().isEmpty()) {
      Optional<String> line = asked.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      if (line == null) {
        continue; // nothing was asked
      }
      if (line.isEmpty()) {
        return;
      }
      answer(line.get(), index, timeline, server);
    }
  }

  private void answer(String line, ArmIndex index, Timeline timeline, SearchServer server) {
    if (line.equals(ServerMessage.LOOK)) {
      tell(mark(timeline, server));
    } else if (line.equals(ServerMessage.MEASURE)
        && merges.isEmpty()
        && task.settings().get(ArmSetting.MERGE) == MergeWorkload.FORCED) {
      merges = Optional.of(new ForcedMerges(index.writer(), clock));
    }
  }

  /** Hands on each line, and an empty one for the end. */
  private static void read(BlockingQueue<Optional<String>> asked) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        asked.add(Optional.of(line));
      }
    } catch (IOException e) {
      // The same as an end.
    }
    asked.add(Optional.empty());
  }

  private Optional<Throwable> mergeFailure() {
    return merges.flatMap(ForcedMerges::failure);
  }

  private ServerMessage.Mark mark(Timeline timeline, SearchServer server) {
    return new ServerMessage.Mark(
        timeline.nowNanos(),
        ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
            .getProcessCpuTime(),
        Runtime.getRuntime().availableProcessors(),
        CollectorThreads.nanos(),
        server.searchNanos(),
        value(Procfs.SYSTEM.selfIo(), IoCounters::readBytes),
        value(Procfs.SYSTEM.ioPressure(), Pressure::someTotalMicros),
        merges.map(ForcedMerges::mergingNanos),
        server.open());
  }

  private static <T> Optional<Long> value(Optional<T> from, Function<T, OptionalLong> field) {
    return from.map(field).filter(OptionalLong::isPresent).map(OptionalLong::getAsLong);
  }

  private ArmCsv csv(Path file, String[] columns) throws IOException {
    return new ArmCsv(Files.newBufferedWriter(file), task.arm(), task.round(), columns);
  }

  private void tell(ServerMessage.Answer answer) {
    protocol.println(RunJson.line(answer));
    protocol.flush();
  }
}
