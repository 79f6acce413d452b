package io.weir.stress.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.control.LatencyTarget;
import io.weir.control.Percentile;
import io.weir.merge.MergeKind;
import io.weir.rate.Rate;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunWarning;
import io.weir.run.SlowCauses;
import io.weir.run.Status;
import io.weir.store.KernelPageCache;
import io.weir.stress.BusyMachine;
import io.weir.stress.QuickArm;
import io.weir.stress.SmallIndex;
import io.weir.stress.arm.load.Schedule;
import io.weir.stress.arm.load.TargetRate;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.CacheState;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.DirectoryKind;
import io.weir.stress.setting.LoadRate;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.UpdateMode;
import io.weir.suite.Slow;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole arms, short ones, on a real index of 2000 documents. */
@Slow("runs whole arms for a given time")
class LuceneArmTest {

  private static final int DOCUMENTS = 2000;

  @TempDir static Path shared;
  private static Path index;
  private static Path queries;

  @TempDir Path out;

  private final QuickArm arm = new QuickArm();
  private Path arms = index;
  private boolean checkIndex;
  private boolean strict;

  @BeforeAll
  static void build() throws Exception {
    index = SmallIndex.build(shared.resolve("index"), DOCUMENTS);
    queries = SmallIndex.queries(index, shared.resolve("queries.txt"));
  }

  @Test
  void run_unlimited_isWholeAndChargesWhatIsWritten() throws Exception {
    Part result = run();

    assertWhole(result);
    assertEquals("forced", result.require(MergeFigures.KIND));
    assertTrue(result.require(MergeFigures.BYTES_WRITTEN) > 500_000, result.toString());
    assertEquals(
        result.require(MergeFigures.BYTES_WRITTEN), result.require(MergeFigures.BYTES_CHARGED));
    assertEquals(0, result.require(MergeFigures.PAUSED_SECONDS));
    assertEquals(Optional.empty(), result.get(ArmFigures.COMMIT.asked(), Phase.BEFORE));
    assertEquals(Set.of("0"), column("series.csv", 6), "commits");
  }

  /** Each range that was filled was started, and no byte twice. */
  @Test
  void run_writebackInSmallRanges_startsAllButTheTails() throws Exception {
    arm.set(ArmSetting.WRITEBACK, OptionalLong.of(64 << 10));
    arm.set(ArmSetting.UPDATES_PER_SECOND, LoadRate.NONE);

    Part merge = run();

    String reason = merge.require(MergeFigures.WRITEBACK_REASON);
    assertEquals(0, merge.require(MergeFigures.WRITEBACK_FAULTS));
    assumeTrue(merge.require(MergeFigures.WRITEBACK_METHOD).equals("sync_file_range"), reason);
    long started = merge.require(MergeFigures.WRITEBACK_BYTES);
    double waited = merge.require(MergeFigures.WRITEBACK_WAITED);
    assertEquals(
        merge.require(MergeFigures.BYTES_WRITTEN), merge.require(MergeFigures.BYTES_CHARGED));
    assertTrue(started > merge.require(MergeFigures.BYTES_WRITTEN) / 2, merge.toString());
    assertTrue(started <= merge.require(MergeFigures.BYTES_WRITTEN), merge.toString());
    assertTrue(
        merge.require(MergeFigures.WRITEBACK_RANGES)
            >= merge.require(MergeFigures.BYTES_WRITTEN) / 2 / (64 << 10),
        merge.toString());
    assertTrue(waited > 0 && waited < merge.require(MergeFigures.SECONDS), merge.toString());
  }

  @Test
  void run_stock_tellsThePhasesOfReopensAsWell() throws Exception {
    arm.set(ArmSetting.PRESET, Preset.STOCK);

    Part merge = run();

    assertEquals(Optional.empty(), merge.get(MergeFigures.WRITEBACK_METHOD));
    List<String[]> changed =
        lines("reopens.csv").stream().filter(cells -> cells[7].equals("changed")).toList();
    assertFalse(changed.isEmpty());
    for (String[] cells : changed) {
      long sum = Arrays.stream(cells).skip(8).mapToLong(Long::parseLong).sum();
      long wholeNanos = Long.parseLong(cells[6]) - Long.parseLong(cells[4]);
      assertTrue(sum > 0 && sum <= wholeNanos, String.join(",", cells));
    }
  }

