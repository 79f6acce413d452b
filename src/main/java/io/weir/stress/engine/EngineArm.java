package io.weir.stress.engine;

import io.weir.procfs.Procfs;
import io.weir.run.FailureWords;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.stress.arm.ArmListener;
import io.weir.stress.arm.ArmPhases;
import io.weir.stress.arm.ArmProgress;
import io.weir.stress.arm.LuceneArm;
import io.weir.stress.arm.ArmWarnings;
import io.weir.stress.arm.InstrumentWarnings;
import io.weir.stress.arm.LargeMerge;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.load.QueryTurns;
import io.weir.stress.arm.load.Reopener;
import io.weir.stress.arm.load.WarmUp;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.logs.HistogramLog;
import io.weir.stress.arm.meters.Instruments;
import io.weir.stress.arm.meters.NoiseMeter;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.storage.CacheCondition;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.plan.Documents;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.EngineSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One arm on an engine: starts its server or asks one that runs, puts the index under load, has it
 * merged in the middle, and returns what it measured from outside and what Weir's plug-in says.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #stop} from any. <b>Failure:</b> {@link #run} throws
 * what the load or the merge threw, after the server has ended.
 */
public final class EngineArm {

  /**
   * What to run and where.
   *
   * @param documentCount how many documents the index was filled with
   * @param queries the file of queries to search for
   * @param out the run directory, for histogram logs
   * @param slowOver a refresh that takes longer is slow
   */
  public record Setup(
      String name,
      int round,
      ArmSettings settings,
      EngineAccess access,
      Documents documents,
      long documentCount,
      Path queries,
      Path out,
      Duration slowOver,
      LuceneArm.Outputs outputs) {}

  private static final long BYTES_PER_MEGABYTE = 1_000_000;

  private static final RunWarning NOTHING_CHOSEN =
      new RunWarning(
          "the large merge merged nothing",
          "the policy found nothing to merge, perhaps because earlier merges left nothing",
          "a new --index, a shorter --warmup and --before, or --merge forced");

  private final Setup setup;
  private final ArmSettings settings;
  private final NanoClock clock;
  private final ArmListener listener;
  private final RunFiles files;
  private final List<RunWarning> warnings = new CopyOnWriteArrayList<>();
  private final EngineStop stop = new EngineStop();
  private volatile Optional<Timeline> running = Optional.empty();

  /** An arm that is not running yet. */
  public EngineArm(Setup setup, NanoClock clock, ArmListener listener) {
    this.setup = setup;
    this.settings = setup.settings();
    this.clock = clock;
    this.listener = listener;
    this.files = new RunFiles(setup.out());
  }

  /**
   * Ends the arm early, and calls that wait for the engine; {@link #run} then returns what it has
   * measured until now, or throws when its server was not up yet.
   */
  public void stop() {
    stop.ask(); // first: calls that end by it are no failures of the load
    running.ifPresent(Timeline::stop);
  }

  /** Runs all of it. */
  public Part run() throws Exception {
    List<SearchQuery> queries = QueryFile.read(setup.queries()).queries();
    Optional<CacheCondition> cache = Optional.empty();
    if (setup.access().server().isPresent()) {
      listener.progress("starting the server", OptionalDouble.empty(), "");
      cache =
          Optional.of(
              CacheCondition.make(
                  setup.access().server().get().data(), settings.get(ArmSetting.CACHE)));
    }
    cache.flatMap(CacheCondition::warning).ifPresent(warnings::add);
    try (EngineConnection connection = EngineConnection.open(setup.access(), stop)) {
      try {
        return measure(connection, queries, cache);
      } catch (IOException e) {
        throw connection.explain(e);
      }
    }
  }

