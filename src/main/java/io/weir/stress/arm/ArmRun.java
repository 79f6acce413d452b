package io.weir.stress.arm;

import io.weir.corpus.DocumentSource;
import io.weir.corpus.DocumentSources;
import io.weir.procfs.Procfs;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.load.Reopener;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.load.WarmUp;
import io.weir.stress.arm.logs.SlowReopenLog;
import io.weir.stress.arm.meters.GcMeter;
import io.weir.stress.arm.meters.InstrumentCost;
import io.weir.stress.arm.meters.NoiseMeter;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.meters.StorageReadMeter;
import io.weir.stress.arm.meters.Watch;
import io.weir.stress.arm.storage.ArmIndex;
import io.weir.stress.arm.storage.CacheCondition;
import io.weir.stress.arm.storage.WritePath;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.plan.Documents;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.queries.SearchTerms;
import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.GcResult;
import io.weir.stress.result.InstrumentResult;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.NoiseResult;
import io.weir.stress.result.Phase;
import io.weir.stress.result.Phases;
import io.weir.stress.result.ResidentKeysResult;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunWarning;
import io.weir.stress.result.SearchHits;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexWriter;

/**
 * One arm: opens its index, puts it under load, runs the large merge in the middle, and says what
 * was seen.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #stop} from any. <b>Failure:</b> {@link #run} throws
 * what the load or the merge threw, after everything is closed. The index is a copy that nobody
 * wants: it is left at its last commit. An index that is to be checked and is found broken fails
 * the arm.
 */
public final class ArmRun {

  /**
   * What to run and where.
   *
   * @param index the arm's own copy, which it may spoil
   * @param documentCount how many documents that holds
   * @param queries the file of what is searched for
   * @param out the run directory, for histogram logs
   * @param slowReopenOver from when on it is told why a reopen was slow
   * @param checkIndex whether to commit in the end, and to check the whole index
   * @param strict whether not to begin when the page cache is not as it was asked for
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
   * Where the arm's own files are written, to be added to those of the run.
   *
   * @param flightRecords a directory for what the JVM records, of no use afterwards
   */
  public record Outputs(
      Path reopens, Path series, Path slowReopens, Path slowStacks, Path gc, Path flightRecords) {}

  private final Setup setup;
  private final ArmSettings settings;
  private final NanoClock clock;
  private final ArmListener listener;
  private final ArmObserver observer;
  private final WritePath path;
  private final StorageReadMeter reads = new StorageReadMeter(Procfs.SYSTEM);
  private volatile boolean stopped;
  private volatile Timeline timeline;

  /** An arm that is not running yet. */
  public ArmRun(Setup setup, NanoClock clock, ArmListener listener, ArmObserver observer) {
    this.setup = setup;
    this.settings = setup.settings();
    this.clock = clock;
    this.listener = listener;
    this.observer = observer;
    this.path = new WritePath(settings);
  }

  /** Ends the arm early; {@link #run} then returns what was seen until now. */
  public void stop() {
    stopped = true;
    Timeline running = timeline;
    if (running != null) {
      running.stop();
    }
  }

  /** Runs all of it. */
  public ArmResult run() throws Exception {
    listener.progress("opening the index", null, "");
    List<SearchQuery> queries = QueryFile.read(setup.queries()).queries();
    SearchTerms.readDictionary(setup.index());
    CacheCondition cache = CacheCondition.make(setup.index(), settings.get(ArmSetting.CACHE));
    reads.enter(Phase.WARMUP);
    if (setup.strict() && !cache.asAsked()) {
      return refused(cache);
    }
    ArmResult result;
    try (GcMeter gc = new GcMeter(clock, setup.outputs().flightRecords());
        ArmIndex index = new ArmIndex(setup.index(), settings, path)) {
      timeline = new Timeline(clock, settings.get(ArmSetting.WARMUP));
      if (stopped) {
        timeline.stop();
      }
      LargeMerge merge = new LargeMerge(index.writer(), index.policy(), clock, settings, timeline);
      try {
        result = underLoad(index, merge, queries, cache.indexBytes(), gc);
        if (setup.checkIndex()) {
          index.writer().commit();
        }
      } finally {
        index.rollback(); // also ends a merge that still runs
        merge.awaitEnd();
      }
      if (setup.checkIndex()) {
        listener.progress("checking the index", null, "");
        result = result.withIndexCheck(index.check(clock));
      }
    }
    return result.withCache(cache.result(reads), cache.warning());
  }

  private ArmResult refused(CacheCondition cache) {
    String reason = cache.warning().map(RunWarning::what).orElseThrow();
    return ArmResult.failed(
            setup.name(),
            setup.round(),
            RunningSettings.of(settings),
            new ArmFailure(reason, null, List.of()))
        .withCache(cache.result(reads), cache.warning());
  }

