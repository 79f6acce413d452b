package io.weir.report;

import io.weir.merge.MergeKind;
import io.weir.run.ArmFigures;
import io.weir.run.Failure;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import io.weir.run.RunWarning;
import io.weir.run.SloResult;
import io.weir.run.SlowCauses;
import io.weir.run.SweepResult;
import io.weir.run.Values;
import io.weir.run.Work;
import io.weir.stress.QuickMerge;
import io.weir.stress.QuickResult;
import io.weir.stress.QuickRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Makes run directories that look like real ones, the same bytes every time: an arm without a cap
 * whose dirty pages are a saw-tooth and whose reopens are slow where it falls, and capped ones.
 * Results and CSV files agree, because the results are computed from the rows.
 */
public final class SampleRun {
  private static final double BEFORE_SECONDS = 20;
  private static final double AFTER_SECONDS = 20;
  private static final long MERGE_BYTES = 740_000_000L;
  private static final String SERIES_HEADER =
      "arm,round,phase,time_nanos,searches,updates,search_max_nanos,dirty_bytes,writeback_bytes,"
          + "dirty_threshold_bytes,dirty_background_threshold_bytes,dirtied_bytes,written_bytes,"
          + "merge_written_bytes,merge_charged_bytes,merges_running,cap_state,"
          + "cap_bytes_per_second,paused_nanos,paused_threads,process_read_bytes,"
          + "process_written_bytes,refaulted_bytes,pressure_some_micros,pressure_full_micros,heap_used_bytes,"
          + "rss_bytes,gc_count,gc_millis,merge_cpu_nanos,process_cpu_nanos,machine_cpu_nanos,"
          + "heap_committed_bytes\n";

  private static final List<String> CAUSES =
      List.of("unmap", "unmap", "deletes_terms", "file_write", "merge_wait");

  private final StringBuilder slowReopens =
      new StringBuilder(
          "arm,round,phase,intended_nanos,finished_nanos,latency_nanos,total_nanos,reopen_phase,"
              + "cause,share,causes,samples,samples_expected,dirty_bytes,io_pressure,merges\n");
  private final StringBuilder reopens =
      new StringBuilder(
          "arm,round,phase,intended_nanos,started_nanos,visible_nanos,finished_nanos,result,"
              + "flush_nanos,apply_deletes_nanos,open_readers_nanos,merge_wait_nanos,warm_nanos,"
              + "release_nanos\n");
  private final StringBuilder series = new StringBuilder(SERIES_HEADER);
  private final Map<String, SampleLog> logs = new TreeMap<>();
  private final List<Part> arms = new ArrayList<>();
  private final List<RunWarning> warnings = new ArrayList<>();
  private final List<SloResult> slos = new ArrayList<>();
  private Optional<SweepResult> sweep = Optional.empty();
  private final StringBuilder gc =
      new StringBuilder("arm,round,phase,start_nanos,duration_nanos,collector,name,cause\n");
  private final Map<String, Values> gcPauses = new TreeMap<>();
  private boolean pressureMeasured = true;
  private boolean pausesTold;
  private boolean refaultsTold;
  private boolean processorsTold;
  private int commitsPerMinute;
  private Values more = Values.NONE;

  /** The usual pair: {@code uncapped} and {@code cap=10MB/s}. */
  public static RunFiles pair(Path directory) throws IOException {
    return new SampleRun()
        .gcPauses()
        .arm("uncapped", 1, 0)
        .arm("cap=10MB/s", 1, 10)
        .write(directory);
  }

  /** From here on the kernel tells nothing of pressure. */
  public SampleRun withoutPressure() {
    pressureMeasured = false;
    return this;
  }

  /** From here on the kernel tells what was evicted and read again: a third of what is merged. */
  public SampleRun refaults() {
    refaultsTold = true;
    return this;
  }

  /**
   * From here on the kernel tells who has the processors: half a core the merges, one the rest of
   * the JVM, a quarter other processes.
   */
  public SampleRun processors() {
    processorsTold = true;
    return this;
  }

  /** From here on arms tell the pauses of their collector; two a second, of those without a cap. */
  public SampleRun gcPauses() {
    pausesTold = true;
    return this;
  }

  /** From here on arms commit; 0 for none again. */
  public SampleRun commitsPerMinute(int times) {
    commitsPerMinute = times;
    return this;
  }

  /** From here on arms measure this as well. */
  public SampleRun more(Values values) {
    more = values;
    return this;
  }