  /** Each line is of a reopen that was slow, and the causes make up its time. */
  @Test
  void run_slowReopens_areToldWithTheirCauses() throws Exception {
    Part slow = run();

    assertEquals(1, slow.require(ArmFigures.SLOW_THRESHOLD));
    List<String[]> told = lines("slow-reopens.csv");
    for (Phase phase : Phase.MEASURED) {
      List<String[]> lines = told.stream().filter(cells -> cells[2].equals(phase.label())).toList();
      assertEquals(lines.size(), slow.require(ArmFigures.SLOW_REOPENS, phase), phase.label());
      double lost = lines.stream().mapToLong(cells -> Long.parseLong(cells[6])).sum() / 1e9;
      assertEquals(lost, slow.require(ArmFigures.SLOW_LOST, phase), 1e-6);
      assertEquals(
          lost,
          slow.require(ArmFigures.SLOW_CAUSES, phase).list().stream()
              .mapToDouble(SlowCauses.Cause::seconds)
              .sum(),
          1e-4);
    }
    assertFalse(told.isEmpty(), "no reopen took 1 ms");
    // The lines of reopens are timed around the monitor's call, so as long or longer.
    Map<String, Long> wholeNanos = new HashMap<>();
    for (String[] cells : lines("reopens.csv")) {
      wholeNanos.put(cells[3], Long.parseLong(cells[6]) - Long.parseLong(cells[4]));
    }
    for (String[] cells : told) {
      long totalNanos = Long.parseLong(cells[6]);
      assertTrue(
          totalNanos >= 1_000_000 && totalNanos <= wholeNanos.getOrDefault(cells[3], 0L),
          String.join(",", cells));
    }
    assertTrue(Files.readString(out.resolve("slow-reopens.txt")).contains("    at org.apache."));
  }

  @Test
  void run_capped_takesAsLongAsTheCapAllows() throws Exception {
    long cap = 1_000_000; // also a busy machine merges faster
    arm.set(ArmSetting.CAP, Rate.perSecond(cap));
    arm.set(ArmSetting.UPDATES_PER_SECOND, LoadRate.steady(10.0)); // or it is lifted

    Part result = run();

    assertWhole(result);
    assertEquals(
        result.require(MergeFigures.BYTES_WRITTEN), result.require(MergeFigures.BYTES_CHARGED));
    double leastSeconds = (result.require(MergeFigures.BYTES_WRITTEN) - 0.05 * cap) / cap;
    assertTrue(result.require(MergeFigures.SECONDS) >= leastSeconds, result.toString());
    assertTrue(result.require(MergeFigures.PAUSED_SECONDS) > 0, result.toString());
  }

  @Test
  void run_held_hasTheGoalInItsSeries_andTheMergeAtItsRate() throws Exception {
    arm.set(
        ArmSetting.HOLD,
        Optional.of(new LatencyTarget("search", Percentile.P99, Duration.ofMillis(1))));
    arm.set(ArmSetting.CAP, Rate.perSecond(5_000_000));

    run();

    int limit = List.of(Sampler.COLUMNS).indexOf("goal_limit_nanos");
    assertTrue(column("series.csv", limit).contains("1000000"), "limit");
    assertTrue(column("series.csv", limit + 1).size() > 1, "what it saw");
    assertTrue(column("series.csv", limit + 2).contains("1000000"), "floor");
    assertTrue(
        column("series.csv", limit + 3).stream()
            .anyMatch(
                Set.of("missed", "missed-at-floor", "drained", "settling", "watching", "near")
                    ::contains),
        () -> "why");
  }

  @Test
  void run_deadline_spreadsTheMerge() throws Exception {
    arm.set(ArmSetting.DEADLINE, Optional.of(Duration.ofSeconds(3)));

    Part result = run();

    assertWhole(result);
    assertTrue(result.require(MergeFigures.SECONDS) > 1.2, result.toString());
    assertEquals(3, result.require(MergeFigures.DEADLINE));
    assertEquals(
        3,
        result.require(MergeFigures.SECONDS) + result.require(MergeFigures.DEADLINE_SPARE),
        1e-6);
    assertEquals(
        Optional.empty(),
        result.get(MergeFigures.DEADLINE_PREDICTED),
        "a plan shows itself in 6 s");
    assertTrue(result.require(MergeFigures.PAUSED_SECONDS) > 0, result.toString());
  }

