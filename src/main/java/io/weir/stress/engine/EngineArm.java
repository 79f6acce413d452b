package io.weir.stress.engine;

import io.weir.procfs.Procfs;
import io.weir.run.ArmFigures;
import io.weir.run.FailureWords;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.SlowCauses;
import io.weir.run.Values;
import io.weir.stress.arm.ArmListener;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.arm.LargeMerge;
import io.weir.stress.arm.StopRequest;
import io.weir.stress.arm.meters.Meter;
import io.weir.stress.arm.meters.NoiseMeter;
import io.weir.stress.arm.meters.VectorRecall;
import io.weir.stress.arm.storage.CacheCondition;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.EngineSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Supplier;

/**
 * An arm on an engine: starts its server or asks one that runs, brings the index into the state
 * that the arm asks for, runs it, and returns what it measured from outside and what Weir's plug-in
 * says.
 *
 * <p><b>Threads:</b> {@link #run} once; {@link #stop} from any. <b>Failure:</b> {@link #run} throws
 * what the load or the merge threw, after the server has ended.
 */
public final class EngineArm {

  /** What to run and where. */
  public record Setup(ArmRun.Setup arm, EngineAccess access) {}

  private final ArmRun.Setup arm;
  private final EngineAccess access;
  private final ArmSettings settings;
  private final NanoClock clock;
  private final ArmListener listener;
  private final List<RunWarning> warnings = new ArrayList<>();
  private final StopRequest stop = new StopRequest();

  /** An arm that is not running yet. */
  public EngineArm(Setup setup, NanoClock clock, ArmListener listener) {
    this.arm = setup.arm();
    this.access = setup.access();
    this.settings = arm.settings();
    this.clock = clock;
    this.listener = listener;
  }

  /**
   * Ends the arm early, and calls that wait for the engine; {@link #run} then returns what it has
   * measured until now, or throws when its server was not up yet.
   */
  public void stop() {
    stop.ask();
  }

  /** Runs all of it. */
  public Part run() throws Exception {
    List<SearchQuery> queries = QueryFile.read(arm.queries()).queries();
    Optional<CacheCondition> cache = Optional.empty();
    if (access.server().isPresent()) {
      listener.progress("starting the server", OptionalDouble.empty(), "");
      cache =
          Optional.of(
              CacheCondition.make(access.server().get().data(), settings.get(ArmSetting.CACHE)));
    }
    cache.flatMap(CacheCondition::warning).ifPresent(warnings::add);
    try (EngineAccess.Connection connection = access.open(stop)) {
      try {
        return measure(connection, queries, cache);
      } catch (IOException e) {
        throw connection.explain(e);
      }
    }
  }

  private Part measure(
      EngineAccess.Connection connection, List<SearchQuery> queries, Optional<CacheCondition> cache)
      throws Exception {
    EngineIndex index = connection.index();
    DocumentVectors vectors = DocumentVectors.of(arm.documents());
    Map<String, String> described =
        new LinkedHashMap<>(EngineSettings.describe(settings, access.server().isEmpty()));
    try {
      prepare(index, described);
    } catch (IOException e) {
      if (!stop.isAsked()) {
        throw e;
      } // else the load ends before it begins
    }
    Timeline timeline = new Timeline(clock, settings.get(ArmSetting.WARMUP));
    stop.onAsk(timeline::stop); // after the hanging up: calls that end by that are no failures
    EngineTarget target =
        new EngineTarget(index, settings, vectors, timeline, arm.slowReopenOver());
    LargeMerge merge = new LargeMerge(settings, timeline);
    PluginReadings plugin = new PluginReadings(index, target::slowRefreshes);
    Values measured;
    Values recall;
    try {
      ArmRun run = new ArmRun(arm, stop, timeline, target, merge, listener);
      EngineIndex.Collections before = collections(index, EngineIndex.Collections.NONE);
      try (NoiseMeter noise = NoiseMeter.besideAServer(Procfs.SYSTEM, timeline)) {
        measured =
            run.run(
                queries,
                access.machine(),
                List.of(noise, plugin, () -> collections(index, before).since(before)));
      }
      warnings.addAll(run.warnings());
      recall = recall(index, queries, vectors);
    } finally {
      connection.hangUp(); // also ends the call of a merge that still runs
      merge.awaitEnd();
    }
    boolean stopped = stop.isAsked();
    target.warning().ifPresent(warnings::add);
    if (!stopped) {
      warnings.addAll(plugin.warnings());
    }
    plugin.cap().ifPresent(cap -> described.put(ArmSetting.CAP.key(), cap));
    return arm.part(
        stopped,
        described,
        Values.builder()
            .put(measured)
            .put(recall)
            .put(cache.map(CacheCondition::values).orElse(Values.NONE))
            .build(),
        warnings);
  }

  private Values recall(EngineIndex index, List<SearchQuery> queries, DocumentVectors vectors)
      throws IOException, InterruptedException {
    if (vectors.isNone() || stop.isAsked()) {
      return Values.NONE;
    }
    listener.progress("comparing neighbours with an exact search", OptionalDouble.empty(), "");
    try {
      if (settings.get(ArmSetting.REOPENS_PER_SECOND).isAny()) {
        index.refresh(); // so that all copies of a shard show the same
      }
      return VectorRecall.of(
          index, VectorRecall.sample(queries, vectors, arm.documents().seed()), stop::isAsked);
    } catch (IOException e) {
      if (stop.isAsked()) {
        return Values.NONE; // the call was ended in its middle
      }
      throw e;
    }
  }