  private Part measure(
      EngineConnection connection, List<SearchQuery> queries, Optional<CacheCondition> cache)
      throws Exception {
    boolean own = setup.access().server().isPresent();
    Map<String, String> described = new LinkedHashMap<>(EngineSettings.describe(settings, !own));
    try {
      prepare(connection, described);
    } catch (IOException e) {
      if (!stop.isAsked()) {
        throw e;
      } // else the load ends before it begins
    }
    Timeline timeline = new Timeline(clock, settings.get(ArmSetting.WARMUP));
    running = Optional.of(timeline);
    if (stop.isAsked()) {
      timeline.stop();
    }
    LargeMerge merge = new LargeMerge(merger(connection.index()), settings, timeline);
    try {
      return new UnderLoad(connection.index(), timeline, described, cache).measure(queries, merge);
    } finally {
      connection.hangUp(); // also ends the call of a merge that still runs
      merge.awaitEnd();
    }
  }

  private LargeMerge.Merger merger(EngineIndex index) {
    return new EngineMerger(
        index, clock, settings.get(ArmSetting.MERGE), () -> warnings.add(NOTHING_CHOSEN));
  }

  /** Brings the index into the state that the arm asks for; adds what the arm runs with. */
  private void prepare(EngineConnection connection, Map<String, String> described)
      throws IOException, InterruptedException {
    EngineIndex index = connection.index();
    described.put("engine", index.version());
    index.awaitHealth();
    index.prepare(settings);
    EngineShape shape = index.shape();
    described.put("shards", Integer.toString(shape.shards()));
    described.put("segments", Integer.toString(shape.segments()));
    if (settings.get(ArmSetting.MERGE) == MergeWorkload.FORCED && shape.isMerged()) {
      warnings.add(
          new RunWarning(
              "the index was one segment a shard before the forced merge",
              "a forced merge of an earlier run has merged it",
              "delete the index %s, and it is made anew".formatted(setup.access().index())));
    }
  }

  /** The arm while its load runs. */
  private final class UnderLoad implements ArmPhases.PhaseActions {

    private final EngineIndex index;
    private final Timeline timeline;
    private final Map<String, String> described;
    private final Optional<CacheCondition> cache;
    private final WarmUp warmUp;
    private final FreshUpdates fresh;
    private final PluginReadings plugin;
    private Optional<LargeMerge> merge = Optional.empty();

    UnderLoad(
        EngineIndex index,
        Timeline timeline,
        Map<String, String> described,
        Optional<CacheCondition> cache) {
      this.index = index;
      this.timeline = timeline;
      this.described = described;
      this.cache = cache;
      this.warmUp = new WarmUp(timeline);
      this.fresh = new FreshUpdates(timeline);
      this.plugin = new PluginReadings(index);
    }

    @Override
    public void enter(Phase phase) throws InterruptedException {
      plugin.enter(phase);
    }

    @Override
    public boolean merge(long startNanos) throws InterruptedException {
      return merge.orElseThrow().run(startNanos);
    }

    @Override
    public Values merged(String kind, double seconds, boolean ended) throws InterruptedException {
      return Values.builder()
          .put(MergeFigures.KIND, kind)
          .put(MergeFigures.SECONDS, seconds)
          .put(MergeFigures.ENDED, ended)
          .put(plugin.merged())
          .build();
    }

    Part measure(List<SearchQuery> queries, LargeMerge largeMerge) throws Exception {
      merge = Optional.of(largeMerge);
      try (EngineRefreshes refreshes =
              new EngineRefreshes(
                  index,
                  timeline,
                  fresh,
                  setup.slowOver(),
                  csv(setup.outputs().reopens(), Reopener.COLUMNS));
          EngineUpdates updates =
              new EngineUpdates(
                  index,
                  settings.get(ArmSetting.MODE),
                  setup.documents(),
                  setup.documentCount(),
                  settings.get(ArmSetting.UPDATES_PER_SECOND),
                  fresh)) {
        Load load =
            Load.of(
                settings,
                timeline,
                new Load.Operations(
                    warmUp.watching(refreshes),
                    new EngineSearches(index, new QueryTurns(queries, timeline)),
                    updates,
                    updates.atOnce(),
                    (due, started) -> index.flush()),
                setup.documents().seed());
        try (EngineSampler sampler =
            new EngineSampler(
                timeline,
                setup.access().machine(),
                load,
                csv(setup.outputs().series(), Sampler.COLUMNS))) {
          return measure(load, sampler, refreshes, largeMerge);
        }
      }
    }

