package io.weir.stress.arm;

import io.weir.corpus.DocumentSource;
import io.weir.procfs.Procfs;
import io.weir.stress.plan.ArmSettings;
import io.weir.stress.plan.Documents;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.GcResult;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.NoiseResult;
import io.weir.stress.result.Phases;
import io.weir.stress.result.ResidentKeysResult;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunWarning;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

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

  private static final int SEARCH_TERMS = 2000;

  /**
   * What to run and where.
   *
   * @param index the arm's own copy, which it may spoil
   * @param documentCount how many documents that holds
   * @param out the run directory, for histogram logs
   * @param slowReopenOver from when on it is told why a reopen was slow
   * @param checkIndex whether to commit in the end, and to check the whole index
   */
  public record Setup(
      String name,
      int round,
      ArmSettings settings,
      Documents documents,
      Path index,
      long documentCount,
      Path out,
      Duration slowReopenOver,
      boolean checkIndex,
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
  private final WritePath path;
  private long indexBytes;
  private volatile boolean stopped;
  private volatile Timeline timeline;

  /** An arm that is not running yet. */
  public ArmRun(Setup setup, NanoClock clock, ArmListener listener) {
    this.setup = setup;
    this.settings = setup.settings();
    this.clock = clock;
    this.listener = listener;
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
    List<Term> terms = drawTerms();
    ArmResult result;
    try (GcMeter gc = new GcMeter(clock, setup.outputs().flightRecords());
        ArmIndex index = new ArmIndex(setup.index(), settings, path)) {
      timeline = new Timeline(clock, settings.warmup());
      if (stopped) {
        timeline.stop();
      }
      LargeMerge merge = new LargeMerge(index.writer(), index.policy(), clock, settings, timeline);
      try {
        result = underLoad(index, merge, terms, gc);
        if (setup.checkIndex()) {
          index.writer().commit();
        }
      } finally {
        index.rollback(); // also ends a merge that still runs
        merge.awaitEnd();
      }
    }
    if (!setup.checkIndex()) {
      return result;
    }
    listener.progress("checking the index", null, "");
    return result.withIndexCheck(IndexCheck.of(setup.index(), clock));
  }

  private List<Term> drawTerms() throws IOException {
    try (Directory directory = FSDirectory.open(setup.index());
        DirectoryReader reader = DirectoryReader.open(directory)) {
      for (String file : directory.listAll()) {
        indexBytes += directory.fileLength(file);
      }
      return SearchTerms.draw(reader, SEARCH_TERMS, setup.documents().seed());
    }
  }

  private ArmResult underLoad(ArmIndex index, LargeMerge merge, List<Term> terms, GcMeter gc)
      throws Exception {
    IndexWriter writer = index.writer();
    long seed = setup.documents().seed();
    DocumentSource source = DocumentSource.parse(setup.documents().source(), seed);
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
            new Updater(writer, settings.mode(), source, seed, setup.documentCount())) {
      Load load = Load.of(settings, timeline, writer, reopener, updater, terms, seed);
      try (Sampler sampler =
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
        gc.begin(timeline, setup, lines(setup.outputs().gc()));
        return measure(merge, load, reopener, sampler, gc, reopenLog, searchLog);
      }
    }
  }

  private ArmResult measure(
      LargeMerge merge,
      Load load,
      Reopener reopener,
      Sampler sampler,
      GcMeter gc,
      Watch.HistogramLog reopenLog,
      Watch.HistogramLog searchLog)
      throws Exception {
    MergeResult mergeResult;
    NoiseResult noise;
    try (NoiseMeter noiseMeter = new NoiseMeter(Procfs.SYSTEM, clock, timeline)) {
      ArmProgress progress =
          new ArmProgress(settings, timeline, path, load, sampler, indexBytes, listener);
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
        mergeResult = runPhases(merge);
      } finally {
        timeline.endAt(timeline.nowNanos());
        load.finish();
        watch.finish();
      }
      noise = noiseMeter.result();
    }
    load.throwFailure();
    if (merge.failure() != null) {
      throw new IOException("the large merge failed: " + merge.failure(), merge.failure());
    }
    GcResult gcResult = gc.end(stopped);
    ResidentKeysResult residentKeys = path.residentKeys();
    Phases<Double> seconds = timeline.phaseSeconds();
    List<RunWarning> warnings =
        ArmWarnings.of(mergeResult, load.loops(), path.capTrouble(), residentKeys, stopped);
    gc.warning().ifPresent(warnings::add);
    return new ArmResult(
        setup.name(),
        setup.round(),
        stopped ? ArmStatus.INTERRUPTED : ArmStatus.DONE,
        described(),
        seconds,
        mergeResult,
        Phases.each(load.reopens().latency()::summary),
        Phases.each(load.reopens().service()::summary),
        load.searches().result(seconds),
        load.updates().result(seconds),
        load.commits().result(seconds),
        reopener.slowReopens(),
        sampler.dirty(),
        gcResult,
        noise,
        residentKeys,
        null,
        null,
        warnings);
  }

  /** Before, during, after; null when the arm ended before the merge began. */
  private MergeResult runPhases(LargeMerge merge) throws InterruptedException {
    if (!timeline.awaitDue(settings.before().toNanos())) {
      return null;
    }
    MergeWindow window = new MergeWindow(path, clock);
    long startNanos = timeline.nowNanos();
    timeline.mergeStarts(startNanos);
    boolean ended = merge.run(startNanos);
    long endNanos = timeline.nowNanos();
    if (ended) {
      timeline.mergeEnded(endNanos); // at once: what is due from now on is after the merge
    }
    String kind = settings.merge().name().toLowerCase(Locale.ROOT);
    MergeResult result = window.until(kind, (endNanos - startNanos) / 1e9);
    if (ended) {
      timeline.endAt(endNanos + settings.after().toNanos());
      timeline.awaitEnd();
    }
    return result;
  }

  /** The settings, with the JVM as it really is. */
  private Map<String, String> described() {
    Map<String, String> described = new LinkedHashMap<>(settings.describe());
    described.put("java", Runtime.version().toString());
    described.put(
        "jvm-args", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
    return described;
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
