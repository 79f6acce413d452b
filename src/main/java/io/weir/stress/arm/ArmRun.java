package io.weir.stress.arm;

import io.weir.lucene.LuceneGaps;
import io.weir.procfs.Procfs;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFiles;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import io.weir.run.Values;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.load.Reopens;
import io.weir.stress.arm.load.Searches;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.load.Visibility;
import io.weir.stress.arm.load.WarmUp;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.logs.HistogramLog;
import io.weir.stress.arm.meters.Meter;
import io.weir.stress.arm.meters.Refaults;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.arm.meters.SamplingThread;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.plan.Documents;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Setting;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One arm on a target that is open: puts it under load, runs the large merge in the middle, and
 * returns what it measured. Its phases are the warm-up, before, during and after that merge.
 *
 * <p><b>Threads:</b> {@link #run} once. <b>Failure:</b> {@link #run} throws what the load or the
 * merge threw, after the load has ended; a merge may still run then, until its target ends it.
 */
public final class ArmRun {

  /**
   * What to run, whatever the target.
   *
   * @param documents what the index was made from
   * @param documentCount how many of them it holds
   * @param queries the file of queries to search for
   * @param out the run directory, for histogram logs
   * @param slowReopenOver a reopen that takes longer is slow
   */
  public record Setup(
      String name,
      int round,
      ArmSettings settings,
      Documents documents,
      long documentCount,
      Path queries,
      Path out,
      Duration slowReopenOver,
      Outputs outputs) {

    /** One of the arm's own files. */
    ArmCsv csv(Path file, String... columns) throws IOException {
      return new ArmCsv(Files.newBufferedWriter(file), name, round, columns);
    }

    /** What the arm came to, when it was not refused. */
    public Part part(
        boolean stopped, Map<String, String> described, Values values, List<RunWarning> warnings) {
      return Part.of(
              Part.Kind.ARM,
              name,
              round,
              stopped ? Status.INTERRUPTED : Status.DONE,
              described,
              values)
          .withWarnings(List.copyOf(warnings));
    }
  }

  /**
   * Where the arm writes its own files, which the run appends to its own.
   *
   * @param flightRecords a directory for the JVM's flight recorder, of no use afterwards
   */
  public record Outputs(
      Path reopens, Path series, Path slowReopens, Path slowStacks, Path gc, Path flightRecords) {}

  private static final long BYTES_PER_MEGABYTE = 1_000_000;

  private final Setup setup;
  private final ArmSettings settings;
  private final StopRequest stop;
  private final Timeline timeline;
  private final Target target;
  private final LargeMerge merge;
  private final ArmListener listener;
  private final WarmUp warmUp;
  private final Visibility visibility;
  private final List<RunWarning> warnings = new ArrayList<>();

  /**
   * An arm whose load has not begun.
   *
   * @param timeline has begun
   * @param merge the caller awaits its end, once it has made {@code target} end it
   */
  public ArmRun(
      Setup setup,
      StopRequest stop,
      Timeline timeline,
      Target target,
      LargeMerge merge,
      ArmListener listener) {
    this.setup = setup;
    this.settings = setup.settings();
    this.stop = stop;
    this.timeline = timeline;
    this.target = target;
    this.merge = merge;
    this.listener = listener;
    this.warmUp = new WarmUp(timeline);
    this.visibility = new Visibility(timeline);
  }

  /**
   * Runs all of it.
   *
   * @param machine where the target's machine is described; empty if that is another one
   * @param meters of the target and its machine; their phases begin and end in this order
   */
  public Values run(List<SearchQuery> queries, Optional<Procfs> machine, List<Meter> meters)
      throws Exception {
    int atOnce = target.updatesAtOnce();
    try (Reopens reopens =
            new Reopens(
                target,
                timeline,
                visibility,
                setup.csv(setup.outputs().reopens(), Reopens.COLUMNS));
        Updater updater =
            new Updater(
                target,
                atOnce,
                settings.get(ArmSetting.MODE),
                setup.documents(),
                setup.documentCount())) {
      Load load =
          Load.of(
              settings,
              timeline,
              new Load.Operations(
                  warmUp.watching(reopens),
                  new Searches(queries, timeline, target),
                  isFound() ? visibility.watching(updater) : updater,
                  atOnce,
                  (due, started) -> target.commit()),
              setup.documents().seed());
      try (Sampler sampler =
          new Sampler(
              timeline,
              machine,
              load,
              target,
              setup.csv(setup.outputs().series(), Sampler.COLUMNS))) {
        return measure(load, sampler, meters);
      }
    }
  }

  /** Whether there are writes, and reopens that make them visible. */
  private boolean isFound() {
    return settings.get(ArmSetting.UPDATES_PER_SECOND).isAny()
        && settings.get(ArmSetting.REOPENS_PER_SECOND).isAny();
  }

  /** Requested settings of an arm, or a cell, that runs in this JVM, with the JVM as it is. */
  public static Map<String, String> inThisJvm(Map<String, String> settings) {
    Map<String, String> described = new LinkedHashMap<>(settings);
    described.put("java", Runtime.version().toString());
    described.replace(ArmSetting.LUCENE.key(), LuceneGaps.version()); // what is there indeed
    described.put(
        ArmSetting.JVM_ARGS.key(),
        String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    return described;
  }

  /** What a reader of the figures must know, whatever the target; after {@link #run}. */
  public List<RunWarning> warnings() {
    return List.copyOf(warnings);
  }

  private Values measure(Load load, Sampler sampler, List<Meter> meters) throws Exception {
    RunFiles files = new RunFiles(setup.out());
    Values merged;
    Values sampled;
    try (HistogramLog reopenLog =
            new HistogramLog(
                load.reopens().latency(),
                files.reopensHistogramLog(setup.name(), setup.round()),
                "reopen");
        HistogramLog searchLog =
            new HistogramLog(
                load.searches().latency(),
                files.searchesHistogramLog(setup.name(), setup.round()),
                "search")) {
      SamplingThread sampling =
          new SamplingThread(
              timeline,
              sampler::sample,
              List.of(reopenLog, searchLog),
              () -> {
                meters.forEach(Meter::look);
                report(load, sampler);
              });
      load.start(target.updateThreads());
      try {
        merged = phases(meters);
      } finally {
        timeline.endAt(timeline.nowNanos());
        try {
          end(meters);
        } finally {
          load.finish();
          sampling.finish();
        }
      }
      sampled = Values.builder().put(sampling.values()).put(sampling.cost()).build();
    }
    boolean stopped = stop.isAsked();
    if (!(stopped && target.hangsUp())) {
      load.throwFailure();
      merge.throwFailure();
    }
    Values.Builder values =
        Values.builder()
            .put(load.values())
            .put(timeline.phaseSeconds())
            .put(merged)
            .put(sampler.dirty())
            .put(sampler.refaults().values())
            .put(warmUp.values())
            .put(isFound() ? visibility.values() : Values.NONE)
            .put(sampled);
    for (Meter meter : meters) {
      values.put(meter.values());
    }
    warn(load, values.build(), sampler.refaults(), stopped);
    return values.build();
  }

  /** Runs the phases to the end of the arm; nothing when the arm ended before the merge began. */
  private Values phases(List<Meter> meters) throws InterruptedException {
    if (!warmUp.await()) {
      return Values.NONE;
    }
    begin(Phase.BEFORE, meters);
    if (!timeline.awaitDue(timeline.warmupEndNanos() + settings.get(ArmSetting.BEFORE).toNanos())) {
      return Values.NONE;
    }
    begin(Phase.DURING, meters);
    long startNanos = timeline.nowNanos();
    timeline.mergeStarts(startNanos);
    boolean ended = merge.run(target, startNanos);
    long endNanos = timeline.nowNanos();
    if (ended) {
      timeline.mergeEnded(endNanos); // at once: what is due from now on is after the merge
      // The end first: a look at a server may take longer than the phase.
      timeline.endAt(endNanos + settings.get(ArmSetting.AFTER).toNanos());
      begin(Phase.AFTER, meters);
      timeline.awaitEnd();
    }
    return Values.builder()
        .put(MergeFigures.KIND, settings.get(ArmSetting.MERGE).name().toLowerCase(Locale.ROOT))
        .put(MergeFigures.SECONDS, (endNanos - startNanos) / 1e9)
        .put(MergeFigures.ENDED, ended)
        .build();
  }

  private static void begin(Phase phase, List<Meter> meters) throws InterruptedException {
    for (Meter meter : meters) {
      meter.begin(phase);
    }
  }

  private static void end(List<Meter> meters) throws InterruptedException {
    for (Meter meter : meters) {
      meter.end();
    }
  }

  private void warn(Load load, Values measured, Refaults refaults, boolean stopped) {
    warnings.addAll(ArmWarnings.ofInstruments(measured));
    warnings.addAll(ArmWarnings.ofLoad(load, stopped));
    if (!stopped && measured.get(MergeFigures.KIND).isPresent()) {
      warnings.addAll(ArmWarnings.ofTimeout(measured));
      if (settings.get(ArmSetting.MERGE) != MergeWorkload.NONE) {
        refaults.recovery().map(ArmWarnings::ofRecovery).ifPresent(warnings::addAll);
      }
    }
  }

  /** Tells how far the arm is, with the figures of its phase so far. */
  private void report(Load load, Sampler sampler) {
    long nowNanos = timeline.nowNanos();
    Phase phase = timeline.phaseOf(nowNanos);
    LatencySummary reopens = load.reopens().latency().summary(phase);
    listener.progress(
        stage(phase),
        shareDone(phase, nowNanos),
        (reopens.count() == 0
                ? "no reopen yet"
                : String.format(
                    Locale.ROOT,
                    "reopen p50 %.0f, p99 %.0f, max %.0f ms",
                    reopens.p50Millis(),
                    reopens.p99Millis(),
                    reopens.maxMillis()))
            + target.progress()
            + sampler
                .recentDirtyBytes()
                .map(bytes -> "; dirty " + bytes / BYTES_PER_MEGABYTE + " MB")
                .orElse(""));
  }

  private String stage(Phase phase) {
    return switch (phase) {
      case WARMUP -> "warming up";
      case BEFORE -> "before the merge";
      case DURING ->
          settings.get(ArmSetting.MERGE) == MergeWorkload.NONE ? "without a merge" : "merging";
      case AFTER -> "after the merge";
    };
  }

  private OptionalDouble shareDone(Phase phase, long nowNanos) {
    return switch (phase) {
      case WARMUP -> share(nowNanos - timeline.firstNanos(), ArmSetting.WARMUP);
      case BEFORE -> share(nowNanos - timeline.warmupEndNanos(), ArmSetting.BEFORE);
      case DURING ->
          settings.get(ArmSetting.MERGE) == MergeWorkload.NONE
              ? share(nowNanos - timeline.mergeStartNanos(), ArmSetting.DURING)
              : target.mergeShare();
      case AFTER -> share(nowNanos - timeline.mergeEndNanos(), ArmSetting.AFTER);
    };
  }

  private OptionalDouble share(long nanos, Setting<Duration> of) {
    double share = (double) nanos / Math.max(1, settings.get(of).toNanos());
    return OptionalDouble.of(Math.clamp(share, 0, 1));
  }
}