    private Part measure(
        Load load, EngineSampler sampler, EngineRefreshes refreshes, LargeMerge largeMerge)
        throws Exception {
      EngineCollections before = collections(EngineCollections.NONE);
      Values merged;
      Values instruments;
      try (HistogramLog reopenLog =
              new HistogramLog(
                  load.reopens().latency(),
                  files.reopensHistogramLog(setup.name(), setup.round()),
                  "refresh");
          HistogramLog searchLog =
              new HistogramLog(
                  load.searches().latency(),
                  files.searchesHistogramLog(setup.name(), setup.round()),
                  "search");
          Instruments measuring =
              new Instruments(
                  timeline,
                  NoiseMeter.besideAServer(Procfs.SYSTEM, timeline),
                  sampler,
                  List.of(reopenLog, searchLog),
                  () -> report(load, sampler))) {
        load.start();
        try {
          merged = new ArmPhases(settings, timeline, warmUp).run(this);
        } finally {
          timeline.endAt(timeline.nowNanos());
          load.finish();
          instruments = measuring.finish();
        }
      }
      if (!stop.isAsked()) { // else calls were ended in their middle
        throwFailure(load);
        largeMerge.throwFailure();
      }
      plugin.end();
      plugin.cap().ifPresent(cap -> described.put(ArmSetting.CAP.key(), cap));
      Values collected = collections(before).since(before);
      boolean stopped = stop.isAsked();
      Values measured =
          Values.builder()
              .put(load.values())
              .put(load.updates().rate().isAny() ? fresh.values() : Values.NONE)
              .put(timeline.phaseSeconds())
              .put(merged)
              .put(collected)
              .put(plugin.explain(refreshes.slow()))
              .put(sampler.dirty())
              .put(warmUp.values())
              .put(instruments)
              .put(cache.map(CacheCondition::values).orElse(Values.NONE))
              .build();
      if (!stopped) {
        warnings.addAll(plugin.warnings());
        if (merged.get(MergeFigures.KIND).isPresent()) {
          warnings.addAll(ArmWarnings.ofTimeout(merged));
        }
      }
      warnings.addAll(InstrumentWarnings.of(measured));
      warnings.addAll(ArmWarnings.ofLoad(load, stopped));
      return Part.of(
              Part.Kind.ARM,
              setup.name(),
              setup.round(),
              stopped ? Status.INTERRUPTED : Status.DONE,
              described,
              measured)
          .withWarnings(List.copyOf(warnings));
    }

    /** As an {@link IOException}: the end of the server may explain it. */
    private static void throwFailure(Load load) throws IOException {
      try {
        load.throwFailure();
      } catch (IllegalStateException e) {
        throw new IOException(FailureWords.of(e), e.getCause());
      }
    }

    /** Those until now, or {@code earlier} when calls have been ended. */
    private EngineCollections collections(EngineCollections earlier)
        throws IOException, InterruptedException {
      try {
        return index.collections();
      } catch (IOException e) {
        if (stop.isAsked()) {
          return earlier;
        }
        throw e;
      }
    }

    private void report(Load load, EngineSampler sampler) {
      Phase phase = timeline.phaseOf(timeline.nowNanos());
      listener.progress(
          ArmProgress.stage(phase, settings.get(ArmSetting.MERGE)),
          OptionalDouble.empty(),
          ArmProgress.reopens(load.reopens().latency().summary(phase))
              + sampler
                  .recentDirtyBytes()
                  .map(bytes -> "; dirty " + bytes / BYTES_PER_MEGABYTE + " MB")
                  .orElse(""));
    }

    private ArmCsv csv(Path file, String... columns) throws IOException {
      return new ArmCsv(Files.newBufferedWriter(file), setup.name(), setup.round(), columns);
    }
  }
}