  @Test
  void run_cappedAndNothingElseMerges_countsTheForcedMergeAlone() throws Exception {
    arm.set(ArmSetting.CAP, Rate.perSecond(1_000_000));
    arm.set(ArmSetting.UPDATES_PER_SECOND, LoadRate.NONE);

    Part merge = run();

    for (MergeKind kind : MergeKind.values()) {
      assertEquals(kind == MergeKind.FORCED ? 1 : 0, merge.require(MergeFigures.MERGES, kind));
    }
    long pauses = merge.require(MergeFigures.PAUSES, MergeKind.FORCED);
    long bytes = merge.require(MergeFigures.BYTES_OF, MergeKind.FORCED);
    assertEquals(merge.require(MergeFigures.BYTES_CHARGED), bytes);
    assertEquals(
        merge.require(MergeFigures.PAUSED_SECONDS),
        merge.require(MergeFigures.PAUSED_SECONDS_OF, MergeKind.FORCED),
        0.05 * merge.require(MergeFigures.SECONDS));
    assertTrue(pauses > 1 && pauses <= bytes, merge.toString());
    assertEquals(0, merge.require(MergeFigures.CAP_LIFTS));
    assertEquals(0, merge.require(MergeFigures.BYTES_FORGIVEN));
    Set<Long> debts = new TreeSet<>();
    column("series.csv", 17).forEach(cell -> debts.add(Long.valueOf(cell)));
    assertTrue(debts.contains(0L), "merge_debt_bytes: " + debts);
    long most = debts.stream().max(Long::compare).orElseThrow();
    assertTrue(
        most > 100_000 && most < 2 * merge.require(MergeFigures.BYTES_WRITTEN),
        "merge_debt_bytes: " + debts);
  }

  /** At 1 kB/s a single paused merge would take minutes. */
  @Test
  void run_reopensAndCommitsThatWaitForMergesUnderATinyCap_areNeverPaused() throws Exception {
    arm.set(ArmSetting.CAP, Rate.perSecond(1_000));
    arm.set(ArmSetting.FULL_FLUSH_WAIT, Optional.of(Duration.ofHours(1)));
    arm.set(ArmSetting.MERGE, MergeWorkload.NONE);
    arm.set(ArmSetting.COMMITS_PER_MINUTE, LoadRate.steady(600.0));
    arm.set(ArmSetting.DURING, Duration.ofSeconds(3)); // some eight critical merges
    copyIndex();

    Part result = run();

    MergeKind critical = MergeKind.CRITICAL;
    assertTrue(result.require(MergeFigures.MERGES, critical) > 0, result.toString());
    assertTrue(result.require(MergeFigures.BYTES_OF, critical) > 1_000, result.toString());
    assertEquals(0, result.require(MergeFigures.PAUSES, critical));
    assertEquals(0, result.require(MergeFigures.PAUSED_SECONDS_OF, critical));
  }

