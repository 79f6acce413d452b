package io.weir.stress.arm;

import io.weir.nrt.SlowReopenOptions;
import io.weir.procfs.Procfs;
import io.weir.run.Failure;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.load.QueryTurns;
import io.weir.stress.arm.load.Reopener;
import io.weir.stress.arm.load.SearchLoad;
import io.weir.stress.arm.load.Searches;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.load.WarmUp;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.logs.GcPauseLog;
import io.weir.stress.arm.logs.HistogramLog;
import io.weir.stress.arm.logs.SlowReopenLog;
import io.weir.stress.arm.logs.SlowStacks;
import io.weir.stress.arm.meters.GcMeter;
import io.weir.stress.arm.meters.Instruments;
import io.weir.stress.arm.meters.MergeThrottle;
import io.weir.stress.arm.meters.MergeWindow;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.meters.StorageReadMeter;
import io.weir.stress.arm.storage.ArmIndex;
import io.weir.stress.arm.storage.CacheCondition;
import io.weir.stress.arm.storage.WritePath;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.plan.Documents;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.queries.SearchTerms;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One arm: opens its index, puts it under load, runs the large merge in the middle, and returns
 * what it measured.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #stop} from any. <b>Failure:</b> {@link #run} throws
 * what the load or the merge threw, after everything is closed. The arm leaves its index, a copy,
 * at its last commit. An arm that checks its index fails if it is broken.
 */
public final class LuceneArm {

  /**
   * What to run and where.
   *
   * @param index the arm's own copy, which it may spoil
   * @param documentCount how many documents that holds
   * @param queries the file of queries to search for
   * @param out the run directory, for histogram logs
   * @param slowReopenOver the arm explains why a reopen was slower than this
   * @param checkIndex whether to commit at the end, and to check the whole index
   * @param strict whether to refuse to begin unless the page cache is in the requested state
   */
  public record Setup(
      String name,
      int round,
      ArmSettings settings,
      Documents documents,
      Path index,
      long documentCount,
      Path queries,
      Path out,
      Duration slowReopenOver,
      boolean checkIndex,
      boolean strict,
      Outputs outputs) {}

  /**
   * Where the arm writes its own files, which the run appends to its own.
   *
   * @param flightRecords a directory for the JVM's flight recorder, of no use afterwards
   */
  public record Outputs(
      Path reopens, Path series, Path slowReopens, Path slowStacks, Path gc, Path flightRecords) {}

  private final Setup setup;
  private final ArmSettings settings;
  private final NanoClock clock;
  private final ArmListener listener;
  private final ArmObserver observer;
  private final WritePath path;
  private final RunFiles files;
  private final StorageReadMeter reads = new StorageReadMeter(Procfs.SYSTEM);
  private final List<RunWarning> warnings = new ArrayList<>();
  private volatile boolean stopped;
  private volatile Optional<Timeline> running = Optional.empty();

  /** An arm that is not running yet. */
  public LuceneArm(Setup setup, NanoClock clock, ArmListener listener, ArmObserver observer) {
    this.setup = setup;
    this.settings = setup.settings();
    this.clock = clock;
    this.listener = listener;
    this.observer = observer;
    this.path = new WritePath(settings);
    this.files = new RunFiles(setup.out());
  }

  /** Ends the arm early; {@link #run} then returns what it has measured until now. */
  public void stop() {
    stopped = true;
    running.ifPresent(Timeline::stop);
  }

  /** Runs all of it. */
  public Part run() throws Exception {
    listener.progress("opening the index", OptionalDouble.empty(), "");
    List<SearchQuery> queries = QueryFile.read(setup.queries()).queries();
    SearchTerms.readDictionary(setup.index());
    CacheCondition cache = CacheCondition.make(setup.index(), settings.get(ArmSetting.CACHE));
    reads.enter(Phase.WARMUP);
    if (setup.strict() && !cache.asAsked()) {
      return refused(cache);
    }
    try (GcMeter gc = new GcMeter(clock, setup.outputs().flightRecords());
        ArmIndex index = new ArmIndex(setup.index(), settings, path)) {
      Timeline timeline = begin();
      WriterMerge large =
          new WriterMerge(
              index.writer(),
              index.policy(),
              clock,
              settings,
              path.counters().throttle().map(MergeThrottle::scheduler));
      LargeMerge merge = new LargeMerge(large, settings, timeline);
      Values measured;
      try {
        measured = new UnderLoad(index, timeline, gc, cache, large).measure(queries, merge);
        if (setup.checkIndex()) {
          index.writer().commit();
        }
      } finally {
        index.rollback(); // also ends a merge that still runs
        merge.awaitEnd();
      }
      return result(measured, cache, checked(index));
    }
  }