  /** Adds a warning about the whole run. */
  public SampleRun warning(String what, String cause, String remedy) {
    warnings.add(new RunWarning(what, cause, remedy));
    return this;
  }

  /** Adds an objective that an arm kept to or missed. */
  public SampleRun slo(SloResult slo) {
    slos.add(slo);
    return this;
  }

  /** Makes it a sweep. */
  public SampleRun sweep(SweepResult result) {
    sweep = Optional.of(result);
    return this;
  }

  /** Adds an arm whose JVM ended before it measured anything. */
  public SampleRun failedArm(String name, int round, String reason, String... lastLines) {
    arms.add(
        Part.failed(
            Part.Kind.ARM,
            name,
            round,
            Map.of("preset", "weir"),
            Values.NONE,
            new Failure(reason, Optional.of(1), List.of(lastLines))));
    return this;
  }

  /**
   * Adds an arm with all its rows.
   *
   * @param capMegabytesPerSecond 0 for stock Lucene, with nothing of Weir in the path
   */
  public SampleRun arm(String name, int round, int capMegabytesPerSecond) {
    Random random = new Random(name.hashCode() * 31L + round);
    boolean capped = capMegabytesPerSecond > 0;
    double mergeSeconds = MERGE_BYTES / 1e6 / (capped ? capMegabytesPerSecond : 24);
    double end = BEFORE_SECONDS + mergeSeconds + AFTER_SECONDS;
    Map<Phase, List<Double>> latencies = new TreeMap<>();
    for (int i = 0; i < end * 4; i++) {
      double intended = i * 0.25;
      Phase phase = phase(intended, mergeSeconds);
      double millis = reopenMillis(intended, phase, capped, random);
      latencies.computeIfAbsent(phase, p -> new ArrayList<>()).add(millis);
      boolean failed = !capped && i == 150;
      long from = Math.round(intended * 1e9);
      long to = from + Math.round(millis * 1e6);
      reopens.append(
          "%s,%d,%s,%d,%d,%s,%d,%s,%d,%d,%d,%d,%d,%d\n"
              .formatted(
                  quoted(name),
                  round,
                  phase.label(),
                  from,
                  from + 40_000,
                  failed ? "" : Long.toString(to - 300_000),
                  to,
                  failed ? "failed" : "changed",
                  (to - from) * 30 / 100,
                  (to - from) * 25 / 100,
                  (to - from) * 10 / 100,
                  (to - from) * 8 / 100,
                  (to - from) * 2 / 100,
                  250_000));
      logOf(name, round).record(phase, to - from);
      if (!capped && millis > 50) {
        slowReopens.append(
            "%s,%d,%s,%d,%d,%d,%d,flush,%s,0.71,x=0.71 not_sampled=0.29,20,20,1000000,0.50,_7\n"
                .formatted(
                    quoted(name),
                    round,
                    phase.label(),
                    from,
                    to,
                    to - from,
                    to - from,
                    CAUSES.get(i % CAUSES.size())));
      }
    }
    if (pausesTold) {
      pauses(name, round, capped, mergeSeconds);
    }
    Values dirty = samples(name, round, capMegabytesPerSecond, mergeSeconds, random);
    arms.add(result(name, round, capMegabytesPerSecond, mergeSeconds, latencies, dirty));
    return this;
  }

  /** Writes {@code run.json} and the CSV files into {@code directory}. */
  public RunFiles write(Path directory) throws IOException {
    RunFiles files = new RunFiles(directory);
    files.write(result());
    Files.writeString(files.reopensCsv(), reopens);
    Files.writeString(files.seriesCsv(), series);
    Files.writeString(files.slowReopensCsv(), slowReopens);
    if (pausesTold) {
      Files.writeString(files.gcCsv(), gc);
    }
    for (Part arm : arms) {
      Optional<SampleLog> log = Optional.ofNullable(logs.get(arm.name() + "/" + arm.round()));
      if (log.isPresent()) {
        log.get().write(files.reopensHistogramLog(arm.name(), arm.round()));
        log.get().write(files.searchesHistogramLog(arm.name(), arm.round()));
      }
    }
    return files;
  }

  private SampleLog logOf(String name, int round) {
    return logs.computeIfAbsent(name + "/" + round, unused -> new SampleLog());
  }

