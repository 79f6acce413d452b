package io.weir.load.server;

import io.weir.jvm.Worker;
import io.weir.procfs.IoCounters;
import io.weir.procfs.Pressure;
import io.weir.procfs.Procfs;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.load.Searches;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.meters.GcMeter;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.meters.SamplingThread;
import io.weir.stress.arm.meters.VectorRecall;
import io.weir.stress.arm.meters.WriterSamples;
import io.weir.stress.arm.storage.ArmIndex;
import io.weir.stress.arm.storage.CacheCondition;
import io.weir.stress.arm.storage.WritePath;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Documents;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;

/**
 * The entry of the server's JVM.
 *
 * <p>It answers queries until its standard input ends; the updates, reopens, commits and forced
 * merges of the arm run beside them. It ends early, with a message on its standard error, when one
 * of those loads fails.
 */
public final class ServerMain {

  /**
   * What a server is started with.
   *
   * @param index the arm's own copy, which it may spoil
   * @param documentCount how many documents that holds
   * @param queries the file with what is searched for
   * @param threads how many answer queries; empty for a virtual one for each request
   * @param series the file for samples, CSV
   * @param gc the file for pauses of the collector, CSV
   * @param flightRecords a directory for the JVM's flight recorder, of no use afterwards
   */
  public record Task(
      String arm,
      int round,
      ArmSettings settings,
      Documents documents,
      Path index,
      long documentCount,
      Path queries,
      Optional<Integer> threads,
      Path series,
      Path gc,
      Path flightRecords) {}

  /** What the run says. */
  public enum Command {
    /** It asks for a {@link Mark}. */
    LOOK,
    /** The first measured step begins: forced merges may, too. This has no answer. */
    MEASURE,
    /** After the last step it asks how many of the nearest neighbours searches find. */
    COMPARE
  }

  /** The answer; nothing when documents have no vectors, or the server is to end. */
  public record Compared(Values recall) {}

  /** It listens on this port of the loopback interface. */
  public record Ready(int port) {}

  /**
   * What the server's JVM has used since it started.
   *
   * @param nanos on the server's clock
   * @param collectorNanos processor time of the collector's threads; empty off Linux
   * @param searchNanos the time in which threads answered queries, added up
   * @param mergingNanos how long forced merges have run; empty when the arm has none
   * @param open requests that wait or are answered, also those whose client has gone
   */
  public record Mark(
      long nanos,
      long cpuNanos,
      int processors,
      Optional<Long> collectorNanos,
      long searchNanos,
      Optional<Long> readBytes,
      Optional<Long> diskStalledMicros,
      Optional<Long> mergingNanos,
      long open) {}

  /** The end of its input has ended the server: its answer. */
  public record Ended(Values gc, List<RunWarning> warnings) {}

  /** What the command line of this JVM must have. */
  public static final List<String> JVM_ARGUMENTS = SearchServer.JVM_ARGUMENTS;

  private final Task task;
  private final Worker worker;
  private final NanoClock clock = NanoClock.SYSTEM;
  private final List<RunWarning> warnings = new ArrayList<>();
  private Optional<ForcedMerges> merges = Optional.empty();

  private ServerMain(Task task, Worker worker) {
    this.task = task;
    this.worker = worker;
  }

  /** Serves until its input ends. */
  public static void main(String[] arguments) {
    Worker.serve(
        Task.class,
        (task, worker) -> {
          worker.writesTo(task.index(), task.series(), task.gc());
          return new ServerMain(task, worker).serve();
        });
  }