  /** Brings the index into the state that the arm asks for; adds what the arm runs with. */
  private void prepare(EngineIndex index, Map<String, String> described)
      throws IOException, InterruptedException {
    described.put("engine", index.version());
    index.awaitHealth();
    index.prepare(settings);
    EngineIndex.Shape shape = index.shape();
    described.put("shards", Integer.toString(shape.shards()));
    described.put("segments", Integer.toString(shape.segments()));
    if (settings.get(ArmSetting.MERGE) == MergeWorkload.FORCED && shape.isMerged()) {
      warnings.add(
          new RunWarning(
              "the index was one segment a shard before the forced merge",
              "a forced merge of an earlier run has merged it",
              "delete the index %s, and it is made anew".formatted(access.index())));
    }
  }

  /** Those until now, or {@code earlier} when calls have been ended. */
  private EngineIndex.Collections collections(EngineIndex index, EngineIndex.Collections earlier)
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

  /**
   * What Weir's plug-in says about the index when each phase of an arm begins and when the arm
   * ends: what merges did, and why refreshes were slow. An engine without the plug-in, or an index
   * without Weir, has no such figures.
   *
   * <p><b>Threads:</b> one. <b>Failure:</b> figures that cannot be read are missing from then on; a
   * warning says why.
   */
  static final class PluginReadings implements Meter {

    private static final String INCOMPLETE =
        "the figures of Weir's plug-in are missing or incomplete";

    private static final RunWarning BEGUN_ANEW =
        new RunWarning(
            INCOMPLETE,
            "a shard moved, or a node restarted or gave no answer, and counters began anew",
            "a run while each shard stays on its node");

    private final EngineIndex index;
    private final Supplier<Values> slow;
    private final Map<Phase, PluginFigures> readings = new EnumMap<>(Phase.class); // at its begin
    private Optional<PluginFigures> mergeEnd = Optional.empty();
    private Optional<PluginFigures> last = Optional.empty();
    private final Set<RunWarning> warnings = new LinkedHashSet<>();
    private boolean isThere = true; // until an answer says otherwise

    /**
     * No readings yet.
     *
     * @param slow the slow refreshes that the client saw, after the last one
     */
    PluginReadings(EngineIndex index, Supplier<Values> slow) {
      this.index = index;
      this.slow = slow;
    }

    @Override
    public void begin(Phase phase) throws InterruptedException {
      read().ifPresent(figures -> readings.put(phase, figures));
      mergeEnd = Optional.ofNullable(readings.get(Phase.AFTER));
    }

    /** If the middle phase has begun and not ended, now is its end. */
    @Override
    public void end() throws InterruptedException {
      if (readings.containsKey(Phase.DURING) && mergeEnd.isEmpty()) {
        mergeEnd = read();
      }
    }

    @Override
    public Values values() throws InterruptedException {
      read();
      return Values.builder().put(merged()).put(explain(slow.get())).build();
    }

    private Optional<PluginFigures> read() throws InterruptedException {
      Optional<PluginFigures> figures = Optional.empty();
      if (isThere) {
        try {
          figures = index.pluginFigures();
        } catch (IOException e) {
          warnings.add(
              new RunWarning(
                  INCOMPLETE, FailureWords.of(e), "the engine must answer this request"));
        }
        isThere = figures.isPresent();
      }
      if (figures.isPresent()) {
        last = figures;
      }
      return figures;
    }

    /** The cap in force at the last reading. */
    Optional<String> cap() {
      return last.map(PluginFigures::cap);
    }

    /**
     * What merges did in the middle phase; nothing without figures of its beginning and its end.
     */
    private Values merged() {
      Optional<PluginFigures> start = Optional.ofNullable(readings.get(Phase.DURING));
      if (start.isEmpty() || mergeEnd.isEmpty()) {
        return Values.NONE;
      }
      Optional<Values> merged = mergeEnd.get().mergedSince(start.get());
      if (merged.isEmpty()) {
        warnings.add(BEGUN_ANEW);
      }
      return merged.orElse(Values.NONE);
    }

    /** The slow refreshes that the client saw, with the causes that the plug-in knows. */
    private Values explain(Values seen) {
      Values.Builder explained = Values.builder().put(seen);
      for (Phase phase : Phase.MEASURED) {
        explained.put(ArmFigures.SLOW_CAUSES, phase, causes(seen, phase));
      }
      return explained.build();
    }

    private SlowCauses causes(Values seen, Phase phase) {
      PluginFigures start = readings.get(phase);
      long reopens = seen.require(ArmFigures.SLOW_REOPENS, phase);
      if (start == null || reopens == 0) {
        return seen.require(ArmFigures.SLOW_CAUSES, phase);
      }
      PluginFigures end =
          Phase.MEASURED.stream()
              .filter(later -> later.compareTo(phase) > 0 && readings.containsKey(later))
              .findFirst()
              .map(readings::get)
              .orElseGet(last::orElseThrow);
      Optional<SlowCauses> known =
          end.causesSince(start, reopens, seen.require(ArmFigures.SLOW_LOST, phase))
              .map(SlowCauses::new);
      if (known.isEmpty()) {
        warnings.add(BEGUN_ANEW);
      }
      return known.orElseGet(() -> seen.require(ArmFigures.SLOW_CAUSES, phase));
    }

    /** Why figures are missing that should be there; after all of them have been asked for. */
    List<RunWarning> warnings() {
      return List.copyOf(warnings);
    }
  }
}