  private Part refused(CacheCondition cache) {
    RunWarning warning = cache.warning().orElseThrow();
    return Part.failed(
            Part.Kind.ARM,
            setup.name(),
            setup.round(),
            RunningSettings.of(settings),
            Values.builder().put(cache.values()).put(reads.values()).build(),
            new Failure(warning.what(), Optional.empty(), List.of()))
        .withWarnings(List.of(warning));
  }

  private Timeline begin() {
    Timeline timeline = new Timeline(clock, settings.get(ArmSetting.WARMUP));
    running = Optional.of(timeline);
    if (stopped) {
      timeline.stop();
    }
    return timeline;
  }

  private Values checked(ArmIndex index) throws IOException {
    if (!setup.checkIndex()) {
      return Values.NONE;
    }
    listener.progress("checking the index", OptionalDouble.empty(), "");
    return index.check(clock);
  }

  private Part result(Values measured, CacheCondition cache, Values check) {
    cache.warning().ifPresent(warnings::add);
    return Part.of(
            Part.Kind.ARM,
            setup.name(),
            setup.round(),
            stopped ? Status.INTERRUPTED : Status.DONE,
            RunningSettings.of(settings),
            Values.builder()
                .put(measured)
                .put(path.residentKeys())
                .put(cache.values())
                .put(reads.values())
                .put(check)
                .build())
        .withWarnings(List.copyOf(warnings));
  }

  /** The large merge of the arm's own writer. */
  private final class WriterActions implements ArmPhases.PhaseActions {

    private final LargeMerge merge;
    private Optional<MergeWindow> window = Optional.empty();

    WriterActions(LargeMerge merge) {
      this.merge = merge;
    }

    @Override
    public void enter(Phase phase) {
      reads.enter(phase);
      if (phase == Phase.DURING) {
        window = Optional.of(path.mergeWindow(clock));
      }
    }

    @Override
    public boolean merge(long startNanos) throws InterruptedException {
      return merge.run(startNanos);
    }

    @Override
    public Values merged(String kind, double seconds, boolean ended) {
      return window.orElseThrow().until(kind, seconds, ended);
    }
  }

  /** The arm while its load runs. */
  private final class UnderLoad {

    private final ArmIndex index;
    private final Timeline timeline;
    private final GcMeter gc;
    private final CacheCondition cache;
    private final WriterMerge large;
    private final WarmUp warmUp;

    UnderLoad(
        ArmIndex index, Timeline timeline, GcMeter gc, CacheCondition cache, WriterMerge large) {
      this.index = index;
      this.timeline = timeline;
      this.gc = gc;
      this.cache = cache;
      this.large = large;
      this.warmUp = new WarmUp(timeline);
    }

    Values measure(List<SearchQuery> queries, LargeMerge merge) throws Exception {
      try (Reopener reopener = reopener();
          Updater updater = updater();
          ArmGoal goal =
              goal(
                  reopener,
                  new SearchLoad(reopener.searchers(), new QueryTurns(queries, timeline)))) {
        Load load = load(reopener, updater, goal.searches());
        ArmObserver.Observation observation = observer.open(parts(reopener, goal));
        Values measured;
        try (observation;
            Sampler sampler = sampler(load, goal);
            GcPauseLog gcLog =
                new GcPauseLog(timeline, csv(setup.outputs().gc(), GcPauseLog.COLUMNS))) {
          measured = measure(load, sampler, gc.begin(gcLog), merge, reopener);
        }
        warnings.addAll(observation.warnings());
        goal.goal().ifPresent(held -> warnings.addAll(ArmWarnings.ofGoal(held.snapshot())));
        return measured;
      }
    }

    private Values measure(
        Load load, Sampler sampler, GcMeter.During collections, LargeMerge merge, Reopener reopener)
        throws Exception {
      ArmProgress progress = new ArmProgress(settings, timeline, load, sampler, cache.indexBytes());
      ArmPhases phases = new ArmPhases(settings, timeline, warmUp);
      Values merged;
      Values instruments;
      try (HistogramLog reopenLog = reopenLog(load);
          HistogramLog searchLog = searchLog(load);
          Instruments measuring =
              new Instruments(
                  timeline,
                  sampler,
                  List.of(reopenLog, searchLog),
                  () -> {
                    collections.look();
                    progress.report(listener);
                  })) {
        load.start();
        try {
          merged = phases.run(new WriterActions(merge));
        } finally {
          timeline.endAt(timeline.nowNanos());
          reads.end();
          load.finish();
          instruments = measuring.finish();
        }
      }
      load.throwFailure();
      merge.throwFailure();
      index.throwFailure();
      Values measured =
          Values.builder()
              .put(load.values())
              .put(timeline.phaseSeconds())
              .put(merged)
              .put(deadline(sampler))
              .put(reopener.slowReopens())
              .put(sampler.dirty())
              .put(collections.end(stopped))
              .put(warmUp.values())
              .put(instruments)
              .build();
      warn(load, measured);
      return measured;
    }