  /** What {@code run.json} will hold. */
  public Run result() {
    QuickRun run = new QuickRun();
    run.command =
        List.of("stress", "--arm", "uncapped: preset=stock", "--arm", "cap=10MB/s: cap=10MB/s");
    run.startedAt = Instant.parse("2026-11-20T10:00:00Z");
    run.finishedAt = Instant.parse("2026-11-20T10:03:25Z");
    run.environment =
        RunJson.tree(
            Map.of(
                "cpu", Map.of("model", "Example 9000", "physicalCores", 4, "logicalCores", 8),
                "memoryBytes", 16_700_000_000L,
                "kernel", "6.1.0-18-amd64",
                "os", Map.of("name", "Debian GNU/Linux", "version", "12"),
                "jvm", Map.of("version", "25.0.1", "name", "OpenJDK", "flags", List.of("-Xmx1g")),
                "storage", Map.of("fileSystemType", "ext4", "diskModel", "Spinner 7200")));
    run.workload =
        new TreeMap<>(
            Map.of(
                "docs", "synthetic:500000",
                "updates-per-second", "50",
                "reopens-per-second", "4",
                "searches-per-second", "100",
                "merge", "forced"));
    run.warnings = warnings;
    run.slos = slos;
    run.sweep = sweep;
    run.kind = sweep.isPresent() ? Run.Kind.SWEEP : Run.Kind.STRESS;
    return run.result(arms);
  }

  private Part result(
      String name,
      int round,
      int cap,
      double mergeSeconds,
      Map<Phase, List<Double>> latencies,
      Values dirty) {
    LatencySummary search = new LatencySummary(2000, 3.1, 2.4, 5.2, cap > 0 ? 14 : 96, 240);
    QuickResult arm = new QuickResult();
    arm.settings =
        new TreeMap<>(
            cap > 0
                ? Map.of("preset", "weir", "cap", cap + "MB/s", "close", "deferred")
                : Map.of("preset", "stock"));
    for (Phase phase : Phase.MEASURED) {
      LatencySummary reopen = summary(latencies.get(phase));
      arm.values
          .put(
              ArmFigures.PHASE_SECONDS,
              phase,
              switch (phase) {
                case DURING -> mergeSeconds;
                case AFTER -> AFTER_SECONDS;
                default -> BEFORE_SECONDS;
              })
          .put(ArmFigures.REOPEN, phase, reopen)
          .put(ArmFigures.REOPEN_SERVICE, phase, reopen);
      add(arm, ArmFigures.SEARCH, phase, 100, cap > 0 ? 100 : 97.3, search);
      add(arm, ArmFigures.UPDATE, phase, 50, 50, search);
      if (commitsPerMinute > 0) {
        addCommits(arm, phase, mergeSeconds);
      }
    }
    Values.Builder merge = QuickMerge.of(MERGE_BYTES).put(MergeFigures.SECONDS, mergeSeconds);
    if (cap > 0) {
      merge
          .put(MergeFigures.BYTES_CHARGED, MERGE_BYTES)
          .put(MergeFigures.PAUSED_SECONDS, mergeSeconds * 0.6)
          .put(MergeFigures.CAP_LIFTS, 0L)
          .put(MergeFigures.BYTES_FORGIVEN, 0L)
          .put(commitsPerMinute > 0 ? pauses(mergeSeconds) : Values.NONE);
    } else {
      addSlowReopens(arm);
    }
    arm.values
        .put(merge.build())
        .put(dirty)
        .put(ArmFigures.GC_COLLECTIONS, 14L)
        .put(ArmFigures.GC_SECONDS, 0.21)
        .put(gcPauses.getOrDefault(name + round, Values.NONE))
        .put(more);
    return arm.result(name, round);
  }

  private static void add(
      QuickResult arm, Work work, Phase phase, double asked, double achieved, LatencySummary took) {
    arm.values
        .put(work.asked(), phase, asked)
        .put(work.achieved(), phase, achieved)
        .put(work.latency(), phase, took)
        .put(work.service(), phase, took);
  }

  private static void addSlowReopens(QuickResult arm) {
    arm.values
        .put(ArmFigures.SLOW_REOPENS, Phase.DURING, 37L)
        .put(ArmFigures.SLOW_REOPENS, Phase.AFTER, 1L)
        .put(ArmFigures.SLOW_LOST, Phase.DURING, 8.0)
        .put(ArmFigures.SLOW_LOST, Phase.AFTER, 0.06)
        .put(
            ArmFigures.SLOW_CAUSES,
            Phase.DURING,
            new SlowCauses(
                List.of(
                    new SlowCauses.Cause("unmap", "unmapping files", 4.0, 0.5, 20),
                    new SlowCauses.Cause("deletes_terms", "deletes: terms lookup", 2.0, 0.25, 30),
                    new SlowCauses.Cause("merge_wait", "full-flush merge wait", 1.0, 0.125, 9),
                    new SlowCauses.Cause("file_write", "writing a file", 0.4, 0.05, 4),
                    new SlowCauses.Cause("not_sampled", "not sampled", 0.36, 0.045, 37),
                    new SlowCauses.Cause("file_map", "mapping a file", 0.16, 0.02, 2),
                    new SlowCauses.Cause("unknown", "unknown", 0.08, 0.01, 1))))
        .put(
            ArmFigures.SLOW_CAUSES,
            Phase.AFTER,
            new SlowCauses(List.of(new SlowCauses.Cause("unmap", "unmapping files", 0.06, 1, 1))));
  }

