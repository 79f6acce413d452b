package io.weir.stress.arm;

import io.weir.nrt.SlowReopenOptions;
import io.weir.procfs.Procfs;
import io.weir.run.Failure;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.arm.load.Reopener;
import io.weir.stress.arm.logs.SlowReopenLog;
import io.weir.stress.arm.meters.GcMeter;
import io.weir.stress.arm.meters.NoiseMeter;
import io.weir.stress.arm.meters.StorageReadMeter;
import io.weir.stress.arm.meters.VectorRecall;
import io.weir.stress.arm.storage.ArmIndex;
import io.weir.stress.arm.storage.CacheCondition;
import io.weir.stress.arm.storage.WritePath;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.queries.SearchTerms;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.lucene.index.DirectoryReader;

/**
 * An arm on Lucene in this JVM: opens its copy of the index, runs it, perhaps checks the index, and
 * returns what it measured.
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
   * @param checkIndex whether to commit at the end, and to check the whole index
   * @param strict whether to refuse to begin unless the page cache is in the requested state
   */
  public record Setup(ArmRun.Setup arm, Path index, boolean checkIndex, boolean strict) {}

  private final Setup setup;
  private final ArmRun.Setup arm;
  private final ArmSettings settings;
  private final NanoClock clock;
  private final ArmListener listener;
  private final ArmObserver observer;
  private final WritePath path;
  private final StorageReadMeter reads = new StorageReadMeter(Procfs.SYSTEM);
  private final List<RunWarning> warnings = new ArrayList<>();
  private final StopRequest stop = new StopRequest();

  /** An arm that is not running yet. */
  public LuceneArm(Setup setup, NanoClock clock, ArmListener listener, ArmObserver observer) {
    this.setup = setup;
    this.arm = setup.arm();
    this.settings = arm.settings();
    this.clock = clock;
    this.listener = listener;
    this.observer = observer;
    this.path = new WritePath(settings);
  }

  /** Ends the arm early; {@link #run} then returns what it has measured until now. */
  public void stop() {
    stop.ask();
  }

  /** Runs all of it. */
  public Part run() throws Exception {
    listener.progress("opening the index", OptionalDouble.empty(), "");
    List<SearchQuery> queries = QueryFile.read(arm.queries()).queries();
    DocumentVectors vectors = DocumentVectors.of(arm.documents());
    SearchTerms.readDictionary(setup.index());
    CacheCondition cache = CacheCondition.make(setup.index(), settings.get(ArmSetting.CACHE));
    reads.begin(Phase.WARMUP);
    if (setup.strict() && !cache.asAsked()) {
      return refused(cache);
    }
    try (GcMeter gc = new GcMeter(clock, arm.outputs().flightRecords());
        ArmIndex index = new ArmIndex(setup.index(), settings, path)) {
      Timeline timeline = new Timeline(clock, settings.get(ArmSetting.WARMUP));
      stop.onAsk(timeline::stop);
      LargeMerge merge = new LargeMerge(settings, timeline);
      Values measured;
      Values recall;
      try {
        measured = measure(index, timeline, queries, vectors, gc, cache, merge);
        recall = recall(index, queries, vectors);
        if (setup.checkIndex()) {
          index.writer().commit();
        }
      } finally {
        index.rollback(); // also ends a merge that still runs
        merge.awaitEnd();
      }
      return result(measured, cache, recall, checked(index));
    }
  }

  private Part refused(CacheCondition cache) {
    RunWarning warning = cache.warning().orElseThrow();
    return Part.failed(
            Part.Kind.ARM,
            arm.name(),
            arm.round(),
            ArmRun.inThisJvm(settings.describe()),
            Values.builder().put(cache.values()).put(reads.values()).build(),
            new Failure(warning.what(), Optional.empty(), List.of()))
        .withWarnings(List.of(warning));
  }

  private Values measure(
      ArmIndex index,
      Timeline timeline,
      List<SearchQuery> queries,
      DocumentVectors vectors,
      GcMeter gc,
      CacheCondition cache,
      LargeMerge merge)
      throws Exception {
    try (Reopener reopener =
            new Reopener(index.writer(), index.reopenOptions(), timeline, slowLog(timeline));
        LuceneTarget target =
            new LuceneTarget(index, settings, vectors, timeline, reopener, cache.indexBytes())) {
      ArmRun run = new ArmRun(arm, stop, timeline, target, merge, listener);
      ArmObserver.Observation observation = observer.open(target.parts());
      Values measured;
      try (observation;
          GcMeter.During collections =
              gc.begin(timeline, arm.csv(arm.outputs().gc(), GcMeter.COLUMNS), stop::isAsked);
          NoiseMeter noise = new NoiseMeter(Procfs.SYSTEM, clock, timeline)) {
        measured =
            run.run(
                queries,
                Optional.of(Procfs.SYSTEM),
                List.of(
                    noise,
                    reads,
                    path.mergeWindow(clock),
                    target::deadline,
                    reopener::slowReopens,
                    collections));
        index.throwFailure();
      }
      warnings.addAll(run.warnings());
      warn(measured);
      gc.warning().ifPresent(warnings::add);
      warnings.addAll(observation.warnings());
      warnings.addAll(target.goalWarnings());
      return measured;
    }
  }

  private SlowReopenLog slowLog(Timeline timeline) throws IOException {
    return new SlowReopenLog(
        SlowReopenOptions.defaults()
            .withThreshold(arm.slowReopenOver())
            .withRecent(0)
            .withMerges(path.counters().meter()::runningMerges),
        timeline,
        Procfs.SYSTEM,
        arm.csv(arm.outputs().slowReopens(), SlowReopenLog.COLUMNS),
        Files.newBufferedWriter(arm.outputs().slowStacks()));
  }

  private void warn(Values measured) {
    if (measured.get(MergeFigures.KIND).isPresent()) {
      warnings.addAll(ArmWarnings.ofMerge(measured, stop.isAsked()));
      warnings.addAll(ArmWarnings.ofCharge(measured, settings.get(ArmSetting.COUNT_READS)));
      settings
          .get(ArmSetting.DEADLINE)
          .ifPresent(time -> warnings.addAll(ArmWarnings.ofDeadline(time, measured)));
    }
    warnings.addAll(ArmWarnings.ofCap(path.counters().capTrouble()));
    warnings.addAll(ArmWarnings.ofResidentKeys(path.residentKeys()));
  }

  /** How good neighbours are, now that no latency is measured; nothing when the arm was stopped. */
  private Values recall(ArmIndex index, List<SearchQuery> queries, DocumentVectors vectors)
      throws IOException, InterruptedException {
    if (vectors.isNone()) {
      return Values.NONE;
    }
    listener.progress("comparing neighbours with an exact search", OptionalDouble.empty(), "");
    try (DirectoryReader reader = DirectoryReader.open(index.writer())) {
      return VectorRecall.of(reader, vectors, queries, arm.documents().seed(), stop::isAsked);
    }
  }

  private Values checked(ArmIndex index) throws IOException {
    if (!setup.checkIndex()) {
      return Values.NONE;
    }
    listener.progress("checking the index", OptionalDouble.empty(), "");
    return index.check(clock);
  }

  private Part result(Values measured, CacheCondition cache, Values recall, Values check) {
    cache.warning().ifPresent(warnings::add);
    return arm.part(
        stop.isAsked(),
        ArmRun.inThisJvm(settings.describe()),
        Values.builder()
            .put(measured)
            .put(path.residentKeys())
            .put(cache.values())
            .put(recall)
            .put(check)
            .build(),
        warnings);
  }
}
