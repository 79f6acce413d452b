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
import io.weir.stress.arm.logs.GcPauseLog;
import io.weir.stress.arm.meters.GcMeter;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.meters.SamplingThread;
import io.weir.stress.arm.storage.ArmIndex;
import io.weir.stress.arm.storage.CacheCondition;
import io.weir.stress.arm.storage.WritePath;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
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

  /** What the command line of this JVM must have. */
  public static final List<String> JVM_ARGUMENTS = SearchServer.JVM_ARGUMENTS;

  /** Searches come over HTTP. */
  private static final Searches NO_SEARCHES =
      new Searches() {
        @Override
        public void run(long dueNanos, long startedNanos) {}

        @Override
        public boolean isEmpty() {
          return true;
        }

        @Override
        public Values hits() {
          return Values.NONE;
        }
      };

  private final ServerMessage.Task task;
  private final Worker worker;
  private final NanoClock clock = NanoClock.SYSTEM;
  private final List<RunWarning> warnings = new ArrayList<>();
  private Optional<ForcedMerges> merges = Optional.empty();

  private ServerMain(ServerMessage.Task task, Worker worker) {
    this.task = task;
    this.worker = worker;
  }

  /** Serves until its input ends. */
  public static void main(String[] arguments) {
    Worker.serve(
        ServerMessage.Task.class,
        (task, worker) -> {
          worker.writesTo(task.index(), task.series(), task.gc());
          return new ServerMain(task, worker).serve();
        });
  }

  private ServerMessage.Ended serve() throws Exception {
    CacheCondition cache = CacheCondition.make(task.index(), task.settings().get(ArmSetting.CACHE));
    cache.warning().ifPresent(warnings::add);
    WritePath path = new WritePath(task.settings());
    try (GcMeter gc = new GcMeter(clock, task.flightRecords());
        ArmIndex index = new ArmIndex(task.index(), task.settings(), path);
        SearcherManager searchers = new SearcherManager(index.writer(), new SearcherFactory());
        Updater updater =
            new Updater(
                index.writer(),
                task.settings().get(ArmSetting.MODE),
                index.softDeletes(),
                task.documents(),
                task.documentCount())) {
      Timeline timeline = new Timeline(clock, Duration.ZERO);
      Load load =
          Load.of(
              task.settings(),
              timeline,
              new Load.Operations(
                  (due, started) -> searchers.maybeRefreshBlocking(),
                  NO_SEARCHES,
                  updater,
                  1,
                  (due, started) -> index.writer().commit()),
              task.documents().seed());
      return serve(gc, index, searchers, timeline, load, path);
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
                Procfs.SYSTEM,
                path.counters(),
                load,
                Optional.empty(),
                Optional::empty,
                csv(task.series(), Sampler.COLUMNS));
        GcPauseLog pauses = new GcPauseLog(timeline, csv(task.gc(), GcPauseLog.COLUMNS));
        SearchServer server = new SearchServer(searchers, task.threads(), worker::fail, clock)) {
      GcMeter.During collections = gc.begin(pauses);
      SamplingThread sampling = new SamplingThread(timeline, sampler, List.of(), collections::look);
      load.start();
      worker.say(new ServerMessage.Ready(server.port()));
      worker.commands(
          ServerMessage.Command.class,
          // A load that fails ends the timeline.
          () -> timeline.ended() || mergeFailure().isPresent(),
          command -> obey(command, index, timeline, server));
      timeline.stop();
      load.finish();
      merges.ifPresent(ForcedMerges::close);
      sampling.finish();
      collected = collections.end(false);
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

  private void obey(
      ServerMessage.Command command, ArmIndex index, Timeline timeline, SearchServer server) {
    switch (command) {
      case LOOK -> worker.say(mark(timeline, server));
      case MEASURE -> {
        if (merges.isEmpty() && task.settings().get(ArmSetting.MERGE) == MergeWorkload.FORCED) {
          merges = Optional.of(new ForcedMerges(index.writer(), clock));
        }
      }
    }
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
}