  private static Values pauses(double mergeSeconds) {
    Values.Builder values = Values.builder();
    for (MergeKind kind : MergeKind.values()) {
      boolean forced = kind == MergeKind.FORCED;
      boolean critical = kind == MergeKind.CRITICAL;
      values
          .put(MergeFigures.MERGES, kind, forced ? 1L : critical ? 37L : 0L)
          .put(MergeFigures.PAUSES, kind, forced ? 20_000L : 0L)
          .put(MergeFigures.PAUSED_SECONDS_OF, kind, forced ? mergeSeconds * 0.6 : 0.0)
          .put(MergeFigures.BYTES_OF, kind, forced ? 738_000_000L : critical ? 2_000_000L : 0L);
    }
    return values.build();
  }

  private void addCommits(QuickResult arm, Phase phase, double mergeSeconds) {
    double seconds = phase == Phase.DURING ? mergeSeconds : BEFORE_SECONDS;
    long count = Math.round(seconds * commitsPerMinute / 60);
    LatencySummary latency =
        phase == Phase.DURING
            ? new LatencySummary(count, 310.4, 122.3, 961, 1240.5, 1240.5)
            : new LatencySummary(count, 48.2, 41, 79.5, 88.1, 88.1);
    add(arm, ArmFigures.COMMIT, phase, commitsPerMinute / 60.0, count / seconds, latency);
  }

  private Values samples(String name, int round, int cap, double mergeSeconds, Random random) {
    double end = BEFORE_SECONDS + mergeSeconds + AFTER_SECONDS;
    long peak = 0;
    double searches = 0;
    double merged = 0;
    double pausedNanos = 0;
    double pressureMicros = 0;
    long heap = 120_000_000L;
    long collections = 0;
    double dirty = 20e6;
    double written = 0;
    for (int i = 0; i <= end * 10; i++) {
      double at = i / 10.0;
      Phase phase = phase(at, mergeSeconds);
      boolean merging = phase == Phase.DURING;
      boolean flushing = flushes(at, cap > 0);
      double mergeStep =
          merging ? Math.min(MERGE_BYTES - merged, MERGE_BYTES / mergeSeconds / 10) : 0;
      merged += mergeStep * (cap > 0 || !merging ? 1 : 0.4 + 1.2 * random.nextDouble());
      merged = Math.min(merged, MERGE_BYTES);
      dirty += mergeStep + 4e5 * random.nextDouble();
      double drained = flushing ? Math.min(dirty - 8e6, (cap > 0 ? 5e6 : 28e6)) : 0;
      dirty -= drained;
      written += drained;
      peak = Math.max(peak, Math.round(dirty));
      searches += 10 * (flushing && cap == 0 && merging ? 0.7 : 1) + random.nextInt(2) - 0.5;
      pausedNanos += merging && cap > 0 ? 6e7 + 2e7 * random.nextDouble() : 0;
      pressureMicros += 1e5 * (flushing ? 0.7 : merging ? 0.25 : 0.02) * random.nextDouble();
      heap += 1_500_000L + random.nextInt(900_000);
      if (heap > 330_000_000L) {
        heap = 110_000_000L + random.nextInt(20_000_000);
        collections++;
      }
      double slowestMillis = (flushing && cap == 0 ? 60 : 4) * (0.6 + random.nextDouble());
      Object[] cells = {
        quoted(name),
        round,
        phase.label(),
        Math.round(at * 1e9),
        Math.round(searches),
        Math.round(at * 50),
        Math.round(slowestMillis * 1e6),
        Math.round(dirty),
        Math.round(drained * 0.6),
        3_300_000_000L,
        1_650_000_000L,
        Math.round(written + dirty),
        Math.round(written),
        Math.round(merged),
        cap > 0 ? Math.round(merged) : "",
        merging ? 1 : 0,
        cap > 0 ? "limited" : "",
        cap > 0 ? cap * 1_000_000L : "",
        cap > 0 ? Math.round(pausedNanos) : "",
        cap > 0 ? (merging ? 1 : 0) : "",
        Math.round(merged * 1.2),
        Math.round(merged * 1.1),
        refaultsTold ? Math.round(merged * 0.3) : "",
        pressureMeasured ? Math.round(pressureMicros) : "",
        pressureMeasured ? Math.round(pressureMicros * 0.4) : "",
        heap,
        heap + 200_000_000L,
        collections,
        collections * 15,
        processorsTold ? cpuNanos(at, 0.5) : "",
        processorsTold ? cpuNanos(at, 1.5) : "",
        processorsTold ? cpuNanos(at, 1.75) : "",
        400_000_000L
      };
      series.append(row(cells));
    }
    return Values.builder()
        .put(ArmFigures.DIRTY_PEAK, peak)
        .put(ArmFigures.DIRTY_PEAK_OF, Phase.DURING, peak)
        .build();
  }

