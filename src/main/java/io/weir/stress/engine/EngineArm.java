package io.weir.stress.engine;

import io.weir.procfs.Procfs;
import io.weir.run.Part;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.arm.ArmListener;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.arm.LargeMerge;
import io.weir.stress.arm.StopRequest;
import io.weir.stress.arm.meters.NoiseMeter;
import io.weir.stress.arm.storage.CacheCondition;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.EngineSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

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
    EngineTarget target = new EngineTarget(index, settings, timeline, arm.slowReopenOver());
    LargeMerge merge = new LargeMerge(settings, timeline);
    PluginReadings plugin = new PluginReadings(index, target::slowRefreshes);
    Values measured;
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
            .put(cache.map(CacheCondition::values).orElse(Values.NONE))
            .build(),
        warnings);
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
}