  private Ended serve() throws Exception {
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
      return serve(gc, index, searchers, timeline, load, path);
    }
  }

  private Ended serve(
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
                DocumentVectors.of(task.documents()),
                task.threads(),
                worker::fail,
                clock)) {
      SamplingThread sampling =
          new SamplingThread(timeline, sampler::sample, List.of(), collections::look);
      load.start(1);
      worker.say(new Ready(server.port()));
      for (Optional<Command> asked = asked(timeline); asked.isPresent(); asked = asked(timeline)) {
        obey(asked.get(), index, timeline, server);
      }
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
    return new Ended(collected, List.copyOf(warnings));
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

  /** Empty also when a merge has failed, or another load, which ends the timeline. */
  private Optional<Command> asked(Timeline timeline) throws IOException, InterruptedException {
    return worker.next(Command.class, () -> timeline.ended() || mergeFailure().isPresent());
  }

  private void obey(Command command, ArmIndex index, Timeline timeline, SearchServer server)
      throws IOException, InterruptedException {
    switch (command) {
      case COMPARE -> worker.say(new Compared(recall(index)));
      case LOOK -> worker.say(mark(timeline, server));
      case MEASURE -> {
        if (merges.isEmpty() && task.settings().get(ArmSetting.MERGE) == MergeWorkload.FORCED) {
          merges = Optional.of(new ForcedMerges(index.writer(), clock));
        }
      }
    }
  }

  private Values recall(ArmIndex index) throws IOException, InterruptedException {
    DocumentVectors vectors = DocumentVectors.of(task.documents());
    if (vectors.isNone()) {
      return Values.NONE;
    }
    try (DirectoryReader reader = DirectoryReader.open(index.writer())) {
      return VectorRecall.of(
          reader,
          vectors,
          QueryFile.read(task.queries()).queries(),
          task.documents().seed(),
          worker::stopped);
    }
  }

  private Optional<Throwable> mergeFailure() {
    return merges.flatMap(ForcedMerges::failure);
  }

  private Mark mark(Timeline timeline, SearchServer server) {
    return new Mark(
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

  /**
   * The processor time of the garbage collector's threads, which no interface of the JVM reports:
   * the sum over the threads of this process whose names are a collector's. The serial collector
   * works in the {@code VM Thread}. ZGC without generations has an X in Java 21 and 22. Empty off
   * Linux, and where access is denied.
   */
  static final class CollectorThreads {

    private static final Pattern NAMES =
        Pattern.compile(
            "GC Thread.*|G1 .*|[XZ](Director|Driver|Worker|Stat|Unmap|Uncommit|Reclaim).*"
                + "|RuntimeWorker.*|Shenandoah.*|VM Thread");

    /** Of {@code /proc/PID/stat}, after the name in brackets. */
    private static final int USER_FIELD = 11;

    /** The kernel's unit for programs: 100 a second on every architecture of Linux. */
    private static final long NANOS_PER_TICK = 10_000_000;

    private CollectorThreads() {}

    /** Nanoseconds since this process started. */
    static Optional<Long> nanos() {
      long ticks = 0;
      try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
        for (Path thread : threads) {
          ticks += ticks(thread);
        }
      } catch (IOException | RuntimeException e) {
        return Optional.empty();
      }
      return Optional.of(ticks * NANOS_PER_TICK);
    }

    /** Whether a thread of this name is a collector's. */
    static boolean isCollector(String name) {
      return NAMES.matcher(name).matches();
    }

    private static long ticks(Path thread) {
      try {
        String stat = Files.readString(thread.resolve("stat"));
        int end = stat.lastIndexOf(')');
        if (!isCollector(stat.substring(stat.indexOf('(') + 1, end))) {
          return 0;
        }
        String[] fields = stat.substring(end + 2).split(" ");
        return Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[USER_FIELD + 1]);
      } catch (IOException e) {
        return 0; // it has ended since
      }
    }
  }

  /**
   * Merges the index to one segment, again and again, so that each step of load has such a merge
   * beside it. Without updates the first leaves nothing to merge; then this waits.
   *
   * <p><b>Threads:</b> any; it merges on its own. <b>Failure:</b> the first one ends it and is
   * kept.
   */
  static final class ForcedMerges implements Closeable {

    private static final long BETWEEN_NANOS = 100_000_000;

    private final IndexWriter writer;
    private final NanoClock clock;
    private final Thread thread;
    private volatile boolean closing;
    private volatile Optional<Throwable> failure = Optional.empty();
    private long endedNanos; // guarded by this
    private Optional<Long> runningSince = Optional.empty(); // guarded by this

    /** Begins. */
    ForcedMerges(IndexWriter writer, NanoClock clock) {
      this.writer = writer;
      this.clock = clock;
      this.thread = Thread.ofPlatform().daemon().name("weir-forced-merges").start(this::run);
    }

    /** How long merges have run, the one that runs included. */
    synchronized long mergingNanos() {
      return endedNanos + runningSince.map(since -> clock.nanoTime() - since).orElse(0L);
    }

    /** What ended this early. */
    Optional<Throwable> failure() {
      return failure;
    }

    private void run() {
      try {
        while (!closing) {
          if (segments() > 1) {
            merge();
          } else {
            clock.parkNanos(this, BETWEEN_NANOS);
          }
        }
      } catch (Throwable t) {
        if (!closing) { // when the server ends, it closes the writer under a merge
          failure = Optional.of(t);
        }
      }
    }

    private void merge() throws IOException {
      synchronized (this) {
        runningSince = Optional.of(clock.nanoTime());
      }
      try {
        writer.forceMerge(1);
      } finally {
        synchronized (this) {
          endedNanos = mergingNanos();
          runningSince = Optional.empty();
        }
      }
    }

    private int segments() throws IOException {
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        return reader.leaves().size();
      }
    }

    /** Begins no further one; whoever closes the writer ends the one that runs. */
    @Override
    public void close() {
      closing = true;
      clock.unpark(thread);
    }
  }
}
