package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.DeadlineSnapshot;
import io.weir.control.DeadlineSnapshot.Outlook;
import io.weir.fakes.AutoClock;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.run.ArmFigures;
import io.weir.run.MergeFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.RunDirectoryPage;
import io.weir.stress.arm.load.Load;
import io.weir.stress.arm.load.OpenLoop;
import io.weir.stress.arm.load.Schedule;
import io.weir.stress.arm.load.TargetRate;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.setting.LoadRate;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SamplerTest {

  private static final long SECOND = 1_000_000_000;

  @TempDir Path root;

  private final AutoClock clock = new AutoClock();
  private final Timeline timeline = new Timeline(clock, Duration.ofSeconds(1));
  private final OpenLoop searches = loop("searches");
  private final Load load =
      new Load(loop("reopens"), searches, loop("updates"), loop("commits"), null);
  private final MergeMeter meter = new MergeMeter(Procfs.SYSTEM, NanoClock.SYSTEM);
  private final StringWriter out = new StringWriter();

  @Test
  void columns_areThoseOfThePage() throws Exception {
    assertEquals(RunDirectoryPage.columns("series.csv"), List.of(Sampler.COLUMNS));
  }

  @Test
  void sample_nothingCanBeMeasured_leavesCellsEmpty() throws Exception {
    try (Sampler sampler = sampler(Optional.empty())) {
      sampler.sample();
      assertEquals(Values.NONE, sampler.dirty());
      assertEquals(Optional.empty(), sampler.recentDirtyBytes());
    }
    Map<String, String> cells = lines().get(0).toMap();
    Set<String> empty = new TreeSet<>();
    cells.forEach(
        (column, cell) -> {
          if (cell.isEmpty()) {
            empty.add(column);
          }
        });
    assertEquals(
        Set.of(
            "search_max_nanos",
            "dirty_bytes",
            "writeback_bytes",
            "dirty_threshold_bytes",
            "dirty_background_threshold_bytes",
            "dirtied_bytes",
            "written_bytes",
            "refaulted_bytes",
            "merge_charged_bytes",
            "merge_debt_bytes",
            "cap_state",
            "cap_bytes_per_second",
            "paused_nanos",
            "paused_threads",
            "process_read_bytes",
            "process_written_bytes",
            "pressure_some_micros",
            "pressure_full_micros",
            "rss_bytes",
            "process_cpu_nanos",
            "machine_cpu_nanos",
            "goal_limit_nanos",
            "goal_seen_nanos",
            "goal_floor_bytes_per_second",
            "goal_reason",
            "deadline_remaining_nanos"),
        empty);
    assertEquals("-1000000000", cells.get("time_nanos"));
    assertEquals("warmup", cells.get("phase"));
  }

  @Test
  void sample_aLinuxMachine_tellsWhatItsKernelSays() throws Exception {
    try (Sampler sampler = sampler(Optional.empty())) {
      proc("proc/meminfo", "Dirty: 7 kB\nWriteback: 3 kB\n");
      proc("proc/self/io", "read_bytes: 11\nwrite_bytes: 12\n");
      proc(
          "proc/pressure/io",
          "some avg10=0.00 avg60=0.00 avg300=0.00 total=21\n"
              + "full avg10=0.00 avg60=0.00 avg300=0.00 total=20\n");
      proc("proc/self/stat", "7 (java) S 1 7 7 0 -1 4194304 1 0 0 0 90 11 0 0 20 0 30 0 100");
      proc("proc/stat", "cpu  200 0 30 9000 700 1 2 50 0 0\n");
      sampler.sample();
    }
    CSVRecord line = lines().get(0);
    assertEquals("7168", line.get("dirty_bytes"));
    assertEquals("3072", line.get("writeback_bytes"));
    assertEquals("11", line.get("process_read_bytes"));
    assertEquals("12", line.get("process_written_bytes"));
    assertEquals("21", line.get("pressure_some_micros"));
    assertEquals("20", line.get("pressure_full_micros"));
    assertEquals("0", line.get("merge_cpu_nanos"));
    assertEquals("1010000000", line.get("process_cpu_nanos"), "of 10 ms each");
    assertEquals("2330000000", line.get("machine_cpu_nanos"), "neither idle nor stolen");
  }

  /** Its own group is what the arm feels; the machine's counter holds others' pages as well. */
  @Test
  void sample_pagesReadAgain_areThoseOfTheGroup_elseOfTheMachine() throws Exception {
    pageSize();
    proc("proc/vmstat", "workingset_refault_file 9\n");
    try (Sampler sampler = sampler(Optional.empty())) {
      sampler.sample();
    }
    assertEquals(List.of(Long.toString(9 * 4096)), refaultedBytes());
    out.getBuffer().setLength(0);
    proc("proc/self/cgroup", "0::/a\n");
    proc("proc/self/mountinfo", "31 22 0:26 / /cg rw shared:9 - cgroup2 cgroup2 rw\n");
    proc("cg/a/memory.stat", "workingset_refault_file 2\n");
    try (Sampler sampler = sampler(Optional.empty())) {
      sampler.sample();
      Files.delete(root.resolve("cg/a/memory.stat"));
      sampler.sample();
    }
    assertEquals(
        List.of(Long.toString(2 * 4096), ""),
        refaultedBytes(),
        "one counter does not become another");
  }

  @Test
  void sample_aTargetThatMayBeOfAnotherGroup_tellsOfTheMachine() throws Exception {
    pageSize();
    proc("proc/vmstat", "workingset_refault_file 9\n");
    proc("proc/self/cgroup", "0::/a\n");
    proc("proc/self/mountinfo", "31 22 0:26 / /cg rw shared:9 - cgroup2 cgroup2 rw\n");
    proc("cg/a/memory.stat", "workingset_refault_file 2\n");
    Sampler.Source elsewhere =
        new Sampler.Source() {
          @Override
          public void sample(Sampler.Line line) {}

          @Override
          public boolean isOfThisGroup() {
            return false;
          }
        };
    try (Sampler sampler = sampler(elsewhere)) {
      sampler.sample();
    }
    assertEquals(List.of(Long.toString(9 * 4096)), refaultedBytes());
  }

  private List<String> refaultedBytes() throws IOException {
    return lines().stream().map(line -> line.get("refaulted_bytes")).toList();
  }

  @Test
  void refaults_ofSeveralSamples_areTheGrowthInEachPhase() throws Exception {
    pageSize();
    proc("proc/vmstat", "workingset_refault_file 9\n");
    try (Sampler sampler = sampler(Optional.empty())) {
      clock.advanceNanos(SECOND);
      sampler.sample();
      proc("proc/vmstat", "workingset_refault_file 14\n");
      clock.advanceNanos(SECOND);
      sampler.sample();

      assertEquals(
          Values.builder().put(ArmFigures.REFAULTED_BYTES, Phase.BEFORE, 5 * 4096L).build(),
          sampler.refaults().values());
    }
  }

  private void pageSize() throws IOException {
    ByteBuffer auxv = ByteBuffer.allocate(32).order(ByteOrder.nativeOrder());
    auxv.putLong(6).putLong(4096).putLong(0).putLong(0);
    Files.createDirectories(root.resolve("proc/self"));
    Files.write(root.resolve("proc/self/auxv"), auxv.array());
  }

  @Test
  void dirty_ofSeveralSamples_isThePeakOfEachPhaseAndOfAllButTheWarmup() throws Exception {
    try (Sampler sampler = sampler(Optional.empty())) {
      sampleDirty(sampler, 50);
      clock.advanceNanos(1_000_000_000);
      sampleDirty(sampler, 10);
      sampleDirty(sampler, 30);
      sampleDirty(sampler, 20);
      timeline.mergeStarts(0);
      sampleDirty(sampler, 40);

      assertEquals(
          Values.builder()
              .put(ArmFigures.DIRTY_PEAK, 40 * 1024L)
              .put(ArmFigures.DIRTY_PEAK_OF, Phase.BEFORE, 30 * 1024L)
              .put(ArmFigures.DIRTY_PEAK_OF, Phase.DURING, 40 * 1024L)
              .build(),
          sampler.dirty());
      assertEquals(Optional.of(40 * 1024L), sampler.recentDirtyBytes());
    }
  }

  @Test
  void sample_eachKindOfCap_isNamed() throws Exception {
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.perSecond(5_000)));
    budget.acquire(100);
    try (Sampler sampler = sampler(Optional.of(budget))) {
      sampler.sample();
      budget.setRate(Rate.UNLIMITED);
      sampler.sample();
      budget.setRate(Rate.PAUSED);
      sampler.sample();
    }
    List<CSVRecord> lines = lines();
    assertEquals("limited", lines.get(0).get("cap_state"));
    assertEquals("5000", lines.get(0).get("cap_bytes_per_second"));
    assertEquals("unlimited", lines.get(1).get("cap_state"));
    assertEquals("", lines.get(1).get("cap_bytes_per_second"));
    assertEquals("paused", lines.get(2).get("cap_state"));
    assertEquals("", lines.get(2).get("cap_bytes_per_second"));
    assertEquals("100", lines.get(2).get("merge_charged_bytes"));
    assertEquals("0", lines.get(2).get("paused_threads"));
    assertEquals("0", lines.get(0).get("merge_debt_bytes"));
  }

  @Test
  void sample_aSearchFinished_tellsItsLatencyOnce() throws Exception {
    timeline.endAt(0);
    searches.start(1);
    searches.finish();
    try (Sampler sampler = sampler(Optional.empty())) {
      sampler.sample();
      sampler.sample();
    }
    assertEquals("3", lines().get(0).get("searches"));
    assertEquals("0", lines().get(0).get("updates"));
    assertEquals("0", lines().get(0).get("commits"));
    assertEquals("7", lines().get(0).get("search_max_nanos"));
    assertEquals("", lines().get(1).get("search_max_nanos"));
  }

  @Test
  void sample_theJvmItself_isAlwaysThere() throws Exception {
    try (Sampler sampler = sampler(Optional.empty())) {
      sampler.sample();
    }
    assertTrue(Long.parseLong(lines().get(0).get("heap_used_bytes")) > 1_000_000);
    assertTrue(Long.parseLong(lines().get(0).get("gc_millis")) >= 0);
    assertTrue(
        Long.parseLong(lines().get(0).get("heap_committed_bytes"))
            >= Long.parseLong(lines().get(0).get("heap_used_bytes")));
  }

  /** A third of the merge is over at 3 s, and the next sample is that at 4 s. */
  @Test
  void sample_aDeadline_isInTheLineAndInTheResult() throws Exception {
    clock.advanceNanos(SECOND);
    Optional<DeadlineSnapshot> none = Optional.empty();
    Queue<Optional<DeadlineSnapshot>> seen =
        new ArrayDeque<>(List.of(none, predicted(7), predicted(4), none));
    WriterSamples samples = samples(Optional.empty(), seen::remove);
    try (Sampler sampler = sampler(samples)) {
      for (int i = 0; i < 4; i++) {
        sampler.sample();
        clock.advanceNanos(2 * SECOND);
      }
      assertEquals(
          Values.builder()
              .put(MergeFigures.DEADLINE, 10.0)
              .put(MergeFigures.DEADLINE_SPARE, 1.0)
              .put(MergeFigures.DEADLINE_PREDICTED, 4.0)
              .put(MergeFigures.DEADLINE_ACTUAL, 5.0)
              .put(MergeFigures.DEADLINE_OFF, 20.0)
              .build(),
          samples.deadline(Duration.ofSeconds(10), new Timeline.Span(0, 9 * SECOND)));
    }
    assertEquals(
        List.of("", "7000000000", "4000000000", ""),
        lines().stream().map(line -> line.get("deadline_remaining_nanos")).toList());
  }

  private static Optional<DeadlineSnapshot> predicted(long seconds) {
    return Optional.of(
        new DeadlineSnapshot(
            Outlook.ON_TIME,
            OptionalDouble.of(0.5),
            Optional.of(Duration.ofSeconds(seconds)),
            Duration.ofSeconds(10),
            Rate.UNLIMITED));
  }

  private void sampleDirty(Sampler sampler, long kilobytes) throws IOException {
    proc("proc/meminfo", "Dirty: " + kilobytes + " kB\n");
    sampler.sample();
  }

  private void proc(String file, String text) throws IOException {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), text);
  }

  private Sampler sampler(Optional<ByteBudget> budget) throws IOException {
    return sampler(samples(budget, Optional::empty));
  }

  private Sampler sampler(Sampler.Source samples) throws IOException {
    ArmCsv lines = new ArmCsv(out, "a, \"b\"", 2, Sampler.COLUMNS);
    return new Sampler(timeline, Optional.of(new Procfs(root)), load, samples, lines);
  }

  private WriterSamples samples(
      Optional<ByteBudget> budget, Supplier<Optional<DeadlineSnapshot>> deadline) {
    MergeCounters merges =
        new MergeCounters(
            meter,
            budget.map(
                weir ->
                    new MergeCounters.Throttle(
                        weir, new RateLimitedMergeScheduler(weir), new CapWatch())));
    return new WriterSamples(new Procfs(root), merges, Optional.empty(), deadline);
  }

  /** Due at -0.75, -0.5, -0.25 s; each takes 7 ns. */
  private OpenLoop loop(String name) {
    return new OpenLoop(
        TargetRate.perSecond(name, LoadRate.steady(4)),
        Schedule.even(TargetRate.perSecond(name, LoadRate.steady(4)), timeline.firstNanos()),
        timeline,
        (due, started) -> clock.advanceNanos(7));
  }

  private List<CSVRecord> lines() throws IOException {
    CSVFormat format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
    try (CSVParser parser = CSVParser.parse(new StringReader(out.toString()), format)) {
      List<CSVRecord> lines = parser.getRecords();
      lines.forEach(line -> assertEquals("a, \"b\"", line.get("arm")));
      lines.forEach(line -> assertEquals("2", line.get("round")));
      return lines;
    }
  }
}