    private void warn(Load load, Values measured) {
      warnings.addAll(InstrumentWarnings.of(measured));
      warnings.addAll(ArmWarnings.ofLoad(load, stopped));
      if (measured.get(MergeFigures.KIND).isPresent()) {
        warnOfMerge(measured);
      }
      warnings.addAll(ArmWarnings.ofCap(path.counters().capTrouble()));
      warnings.addAll(ArmWarnings.ofResidentKeys(path.residentKeys()));
      gc.warning().ifPresent(warnings::add);
    }

    private void warnOfMerge(Values merge) {
      warnings.addAll(ArmWarnings.ofMerge(merge, stopped));
      if (!stopped) {
        warnings.addAll(ArmWarnings.ofTimeout(merge));
      }
      warnings.addAll(ArmWarnings.ofCharge(merge, settings.get(ArmSetting.COUNT_READS)));
      settings
          .get(ArmSetting.DEADLINE)
          .ifPresent(time -> warnings.addAll(ArmWarnings.ofDeadline(time, merge)));
    }

    /** How it came out; nothing if there was none, or the arm ended first. */
    private Values deadline(Sampler sampler) {
      Optional<Duration> time = settings.get(ArmSetting.DEADLINE);
      return time.isPresent() && timeline.span(Phase.AFTER).isPresent()
          ? sampler.deadline(time.get(), timeline.span(Phase.DURING).orElseThrow())
          : Values.NONE;
    }

    private Reopener reopener() throws IOException {
      SlowReopenOptions slow =
          SlowReopenOptions.defaults()
              .withThreshold(setup.slowReopenOver())
              .withRecent(0)
              .withMerges(path.counters().meter()::runningMerges);
      SlowReopenLog slowLog =
          new SlowReopenLog(
              slow,
              timeline,
              Procfs.SYSTEM,
              csv(setup.outputs().slowReopens(), SlowReopenLog.COLUMNS),
              new SlowStacks(
                  Files.newBufferedWriter(setup.outputs().slowStacks()),
                  setup.name(),
                  setup.round()));
      return new Reopener(
          index.writer(),
          index.reopenOptions(),
          timeline,
          csv(setup.outputs().reopens(), Reopener.COLUMNS),
          slowLog);
    }

    private Updater updater() throws IOException {
      return new Updater(
          index.writer(),
          settings.get(ArmSetting.MODE),
          index.softDeletes(),
          setup.documents(),
          setup.documentCount());
    }

    private ArmGoal goal(Reopener reopener, SearchLoad search) {
      ArmGoal goal = new ArmGoal(settings, path.counters().throttle(), reopener, search, timeline);
      goal.goal().ifPresent(held -> held.keepAbove(large::neededBytesPerSecond));
      return goal;
    }

    private Load load(Reopener reopener, Updater updater, Searches search) {
      Load.Operations operations =
          new Load.Operations(
              warmUp.watching(reopener),
              search,
              updater,
              1,
              (due, started) -> index.writer().commit());
      return Load.of(settings, timeline, operations, setup.documents().seed());
    }

    private ArmParts parts(Reopener reopener, ArmGoal goal) {
      Optional<MergeThrottle> weir = path.counters().throttle();
      return new ArmParts(
          weir.map(MergeThrottle::budget),
          weir.map(MergeThrottle::scheduler),
          index.writer().getDirectory(),
          reopener.monitor(),
          goal.goal());
    }

    private Sampler sampler(Load load, ArmGoal goal) throws IOException {
      ArmCsv lines = csv(setup.outputs().series(), Sampler.COLUMNS);
      return new Sampler(
          timeline, Procfs.SYSTEM, path.counters(), load, goal.goal(), large::deadline, lines);
    }

    private HistogramLog reopenLog(Load load) throws IOException {
      Path file = files.reopensHistogramLog(setup.name(), setup.round());
      return new HistogramLog(load.reopens().latency(), file, "reopen");
    }

    private HistogramLog searchLog(Load load) throws IOException {
      Path file = files.searchesHistogramLog(setup.name(), setup.round());
      return new HistogramLog(load.searches().latency(), file, "search");
    }

    private ArmCsv csv(Path file, String... columns) throws IOException {
      return new ArmCsv(Files.newBufferedWriter(file), setup.name(), setup.round(), columns);
    }
  }
}