  @Test
  void run_indexToBeChecked_isCommittedAndClean() throws Exception {
    arm.set(ArmSetting.MODE, UpdateMode.ADD);
    checkIndex = true;
    copyIndex();

    Part check = run();

    try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(arms))) {
      assertEquals(reader.numDocs(), check.require(ArmFigures.CHECKED_DOCUMENTS));
      assertEquals(reader.leaves().size(), check.require(ArmFigures.CHECKED_SEGMENTS));
      assertTrue(
          check.require(ArmFigures.CHECKED_DOCUMENTS) > DOCUMENTS,
          "nothing that the arm added was committed");
    }
  }

  /** The drain lifted the cap for this; now the scheduler does, and before updates stand still. */
  @Test
  void stop_whenMergesPiledUpUnderATinyCap_hasLiftedItSaysSoAndEnds() throws Exception {
    arm.set(ArmSetting.CAP, Rate.perSecond(10_000));
    arm.set(ArmSetting.FULL_FLUSH_WAIT, Optional.of(Duration.ZERO));
    arm.set(ArmSetting.MERGE, MergeWorkload.NONE);
    arm.set(ArmSetting.MODE, UpdateMode.ADD);
    arm.set(ArmSetting.UPDATES_PER_SECOND, LoadRate.steady(400.0));
    arm.set(ArmSetting.REOPENS_PER_SECOND, LoadRate.steady(200.0));
    arm.set(ArmSetting.WARMUP, Duration.ZERO); // so that it happens in the window that is counted
    arm.set(ArmSetting.BEFORE, Duration.ZERO);
    arm.set(ArmSetting.DURING, Duration.ofSeconds(60)); // it is stopped when the cap was lifted

    Part result = stopWhen((stage, detail) -> detail.contains("; cap lifted"));

    assertEquals(Status.INTERRUPTED, result.status());
    assertTrue(result.require(MergeFigures.CAP_LIFTS) >= 1, result.toString());
    assertTrue(
        result.warnings().stream().anyMatch(w -> w.what().startsWith("the cap was lifted ")),
        result.warnings().toString());
    assertTrue(
        result.warnings().stream().anyMatch(w -> w.what().startsWith("the cap of 10.0 kB/s ")),
        result.warnings().toString());
    assertIndexIsAsItWas();
  }

  @Test
  void run_stock_hasNothingOfOursAndIsCountedAllTheSame() throws Exception {
    arm.set(ArmSetting.PRESET, Preset.STOCK);
    arm.set(ArmSetting.LUCENE_FORCE_MERGE_CAP, Rate.perSecond(3_000_000L));

    Part result = run();

    assertWhole(result);
    assertTrue(result.require(MergeFigures.BYTES_WRITTEN) > 500_000, result.toString());
    assertEquals(Optional.empty(), result.get(MergeFigures.BYTES_CHARGED));
    assertEquals(Optional.empty(), result.get(MergeFigures.PAUSED_SECONDS));
    assertEquals(Optional.empty(), result.get(MergeFigures.PAUSES, MergeKind.FORCED));
    assertEquals(Optional.empty(), result.get(MergeFigures.CAP_LIFTS));
    assertEquals(Optional.empty(), result.get(MergeFigures.BYTES_FORGIVEN));
    assertEquals(Set.of(""), column("series.csv", 15), "merge_charged_bytes");
    assertEquals(Set.of(""), column("series.csv", 17), "merge_debt_bytes");
  }

  @Test
  void run_withoutAMerge_hasAMiddleOfTheLengthAskedFor() throws Exception {
    arm.set(ArmSetting.MERGE, MergeWorkload.NONE);

    Part result = run();

    assertWhole(result);
    assertEquals("none", result.require(MergeFigures.KIND));
    assertTrue(result.require(ArmFigures.PHASE_SECONDS, Phase.DURING) >= 0.5, result.toString());
    assertEquals(
        result.require(MergeFigures.BYTES_WRITTEN), result.require(MergeFigures.BYTES_CHARGED));
  }

  @Test
  void run_naturalMerge_isWhole() throws Exception {
    arm.set(ArmSetting.MERGE, MergeWorkload.NATURAL);

    Part result = run();

    assertWhole(result);
    assertEquals(
        result.require(MergeFigures.BYTES_WRITTEN), result.require(MergeFigures.BYTES_CHARGED));
  }

  /** Nobody calls the writer after that, so nobody was told. */
  @Test
  void run_naturalMergeFailsWithoutAnyLoad_isThrown() throws Exception {
    Path damaged = out.resolve("damaged");
    IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    try (Directory whole = FSDirectory.open(index);
        Directory target = FSDirectory.open(damaged);
        IndexWriter writer = new IndexWriter(target, config)) {
      for (int i = 0; i < 4; i++) { // more segments than a natural merge leaves
        writer.addIndexes(whole);
      }
    }
    try (Stream<Path> files = Files.list(damaged)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".cfs")).toList()) {
        damage(file);
      }
    }
    arm.set(ArmSetting.MERGE, MergeWorkload.NATURAL);
    arm.set(ArmSetting.UPDATES_PER_SECOND, LoadRate.NONE);
    arm.set(ArmSetting.SEARCHES_PER_SECOND, LoadRate.NONE);
    arm.set(ArmSetting.REOPENS_PER_SECOND, LoadRate.NONE);

    arms = damaged;

    IOException thrown = assertThrows(IOException.class, this::run);

    assertTrue(
        thrown.getMessage().startsWith("the index cannot be written to: "), thrown.toString());
    assertInstanceOf(CorruptIndexException.class, thrown.getCause());
  }

  private static void damage(Path file) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      long middle = bytes.length() / 2;
      bytes.seek(middle);
      int before = bytes.read();
      bytes.seek(middle);
      bytes.write(before ^ 4);
    }
  }

  @Test
  void run_addMode_isWhole() throws Exception {
    arm.set(ArmSetting.MODE, UpdateMode.ADD);

    Part result = run();

    assertWhole(result);
    assertEquals("add", result.settings().get("mode"));
    assertEquals(
        result.require(MergeFigures.BYTES_WRITTEN), result.require(MergeFigures.BYTES_CHARGED));
  }

  @Test
  void run_noUpdatesNoSearches_leavesThemAbsent() throws Exception {
    arm.set(ArmSetting.UPDATES_PER_SECOND, LoadRate.NONE);
    arm.set(ArmSetting.SEARCHES_PER_SECOND, LoadRate.NONE);

    Part result = run();

    assertEquals(Status.DONE, result.status());
    assertEquals(Optional.empty(), result.get(ArmFigures.SEARCH.asked(), Phase.BEFORE));
    assertEquals(Optional.empty(), result.get(ArmFigures.SEARCHES));
    assertEquals(Optional.empty(), result.get(ArmFigures.UPDATE.asked(), Phase.BEFORE));
    assertTrue(Set.of("changed", "unchanged").containsAll(column("reopens.csv", 7)));
  }

  @Test
  void run_commits_areMeasuredAndTheIndexIsLeftAtTheLastOne() throws Exception {
    arm.set(ArmSetting.COMMITS_PER_MINUTE, LoadRate.steady(600.0));
    arm.set(ArmSetting.MODE, UpdateMode.ADD);
    copyIndex();

    Part result = run();

    assertEquals(Status.DONE, result.status());
    assertEquals("600", result.settings().get("commits-per-minute"));
    for (Phase phase : List.of(Phase.BEFORE, Phase.AFTER)) {
      LatencySummary latency = result.latency(ArmFigures.COMMIT.latency(), phase);
      // Due every 100 ms; a phase begins anywhere between two, and a busy machine makes one longer.
      double due = 10 * result.require(ArmFigures.PHASE_SECONDS, phase);
      assertEquals(due, latency.count(), 1.001, phase + ": " + latency);
      assertEquals(10, result.require(ArmFigures.COMMIT.asked(), phase));
      assertTrue(latency.p50Millis() <= latency.maxMillis(), latency.toString());
    }
    assertEquals(
        result.require(MergeFigures.BYTES_WRITTEN), result.require(MergeFigures.BYTES_CHARGED));
    Set<String> counts = column("series.csv", 6);
    assertTrue(counts.contains("0") && counts.size() > 3, "commits: " + counts);
    try (Directory directory = FSDirectory.open(arms);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertTrue(reader.numDocs() > DOCUMENTS, reader.numDocs() + " documents are committed");
    }
  }

  /** What engines do: every replaced document is a doc-values update in a segment. */
  @Test
  void run_softUpdates_countWhatMergesWriteAndKeepTheNumberOfDocuments() throws Exception {
    arm.set(ArmSetting.MODE, UpdateMode.SOFT_UPDATE);
    arm.set(ArmSetting.COMMITS_PER_MINUTE, LoadRate.steady(300.0));
    checkIndex = true;
    copyIndex();

    Part result = run();

    assertEquals(Status.DONE, result.status());
    assertEquals("soft-update", result.settings().get("mode"));
    assertEquals(
        result.require(MergeFigures.BYTES_WRITTEN), result.require(MergeFigures.BYTES_CHARGED));
    assertTrue(result.require(MergeFigures.BYTES_WRITTEN) > 500_000, result.toString());
    assertEquals(DOCUMENTS, result.require(ArmFigures.CHECKED_DOCUMENTS));
    try (Directory directory = FSDirectory.open(arms);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      SegmentInfos infos = SegmentInfos.readLatestCommit(directory);
      long marked = infos.asList().stream().mapToLong(SegmentCommitInfo::getSoftDelCount).sum();
      assertTrue(marked > 0, "no soft deletes");
      assertEquals(DOCUMENTS + marked, reader.numDocs());
      assertEquals(0, reader.numDeletedDocs());
    }
  }

  @Test
  void run_softUpdatesOfStockLucene_areWhole() throws Exception {
    arm.set(ArmSetting.PRESET, Preset.STOCK);
    arm.set(ArmSetting.MODE, UpdateMode.SOFT_UPDATE);
    checkIndex = true;
    copyIndex();

    Part result = run();

    assertEquals(Status.DONE, result.status());
    assertTrue(result.require(MergeFigures.BYTES_WRITTEN) > 500_000, result.toString());
    assertEquals(DOCUMENTS, result.require(ArmFigures.CHECKED_DOCUMENTS));
  }

  /** The large merge packs its segment too, which Lucene's default would not. */
  @Test
  void run_compoundAlways_leavesCompoundFilesAlone() throws Exception {
    arm.set(ArmSetting.COMPOUND, CompoundFiles.ALWAYS);
    arm.set(ArmSetting.MODE, UpdateMode.SOFT_UPDATE);
    checkIndex = true;
    copyIndex();

    Part result = run();

    assertEquals(Status.DONE, result.status());
    assertEquals("always", result.settings().get("compound"));
    assertEquals(
        result.require(MergeFigures.BYTES_WRITTEN), result.require(MergeFigures.BYTES_CHARGED));
    assertEquals(Set.of(true), compoundSegments());
  }

  @Test
  void run_compoundNever_leavesNone() throws Exception {
    arm.set(ArmSetting.COMPOUND, CompoundFiles.NEVER);
    checkIndex = true;
    arms = out.resolve("index");
    SmallIndex.build(arms, DOCUMENTS, IndexLayout.of(arm.settings()));
    assertEquals(Set.of(false), compoundSegments());

    Part result = run();

    assertEquals(Status.DONE, result.status());
    assertEquals(Set.of(false), compoundSegments());
  }

  private Set<Boolean> compoundSegments() throws Exception {
    try (Directory directory = FSDirectory.open(arms)) {
      return SegmentInfos.readLatestCommit(directory).asList().stream()
          .map(segment -> segment.info.getUseCompoundFile())
          .collect(Collectors.toSet());
    }
  }

  /** A commit that is under way when the arm ends may wait for merges, and those for the cap. */
  @Test
  void stop_whileCommitsWaitForMergesUnderATinyCap_endsSoon() throws Exception {
    arm.set(ArmSetting.CAP, Rate.perSecond(10_000));
    arm.set(ArmSetting.FULL_FLUSH_WAIT, Optional.of(Duration.ofHours(1)));
    arm.set(ArmSetting.COMMITS_PER_MINUTE, LoadRate.steady(6000.0));
    copyIndex();

    Part result = stopWhenMerging();

    assertEquals(Status.INTERRUPTED, result.status());
    assertTrue(
        result.latency(ArmFigures.COMMIT.latency(), Phase.DURING).count() > 0, result.toString());
  }

  /** The cap that slows the merge slowed its end as well: it went on to its next check of abort. */
  @Test
  void stop_inAMergeUnderATinyCap_endsSoonWithWhatWasSeen() throws Exception {
    arm.set(ArmSetting.CAP, Rate.perSecond(10_000));

    Part result = stopWhenMerging();

    assertEquals(Status.INTERRUPTED, result.status());
    assertTrue(result.get(ArmFigures.PHASE_SECONDS, Phase.DURING).isPresent());
    assertEquals(Optional.empty(), result.get(ArmFigures.PHASE_SECONDS, Phase.AFTER));
    assertTrue(result.latency(ArmFigures.REOPEN, Phase.DURING).count() > 0);
    assertEquals(
        result.require(MergeFigures.BYTES_WRITTEN), result.require(MergeFigures.BYTES_CHARGED));
    assertIndexIsAsItWas();
  }

  @Test
  void run_theMergeOutlastsItsTimeout_isDoneWithItsPartAndWithoutAPhaseAfter() throws Exception {
    arm.set(ArmSetting.CAP, Rate.perSecond(10_000));
    arm.set(ArmSetting.MERGE_TIMEOUT, Optional.of(Duration.ofSeconds(1)));
    copyIndex();

    Part result = arm((stage, fraction, detail) -> {}).run();

    assertEquals(Status.DONE, result.status());
    assertFalse(result.require(MergeFigures.ENDED));
    assertEquals(Optional.empty(), result.get(ArmFigures.PHASE_SECONDS, Phase.AFTER));
    assertTrue(
        result.warnings().stream()
            .anyMatch(warning -> warning.what().startsWith("the large merge was given up after 1")),
        result.warnings().toString());
    assertIndexIsAsItWas();
  }

  @Test
  void stop_beforeItBegins_isInterruptedWithoutFigures() throws Exception {
    LuceneArm run = arm((stage, fraction, detail) -> {});
    run.stop();

    Part result = run.run();

    assertEquals(Status.INTERRUPTED, result.status());
    assertEquals(Optional.empty(), result.get(MergeFigures.KIND));
    assertEquals(Optional.empty(), result.get(ArmFigures.PHASE_SECONDS, Phase.BEFORE));
    assertEquals(List.of(), result.warnings());
  }

  /** What the page cache held, and what was read from storage, is told of every arm. */
  @Test
  void run_warm_tellsTheShareAndTheReadsOfEachPhase() throws Exception {
    assumeTrue(KernelPageCache.unavailable().isEmpty(), KernelPageCache.unavailable().toString());
    arm.set(ArmSetting.CACHE, CacheState.WARM);
    strict = true;

    Part cache = run();

    assertEquals("warm", cache.require(ArmFigures.CACHE_ASKED));
    assertEquals(Optional.of(true), cache.get(ArmFigures.CACHE_AS_ASKED));
    assertEquals(Optional.of(1.0), cache.get(ArmFigures.RESIDENT_SHARE));
    assertEquals(Optional.empty(), cache.get(ArmFigures.CACHE_REASON));
    assertTrue(cache.require(ArmFigures.INDEX_BYTES) > 500_000, cache.toString());
    assertTrue(cache.get(ArmFigures.WARM_UP_MAJOR_FAULTS).isPresent());
    for (Phase phase : Phase.MEASURED) {
      long faults = cache.require(ArmFigures.MAJOR_FAULTS, phase);
      assertTrue(faults < 10_000, cache.toString());
    }
  }

  /** Half of the index's pages are in use by another program, which is this one here. */
  @Test
  void run_coldThatCannotBeMade_warnsOrIsRefusedBeforeTheLoad() throws Exception {
    assumeTrue(KernelPageCache.unavailable().isEmpty(), KernelPageCache.unavailable().toString());
    copyIndex();
    List<MappedByteBuffer> held = new ArrayList<>();
    try (Stream<Path> files = Files.list(arms)) {
      for (Path file : files.toList()) {
        try (FileChannel channel = FileChannel.open(file)) {
          MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
          held.add(mapped.load());
        }
      }
    }
    arm.set(ArmSetting.CACHE, CacheState.COLD);
    Part warned = run();
    strict = true;
    Part refused = arm((stage, fraction, detail) -> {}).run();

    assertFalse(held.isEmpty());
    assertEquals(Status.DONE, warned.status());
    assertFalse(warned.cacheAsAsked());
    RunWarning warning = warned.warnings().get(warned.warnings().size() - 1);
    assertTrue(warning.what().startsWith("the index was not cold: 100.0 % of "), warning.what());
    assertEquals(Status.FAILED, refused.status());
    assertEquals(warning.what(), refused.failure().orElseThrow().reason());
    assertEquals(Optional.empty(), refused.get(ArmFigures.WARM_UP_MAJOR_FAULTS));
    assertEquals(Optional.of(1.0), refused.get(ArmFigures.RESIDENT_SHARE));
  }

  @Test
  void run_onTheHeap_isWholeAndIsCheckedThere() throws Exception {
    arm.set(ArmSetting.DIRECTORY, DirectoryKind.HEAP);
    arm.set(ArmSetting.COMMITS_PER_MINUTE, LoadRate.steady(300.0));
    checkIndex = true;

    Part result = run();

    assertWhole(result); // the index on the disk is as it was, too
    assertEquals(
        result.require(MergeFigures.BYTES_WRITTEN), result.require(MergeFigures.BYTES_CHARGED));
    assertTrue(result.require(ArmFigures.CHECKED_DOCUMENTS) == DOCUMENTS, result.toString());
    assertTrue(result.latency(ArmFigures.COMMIT.latency(), Phase.BEFORE).count() > 0);
    assertEquals(Optional.empty(), result.get(MergeFigures.WRITEBACK_METHOD));
    assertEquals(List.of(), BusyMachine.withoutItsWarnings(result.warnings()));
  }

  private void assertWhole(Part result) throws Exception {
    assertEquals(Status.DONE, result.status());
    assertEquals("arm", result.name());
    assertTrue(result.settings().entrySet().containsAll(arm.settings().describe().entrySet()));
    assertEquals(Runtime.version().toString(), result.settings().get("java"));
    assertTrue(result.require(ArmFigures.PHASE_SECONDS, Phase.BEFORE) >= 0.4, result.toString());
    assertTrue(result.require(ArmFigures.PHASE_SECONDS, Phase.DURING) > 0);
    assertEquals(0.4, result.require(ArmFigures.PHASE_SECONDS, Phase.AFTER), 0.001);
    assertTrue(result.latency(ArmFigures.SEARCH.latency(), Phase.AFTER).count() > 0);
    long searches =
        Phase.MEASURED.stream()
            .mapToLong(phase -> result.latency(ArmFigures.SEARCH.service(), phase).count())
            .sum();
    assertEquals(searches, result.require(ArmFigures.SEARCHES));
    assertTrue(result.require(ArmFigures.SEARCHES_WITHOUT_HITS) < searches / 2, result.toString());
    assertTrue(result.latency(ArmFigures.UPDATE.latency(), Phase.BEFORE).count() > 0);
    assertTrue(result.latency(ArmFigures.VISIBLE, Phase.BEFORE).count() > 0);
    assertTrue(result.get(ArmFigures.GC_PAUSES, Phase.AFTER).isPresent());
    assertEquals(List.of(), gcWarnings(result));
    assertEachScheduledReopenHasALine(result);
    Set<String> sampled = column("series.csv", 2);
    assertTrue(sampled.containsAll(Set.of("before", "after")), sampled.toString());
    if (result.require(ArmFigures.PHASE_SECONDS, Phase.DURING)
        > 0.3) { // else it may fall between two
      assertTrue(sampled.contains("during"), sampled.toString());
    }
    assertTrue(Set.of("warmup", "before", "during", "after").containsAll(sampled), "phases");
    for (Phase phase : Phase.MEASURED) {
      assertLogIsWhatIsSummedUp(
          "reopens-arm-1.hlog", phase, result.latency(ArmFigures.REOPEN, phase));
      assertLogIsWhatIsSummedUp(
          "searches-arm-1.hlog", phase, result.latency(ArmFigures.SEARCH.latency(), phase));
    }
    assertIndexIsAsItWas();
  }

  private static List<RunWarning> gcWarnings(Part result) {
    return result.warnings().stream().filter(w -> w.what().contains("collector")).toList();
  }

  private void assertLogIsWhatIsSummedUp(String log, Phase phase, LatencySummary summary)
      throws Exception {
    Histogram all = new Histogram(3);
    try (HistogramLogReader reader = new HistogramLogReader(out.resolve(log).toFile())) {
      while (reader.hasNext()) {
        Histogram interval = (Histogram) reader.nextIntervalHistogram();
        if (phase.label().equals(interval.getTag())) {
          all.add(interval);
        }
      }
    }
    assertEquals(summary.count(), all.getTotalCount(), log + " " + phase);
    if (summary.count() > 0) {
      double p99 = all.getValueAtPercentile(99) / 1e6;
      assertEquals(summary.p99Millis(), Math.min(summary.maxMillis(), p99), 0.001, log);
    }
  }

  private void assertEachScheduledReopenHasALine(Part result) throws Exception {
    List<String[]> lines = lines("reopens.csv");
    List<Long> due = new ArrayList<>();
    Schedule schedule =
        Schedule.even(
            TargetRate.perSecond("reopens", arm.settings().get(ArmSetting.REOPENS_PER_SECOND)),
            -arm.settings().get(ArmSetting.WARMUP).toNanos());
    double end =
        1e9
            * (result.require(ArmFigures.PHASE_SECONDS, Phase.BEFORE)
                + result.require(ArmFigures.PHASE_SECONDS, Phase.DURING)
                + result.require(ArmFigures.PHASE_SECONDS, Phase.AFTER));
    for (long next = schedule.nextNanos(); next < end - 1; next = schedule.nextNanos()) {
      due.add(next);
    }
    assertEquals(due, lines.stream().map(cells -> Long.valueOf(cells[3])).toList());
    assertFalse(lines.stream().anyMatch(cells -> cells[7].equals("failed")));
    for (Phase phase : Phase.MEASURED) {
      assertEquals(
          lines.stream().filter(cells -> cells[2].equals(phase.label())).count(),
          result.latency(ArmFigures.REOPEN, phase).count(),
          phase.label());
      assertEquals(
          result.latency(ArmFigures.REOPEN, phase).count(),
          result.latency(ArmFigures.REOPEN_SERVICE, phase).count());
    }
    long worstMillis =
        lines.stream()
            .filter(cells -> cells[2].equals("during"))
            .mapToLong(cells -> Long.parseLong(cells[6]) - Long.parseLong(cells[3]))
            .max()
            .orElse(0);
    assertTrue(
        result.latency(ArmFigures.REOPEN, Phase.DURING).maxMillis() >= worstMillis / 1e6 - 0.001,
        "the line ends before the measurement does");
  }

  /** The arm works on the index itself here, and must leave its commit as it was. */
  private static void assertIndexIsAsItWas() throws Exception {
    try (Directory directory = FSDirectory.open(index);
        CheckIndex check = new CheckIndex(directory)) {
      CheckIndex.Status status = check.checkIndex();
      assertTrue(status.clean);
      assertEquals(DOCUMENTS, status.segmentInfos.stream().mapToInt(s -> s.maxDoc).sum());
    }
  }

  private Part stopWhenMerging() throws Exception {
    return stopWhen((stage, detail) -> stage.equals("merging"));
  }

  /** Stops the arm when its progress shows what was waited for; it must end soon then. */
  private Part stopWhen(BiPredicate<String, String> shown) throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    LuceneArm run =
        arm(
            (stage, fraction, detail) -> {
              if (shown.test(stage, detail)) {
                seen.countDown();
              }
            });
    FutureTask<Part> running = new FutureTask<>(run::run);
    Thread.ofPlatform().start(running);
    assertTrue(seen.await(60, TimeUnit.SECONDS));
    run.stop();
    return running.get(10, TimeUnit.SECONDS);
  }

  /** For an arm that commits, which would spoil the index for the others. */
  private void copyIndex() throws Exception {
    arms = Files.createDirectory(out.resolve("index"));
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.toList()) {
        Files.copy(file, arms.resolve(file.getFileName()));
      }
    }
  }

  private Part run() throws Exception {
    return arm((stage, fraction, detail) -> {}).run();
  }

  private LuceneArm arm(ArmListener listener) {
    return new LuceneArm(
        new LuceneArm.Setup(
            new ArmRun.Setup(
                "arm",
                1,
                arm.settings(),
                SmallIndex.documents(DOCUMENTS),
                DOCUMENTS,
                queries,
                out,
                Duration.ofMillis(1),
                new ArmRun.Outputs(
                    out.resolve("reopens.csv"),
                    out.resolve("series.csv"),
                    out.resolve("slow-reopens.csv"),
                    out.resolve("slow-reopens.txt"),
                    out.resolve("gc.csv"),
                    out.resolve("jfr"))),
            arms,
            checkIndex,
            strict),
        NanoClock.SYSTEM,
        listener,
        ArmObserver.NONE);
  }

  private Set<String> column(String file, int column) throws Exception {
    Set<String> cells = new TreeSet<>();
    lines(file).forEach(line -> cells.add(line[column]));
    return cells;
  }

  private List<String[]> lines(String file) throws Exception {
    try (Stream<String> lines = Files.lines(out.resolve(file))) {
      return lines.skip(1).map(line -> line.split(",", -1)).toList();
    }
  }
}