  private ArmResult underLoad(
      ArmIndex index, LargeMerge merge, List<SearchQuery> queries, long indexBytes, GcMeter gc)
      throws Exception {
    IndexWriter writer = index.writer();
    long seed = setup.documents().seed();
    DocumentSource source = DocumentSources.parse(setup.documents().source(), seed);
    RunFiles files = new RunFiles(setup.out());
    try (Reopener reopener =
            new Reopener(
                writer,
                index.reopenOptions(),
                timeline,
                setup.name(),
                setup.round(),
                lines(setup.outputs().reopens()),
                slowLog());
        Updater updater =
            new Updater(
                writer,
                settings.get(ArmSetting.MODE),
                index.softDeletes(),
                source,
                seed,
                setup.documentCount())) {
      WarmUp warmUp = new WarmUp(timeline);
      Load load = Load.of(settings, timeline, writer, reopener, warmUp, updater, queries, seed);
      ArmObserver.Observation observation = observer.open(path.parts(writer, reopener));
      ArmResult result;
      try (observation;
          Sampler sampler =
              new Sampler(
                  setup.name(),
                  setup.round(),
                  timeline,
                  Procfs.SYSTEM,
                  path.meter(),
                  path.budget(),
                  path::mergeDebtBytes,
                  load,
                  lines(setup.outputs().series()));
          Watch.HistogramLog reopenLog =
              new Watch.HistogramLog(
                  load.reopens().latency(),
                  files.reopensHistogramLog(setup.name(), setup.round()),
                  "reopen");
          Watch.HistogramLog searchLog =
              new Watch.HistogramLog(
                  load.searches().latency(),
                  files.searchesHistogramLog(setup.name(), setup.round()),
                  "search")) {
        ArmProgress progress =
            new ArmProgress(settings, timeline, path, load, sampler, indexBytes, listener);
        gc.begin(timeline, setup, lines(setup.outputs().gc()));
        result =
            measure(merge, load, warmUp, reopener, sampler, gc, progress, reopenLog, searchLog);
      }
      return result.withWarnings(observation.warnings());
    }
  }

  private ArmResult measure(
      LargeMerge merge,
      Load load,
      WarmUp warmUp,
      Reopener reopener,
      Sampler sampler,
      GcMeter gc,
      ArmProgress progress,
      Watch.HistogramLog reopenLog,
      Watch.HistogramLog searchLog)
      throws Exception {
    MergeResult mergeResult;
    NoiseResult noise;
    InstrumentResult instrument;
    InstrumentCost cost;
    try (NoiseMeter noiseMeter = new NoiseMeter(Procfs.SYSTEM, clock, timeline)) {
      ArmPhases phases = new ArmPhases(settings, timeline, warmUp, path, clock, reads);
      load.start();
      Watch watch =
          new Watch(
              timeline,
              sampler,
              reopenLog,
              searchLog,
              () -> {
                noiseMeter.look();
                gc.look();
                progress.run();
              });
      try {
        mergeResult = phases.run(merge);
      } finally {
        timeline.endAt(timeline.nowNanos());
        reads.end();
        load.finish();
        cost = InstrumentCost.until(timeline.nowNanos() - timeline.firstNanos());
        watch.finish();
      }
      instrument = watch.result(cost);
      noise = noiseMeter.result();
    }
    load.throwFailure();
    if (merge.failure() != null) {
      throw new IOException("the large merge failed: " + merge.failure(), merge.failure());
    }
    GcResult gcResult = gc.end(stopped);
    ResidentKeysResult residentKeys = path.residentKeys();
    Phases<Double> seconds = timeline.phaseSeconds();
    SearchHits hits = load.searchHits();
    List<RunWarning> warnings = new ArrayList<>(InstrumentWarnings.of(warmUp.result(), instrument));
    warnings.addAll(
        ArmWarnings.of(mergeResult, load.loops(), hits, path.capTrouble(), residentKeys, stopped));
    gc.warning().ifPresent(warnings::add);
    return new ArmResult(
        setup.name(),
        setup.round(),
        stopped ? ArmStatus.INTERRUPTED : ArmStatus.DONE,
        RunningSettings.of(settings),
        seconds,
        mergeResult,
        Phases.each(load.reopens().latency()::summary),
        Phases.each(load.reopens().service()::summary),
        load.searches().result(seconds),
        hits,
        load.updates().result(seconds),
        load.commits().result(seconds),
        reopener.slowReopens(),
        sampler.dirty(),
        gcResult,
        noise,
        warmUp.result(),
        instrument,
        residentKeys,
        null,
        null,
        null,
        warnings);
  }

  private SlowReopenLog slowLog() throws IOException {
    return new SlowReopenLog(
        timeline,
        setup.name(),
        setup.round(),
        setup.slowReopenOver(),
        Procfs.SYSTEM,
        path.meter(),
        lines(setup.outputs().slowReopens()),
        lines(setup.outputs().slowStacks()));
  }

  private static Writer lines(Path file) throws IOException {
    return Files.newBufferedWriter(file);
  }
}