  private static long cpuNanos(double seconds, double cores) {
    return Math.round(seconds * cores * 1e9);
  }

  private void pauses(String name, int round, boolean capped, double mergeSeconds) {
    double end = BEFORE_SECONDS + mergeSeconds + AFTER_SECONDS;
    double perSecond = capped ? 0.5 : 2;
    Map<Phase, List<Double>> millis = new TreeMap<>();
    for (int i = 0; i < (end - 1) * perSecond; i++) {
      double at = i / perSecond + 0.1;
      double took = capped ? 0.02 + 0.003 * (i % 7) : 4 + 3 * (i % 5);
      Phase phase = phase(at, mergeSeconds);
      millis.computeIfAbsent(phase, p -> new ArrayList<>()).add(took);
      Object[] cells = {
        quoted(name),
        round,
        phase.label(),
        Math.round(at * 1e9),
        Math.round(took * 1e6),
        capped ? "ZGC Minor" : "G1New",
        capped ? "Pause Mark End" : "GC Pause",
        capped ? "Allocation Rate" : "G1 Evacuation Pause"
      };
      gc.append(row(cells));
    }
    Values.Builder values = Values.builder();
    for (Phase phase : Phase.MEASURED) {
      DoubleSummaryStatistics all =
          millis.get(phase).stream().mapToDouble(Double::doubleValue).summaryStatistics();
      values
          .put(ArmFigures.GC_PAUSES, phase, all.getCount())
          .put(ArmFigures.GC_PAUSED, phase, all.getSum())
          .put(ArmFigures.GC_LONGEST, phase, all.getMax());
    }
    gcPauses.put(name + round, values.build());
  }

  private static String row(Object[] cells) {
    StringBuilder line = new StringBuilder();
    for (Object cell : cells) {
      line.append(line.isEmpty() ? "" : ",").append(cell);
    }
    return line.append('\n').toString();
  }

  private static double reopenMillis(double at, Phase phase, boolean capped, Random random) {
    double usual = Math.exp(1.6 + 0.5 * random.nextGaussian());
    if (phase == Phase.BEFORE) {
      return usual;
    }
    if (capped) {
      return usual + (random.nextInt(12) == 0 ? 10 + 25 * random.nextDouble() : 3);
    }
    return flushes(at, false) ? usual + 250 + 800 * random.nextDouble() : usual * 2;
  }

  private static boolean flushes(double at, boolean capped) {
    double period = capped ? 10 : 15;
    return at > BEFORE_SECONDS && (at - BEFORE_SECONDS) % period > period - 2.5;
  }

  private static Phase phase(double at, double mergeSeconds) {
    if (at < BEFORE_SECONDS) {
      return Phase.BEFORE;
    }
    return at < BEFORE_SECONDS + mergeSeconds ? Phase.DURING : Phase.AFTER;
  }

  private static LatencySummary summary(List<Double> millis) {
    List<Double> sorted = millis.stream().sorted().toList();
    int count = sorted.size();
    return new LatencySummary(
        count,
        sorted.stream().mapToDouble(Double::doubleValue).average().orElseThrow(),
        sorted.get((int) Math.ceil(count * 0.50) - 1),
        sorted.get((int) Math.ceil(count * 0.90) - 1),
        sorted.get((int) Math.ceil(count * 0.99) - 1),
        sorted.get(count - 1));
  }

  private static String quoted(String name) {
    return String.format(Locale.ROOT, "\"%s\"", name.replace("\"", "\"\""));
  }
}
