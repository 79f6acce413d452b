package io.weir.stress.arm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.control.LatencyTarget;
import io.weir.control.Percentile;
import io.weir.rate.Rate;
import io.weir.store.KernelPageCache;
import io.weir.stress.BusyMachine;
import io.weir.stress.QuickArm;
import io.weir.stress.SmallIndex;
import io.weir.stress.arm.load.Schedule;
import io.weir.stress.arm.load.TargetRate;
import io.weir.stress.arm.meters.Sampler;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.CacheResult;
import io.weir.stress.result.DeadlineResult;
import io.weir.stress.result.FailedArm;
import io.weir.stress.result.IndexCheckResult;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.MeasuredArm;
import io.weir.stress.result.MergePauses;
import io.weir.stress.result.MergePauses.PausedMerges;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.MergeWriteback;
import io.weir.stress.result.Phase;
import io.weir.stress.result.RunWarning;
import io.weir.stress.result.SlowReopenCause;
import io.weir.stress.result.SlowReopenResult;
import io.weir.stress.result.StorageReads;
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
class ArmRunTest {

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
    MeasuredArm result = run();

    assertWhole(result);
    assertEquals("forced", merge(result).kind());
    assertTrue(merge(result).bytesWritten().orElseThrow() > 500_000, merge(result).toString());
    assertEquals(
        merge(result).bytesWritten().orElseThrow(), merge(result).bytesCharged().orElseThrow());
    assertEquals(0, merge(result).pausedSeconds().orElseThrow());
    assertEquals(Optional.empty(), result.commit());
    assertEquals(Set.of("0"), column("series.csv", 6), "commits");
  }

  /** Each range that was filled was started, and no byte twice. */
  @Test
  void run_writebackInSmallRanges_startsAllButTheTails() throws Exception {
    arm.set(ArmSetting.WRITEBACK, OptionalLong.of(64 << 10));
    arm.set(ArmSetting.UPDATES_PER_SECOND, LoadRate.NONE);

    MergeResult merge = merge(run());

    MergeWriteback writeback = merge.writeback().orElseThrow();
    assertNotNull(writeback.reason());
    assertEquals(0, writeback.faults());
    assumeTrue(writeback.method().equals("sync_file_range"), writeback.reason());
    assertEquals(merge.bytesWritten().orElseThrow(), merge.bytesCharged().orElseThrow());
    assertTrue(writeback.bytes() > merge.bytesWritten().orElseThrow() / 2, merge.toString());
    assertTrue(writeback.bytes() <= merge.bytesWritten().orElseThrow(), merge.toString());
    assertTrue(
        writeback.ranges() >= merge.bytesWritten().orElseThrow() / 2 / (64 << 10),
        merge.toString());
    assertTrue(
        writeback.waitedSeconds() > 0 && writeback.waitedSeconds() < merge.seconds(),
        merge.toString());
  }

  @Test
  void run_stock_tellsThePhasesOfReopensAsWell() throws Exception {
    arm.set(ArmSetting.PRESET, Preset.STOCK);

    MergeResult merge = merge(run());

    assertEquals(Optional.empty(), merge.writeback());
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
    SlowReopenResult slow = run().slowReopens();

    assertEquals(1, slow.thresholdMillis());
    List<String[]> told = lines("slow-reopens.csv");
    for (Phase phase : Phase.MEASURED) {
      List<String[]> lines = told.stream().filter(cells -> cells[2].equals(phase.label())).toList();
      assertEquals(lines.size(), slow.reopens().get(phase), phase.label());
      double lost = lines.stream().mapToLong(cells -> Long.parseLong(cells[6])).sum() / 1e9;
      assertEquals(lost, slow.lostSeconds().get(phase), 1e-6);
      assertEquals(
          lost,
          slow.causes().get(phase).stream().mapToDouble(SlowReopenCause::seconds).sum(),
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
    arm.set(ArmSetting.CAP, Rate.perSecond(5_000_000));

    MeasuredArm result = run();

    assertWhole(result);
    assertEquals(
        merge(result).bytesWritten().orElseThrow(), merge(result).bytesCharged().orElseThrow());
    double leastSeconds =
        (merge(result).bytesWritten().orElseThrow() - 0.05 * 5_000_000) / 5_000_000;
    assertTrue(merge(result).seconds() >= leastSeconds, merge(result).toString());
    assertTrue(merge(result).pausedSeconds().orElseThrow() > 0, merge(result).toString());
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

    MeasuredArm result = run();

    assertWhole(result);
    assertTrue(merge(result).seconds() > 1.2, merge(result).toString());
    DeadlineResult deadline = merge(result).deadline().orElseThrow();
    assertEquals(3, deadline.seconds());
    assertEquals(3, merge(result).seconds() + deadline.spareSeconds(), 1e-6);
    assertEquals(Optional.empty(), deadline.afterThird(), "a plan shows itself in 6 s");
    assertTrue(merge(result).pausedSeconds().orElseThrow() > 0, merge(result).toString());
  }

  @Test
  void run_cappedAndNothingElseMerges_countsTheForcedMergeAlone() throws Exception {
    arm.set(ArmSetting.CAP, Rate.perSecond(1_000_000));
    arm.set(ArmSetting.UPDATES_PER_SECOND, LoadRate.NONE);

    MergeResult merge = merge(run());

    PausedMerges none = new PausedMerges(0, 0, 0, 0);
    PausedMerges forced = merge.pauses().orElseThrow().forced();
    assertEquals(new MergePauses(none, forced, none, none), merge.pauses().orElseThrow());
    assertEquals(1, forced.merges());
    assertEquals(merge.bytesCharged().orElseThrow(), forced.bytes());
    assertEquals(
        merge.pausedSeconds().orElseThrow(), forced.pausedSeconds(), 0.05 * merge.seconds());
    assertTrue(forced.pauses() > 1 && forced.pauses() <= forced.bytes(), forced.toString());
    assertEquals(0, merge.capLifts().orElseThrow());
    assertEquals(0, merge.bytesForgiven().orElseThrow());
    Set<Long> debts = new TreeSet<>();
    column("series.csv", 17).forEach(cell -> debts.add(Long.valueOf(cell)));
    assertTrue(debts.contains(0L), "merge_debt_bytes: " + debts);
    long most = debts.stream().max(Long::compare).orElseThrow();
    assertTrue(
        most > 100_000 && most < 2 * merge.bytesWritten().orElseThrow(),
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

    MeasuredArm result = run();

    PausedMerges critical = merge(result).pauses().orElseThrow().critical();
    assertTrue(critical.merges() > 0, merge(result).toString());
    assertTrue(critical.bytes() > 1_000, merge(result).toString());
    assertEquals(0, critical.pauses());
    assertEquals(0, critical.pausedSeconds());
  }

  @Test
  void run_indexToBeChecked_isCommittedAndClean() throws Exception {
    arm.set(ArmSetting.MODE, UpdateMode.ADD);
    checkIndex = true;
    copyIndex();

    IndexCheckResult check = run().indexCheck().orElseThrow();

    try (DirectoryReader reader = DirectoryReader.open(FSDirectory.open(arms))) {
      assertEquals(reader.numDocs(), check.documents());
      assertEquals(reader.leaves().size(), check.segments());
      assertTrue(check.documents() > DOCUMENTS, "nothing that the arm added was committed");
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

    MeasuredArm result = stopWhen((stage, detail) -> detail.contains("; cap lifted"));

    assertEquals(ArmStatus.INTERRUPTED, result.status());
    assertTrue(merge(result).capLifts().orElseThrow() >= 1, merge(result).toString());
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

    MeasuredArm result = run();

    assertWhole(result);
    assertTrue(merge(result).bytesWritten().orElseThrow() > 500_000, merge(result).toString());
    assertEquals(Optional.empty(), merge(result).bytesCharged());
    assertEquals(Optional.empty(), merge(result).pausedSeconds());
    assertEquals(Optional.empty(), merge(result).pauses());
    assertEquals(Optional.empty(), merge(result).capLifts());
    assertEquals(Optional.empty(), merge(result).bytesForgiven());
    assertEquals(Set.of(""), column("series.csv", 15), "merge_charged_bytes");
    assertEquals(Set.of(""), column("series.csv", 17), "merge_debt_bytes");
  }

  @Test
  void run_withoutAMerge_hasAMiddleOfTheLengthAskedFor() throws Exception {
    arm.set(ArmSetting.MERGE, MergeWorkload.NONE);

    MeasuredArm result = run();

    assertWhole(result);
    assertEquals("none", merge(result).kind());
    assertTrue(
        result.phaseSeconds().during().orElseThrow() >= 0.5, result.phaseSeconds().toString());
    assertEquals(
        merge(result).bytesWritten().orElseThrow(), merge(result).bytesCharged().orElseThrow());
  }

  @Test
  void run_naturalMerge_isWhole() throws Exception {
    arm.set(ArmSetting.MERGE, MergeWorkload.NATURAL);

    MeasuredArm result = run();

    assertWhole(result);
    assertEquals(
        merge(result).bytesWritten().orElseThrow(), merge(result).bytesCharged().orElseThrow());
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

    MeasuredArm result = run();

    assertWhole(result);
    assertEquals("add", result.settings().get("mode"));
    assertEquals(
        merge(result).bytesWritten().orElseThrow(), merge(result).bytesCharged().orElseThrow());
  }

  @Test
  void run_noUpdatesNoSearches_leavesThemAbsent() throws Exception {
    arm.set(ArmSetting.UPDATES_PER_SECOND, LoadRate.NONE);
    arm.set(ArmSetting.SEARCHES_PER_SECOND, LoadRate.NONE);

    MeasuredArm result = run();

    assertEquals(ArmStatus.DONE, result.status());
    assertEquals(Optional.empty(), result.search());
    assertEquals(Optional.empty(), result.searchHits());
    assertEquals(Optional.empty(), result.update());
    assertTrue(Set.of("changed", "unchanged").containsAll(column("reopens.csv", 7)));
  }

  @Test
  void run_commits_areMeasuredAndTheIndexIsLeftAtTheLastOne() throws Exception {
    arm.set(ArmSetting.COMMITS_PER_MINUTE, LoadRate.steady(600.0));
    arm.set(ArmSetting.MODE, UpdateMode.ADD);
    copyIndex();

    MeasuredArm result = run();

    assertEquals(ArmStatus.DONE, result.status());
    assertEquals("600", result.settings().get("commits-per-minute"));
    for (Phase phase : List.of(Phase.BEFORE, Phase.AFTER)) {
      LatencySummary latency = result.commit().orElseThrow().get(phase).orElseThrow().latency();
      // Due every 100 ms; a phase begins anywhere between two, and a busy machine makes one longer.
      double due = 10 * result.phaseSeconds().get(phase).orElseThrow();
      assertEquals(due, latency.count(), 1.001, phase + ": " + latency);
      assertEquals(10, result.commit().orElseThrow().get(phase).orElseThrow().askedPerSecond());
      assertTrue(latency.p50Millis() <= latency.maxMillis(), latency.toString());
    }
    assertEquals(
        merge(result).bytesWritten().orElseThrow(), merge(result).bytesCharged().orElseThrow());
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

    MeasuredArm result = run();

    assertEquals(ArmStatus.DONE, result.status());
    assertEquals("soft-update", result.settings().get("mode"));
    assertEquals(
        merge(result).bytesWritten().orElseThrow(), merge(result).bytesCharged().orElseThrow());
    assertTrue(merge(result).bytesWritten().orElseThrow() > 500_000, merge(result).toString());
    assertEquals(DOCUMENTS, result.indexCheck().orElseThrow().documents());
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

    MeasuredArm result = run();

    assertEquals(ArmStatus.DONE, result.status());
    assertTrue(merge(result).bytesWritten().orElseThrow() > 500_000, merge(result).toString());
    assertEquals(DOCUMENTS, result.indexCheck().orElseThrow().documents());
  }

  /** The large merge packs its segment too, which Lucene's default would not. */
  @Test
  void run_compoundAlways_leavesCompoundFilesAlone() throws Exception {
    arm.set(ArmSetting.COMPOUND, CompoundFiles.ALWAYS);
    arm.set(ArmSetting.MODE, UpdateMode.SOFT_UPDATE);
    checkIndex = true;
    copyIndex();

    MeasuredArm result = run();

    assertEquals(ArmStatus.DONE, result.status());
    assertEquals("always", result.settings().get("compound"));
    assertEquals(
        merge(result).bytesWritten().orElseThrow(), merge(result).bytesCharged().orElseThrow());
    assertEquals(Set.of(true), compoundSegments());
  }

  @Test
  void run_compoundNever_leavesNone() throws Exception {
    arm.set(ArmSetting.COMPOUND, CompoundFiles.NEVER);
    checkIndex = true;
    arms = out.resolve("index");
    SmallIndex.build(arms, DOCUMENTS, IndexLayout.of(arm.settings()));
    assertEquals(Set.of(false), compoundSegments());

    MeasuredArm result = run();

    assertEquals(ArmStatus.DONE, result.status());
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

    MeasuredArm result = stopWhenMerging();

    assertEquals(ArmStatus.INTERRUPTED, result.status());
    assertTrue(
        result.commit().orElseThrow().during().orElseThrow().latency().count() > 0,
        result.commit().toString());
  }

  /** The cap that slows the merge slowed its end as well: it went on to its next check of abort. */
  @Test
  void stop_inAMergeUnderATinyCap_endsSoonWithWhatWasSeen() throws Exception {
    arm.set(ArmSetting.CAP, Rate.perSecond(10_000));

    MeasuredArm result = stopWhenMerging();

    assertEquals(ArmStatus.INTERRUPTED, result.status());
    assertTrue(result.phaseSeconds().during().isPresent());
    assertEquals(Optional.empty(), result.phaseSeconds().after());
    assertTrue(result.reopen().during().count() > 0);
    assertEquals(
        merge(result).bytesWritten().orElseThrow(), merge(result).bytesCharged().orElseThrow());
    assertIndexIsAsItWas();
  }

  @Test
  void run_theMergeOutlastsItsTimeout_isDoneWithItsPartAndWithoutAPhaseAfter() throws Exception {
    arm.set(ArmSetting.CAP, Rate.perSecond(10_000));
    arm.set(ArmSetting.MERGE_TIMEOUT, Optional.of(Duration.ofSeconds(1)));
    copyIndex();

    MeasuredArm result = (MeasuredArm) arm((stage, fraction, detail) -> {}).run();

    assertEquals(ArmStatus.DONE, result.status());
    assertFalse(merge(result).ended());
    assertEquals(Optional.empty(), result.phaseSeconds().after());
    assertTrue(
        result.warnings().stream()
            .anyMatch(warning -> warning.what().startsWith("the large merge was given up after 1")),
        result.warnings().toString());
    assertIndexIsAsItWas();
  }

  @Test
  void stop_beforeItBegins_isInterruptedWithoutFigures() throws Exception {
    ArmRun run = arm((stage, fraction, detail) -> {});
    run.stop();

    MeasuredArm result = (MeasuredArm) run.run();

    assertEquals(ArmStatus.INTERRUPTED, result.status());
    assertEquals(Optional.empty(), result.merge());
    assertEquals(Optional.empty(), result.phaseSeconds().before());
    assertEquals(List.of(), result.warnings());
  }

  /** What the page cache held, and what was read from storage, is told of every arm. */
  @Test
  void run_warm_tellsTheShareAndTheReadsOfEachPhase() throws Exception {
    assumeTrue(KernelPageCache.unavailable().isEmpty(), KernelPageCache.unavailable().toString());
    arm.set(ArmSetting.CACHE, CacheState.WARM);
    strict = true;

    CacheResult cache = run().cache().orElseThrow();

    assertEquals("warm", cache.asked());
    assertEquals(Optional.of(true), cache.asAsked());
    assertEquals(Optional.of(1.0), cache.residentShare());
    assertEquals(Optional.empty(), cache.reason());
    assertTrue(cache.indexBytes() > 500_000, cache.toString());
    assertTrue(cache.warmup().flatMap(StorageReads::majorFaults).isPresent());
    for (Phase phase : Phase.MEASURED) {
      long faults = cache.phases().get(phase).flatMap(StorageReads::majorFaults).orElseThrow();
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
    MeasuredArm warned = run();
    strict = true;
    FailedArm refused = (FailedArm) arm((stage, fraction, detail) -> {}).run();

    assertFalse(held.isEmpty());
    assertEquals(ArmStatus.DONE, warned.status());
    assertFalse(warned.cacheAsAsked());
    RunWarning warning = warned.warnings().get(warned.warnings().size() - 1);
    assertTrue(warning.what().startsWith("the index was not cold: 100.0 % of "), warning.what());
    assertEquals(ArmStatus.FAILED, refused.status());
    assertEquals(warning.what(), refused.failure().reason());
    assertEquals(Optional.empty(), refused.cache().orElseThrow().warmup());
    assertEquals(Optional.of(1.0), refused.cache().orElseThrow().residentShare());
  }

  @Test
  void run_onTheHeap_isWholeAndIsCheckedThere() throws Exception {
    arm.set(ArmSetting.DIRECTORY, DirectoryKind.HEAP);
    arm.set(ArmSetting.COMMITS_PER_MINUTE, LoadRate.steady(300.0));
    checkIndex = true;

    MeasuredArm result = run();

    assertWhole(result); // the index on the disk is as it was, too
    assertEquals(
        merge(result).bytesWritten().orElseThrow(), merge(result).bytesCharged().orElseThrow());
    assertTrue(
        result.indexCheck().orElseThrow().documents() == DOCUMENTS, result.indexCheck().toString());
    assertTrue(result.commit().orElseThrow().before().orElseThrow().latency().count() > 0);
    assertEquals(Optional.empty(), merge(result).writeback());
    assertEquals(List.of(), BusyMachine.withoutItsWarnings(result.warnings()));
  }

  private void assertWhole(MeasuredArm result) throws Exception {
    assertEquals(ArmStatus.DONE, result.status());
    assertEquals("arm", result.name());
    assertTrue(result.settings().entrySet().containsAll(arm.settings().describe().entrySet()));
    assertEquals(Runtime.version().toString(), result.settings().get("java"));
    assertTrue(
        result.phaseSeconds().before().orElseThrow() >= 0.4, result.phaseSeconds().toString());
    assertTrue(result.phaseSeconds().during().orElseThrow() > 0);
    assertEquals(0.4, result.phaseSeconds().after().orElseThrow(), 0.001);
    assertTrue(result.search().orElseThrow().after().orElseThrow().latency().count() > 0);
    long searches =
        Phase.MEASURED.stream()
            .mapToLong(
                phase -> result.search().orElseThrow().get(phase).orElseThrow().service().count())
            .sum();
    assertEquals(searches, result.searchHits().orElseThrow().searches());
    assertTrue(
        result.searchHits().orElseThrow().withoutHits() < searches / 2,
        result.searchHits().orElseThrow().toString());
    assertTrue(result.update().orElseThrow().before().orElseThrow().latency().count() > 0);
    assertTrue(result.gc().pauses().orElseThrow().after().isPresent());
    assertEquals(List.of(), gcWarnings(result));
    assertEachScheduledReopenHasALine(result);
    Set<String> sampled = column("series.csv", 2);
    assertTrue(sampled.containsAll(Set.of("before", "after")), sampled.toString());
    if (result.phaseSeconds().during().orElseThrow() > 0.3) { // else it may fall between two
      assertTrue(sampled.contains("during"), sampled.toString());
    }
    assertTrue(Set.of("warmup", "before", "during", "after").containsAll(sampled), "phases");
    for (Phase phase : Phase.MEASURED) {
      assertLogIsWhatIsSummedUp("reopens-arm-1.hlog", phase, result.reopen().get(phase));
      assertLogIsWhatIsSummedUp(
          "searches-arm-1.hlog",
          phase,
          result.search().orElseThrow().get(phase).orElseThrow().latency());
    }
    assertIndexIsAsItWas();
  }

  private static MergeResult merge(MeasuredArm arm) {
    return arm.merge().orElseThrow();
  }

  private static List<RunWarning> gcWarnings(MeasuredArm result) {
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

  private void assertEachScheduledReopenHasALine(MeasuredArm result) throws Exception {
    List<String[]> lines = lines("reopens.csv");
    List<Long> due = new ArrayList<>();
    Schedule schedule =
        Schedule.even(
            TargetRate.perSecond("reopens", arm.settings().get(ArmSetting.REOPENS_PER_SECOND)),
            -arm.settings().get(ArmSetting.WARMUP).toNanos());
    double end =
        1e9
            * (result.phaseSeconds().before().orElseThrow()
                + result.phaseSeconds().during().orElseThrow()
                + result.phaseSeconds().after().orElseThrow());
    for (long next = schedule.nextNanos(); next < end - 1; next = schedule.nextNanos()) {
      due.add(next);
    }
    assertEquals(due, lines.stream().map(cells -> Long.valueOf(cells[3])).toList());
    assertFalse(lines.stream().anyMatch(cells -> cells[7].equals("failed")));
    for (Phase phase : Phase.MEASURED) {
      assertEquals(
          lines.stream().filter(cells -> cells[2].equals(phase.label())).count(),
          result.reopen().get(phase).count(),
          phase.label());
      assertEquals(result.reopen().get(phase).count(), result.service().get(phase).count());
    }
    long worstMillis =
        lines.stream()
            .filter(cells -> cells[2].equals("during"))
            .mapToLong(cells -> Long.parseLong(cells[6]) - Long.parseLong(cells[3]))
            .max()
            .orElse(0);
    assertTrue(
        result.reopen().during().maxMillis() >= worstMillis / 1e6 - 0.001,
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

  private MeasuredArm stopWhenMerging() throws Exception {
    return stopWhen((stage, detail) -> stage.equals("merging"));
  }

  /** Stops the arm when its progress shows what was waited for; it must end soon then. */
  private MeasuredArm stopWhen(BiPredicate<String, String> shown) throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    ArmRun run =
        arm(
            (stage, fraction, detail) -> {
              if (shown.test(stage, detail)) {
                seen.countDown();
              }
            });
    FutureTask<ArmResult> running = new FutureTask<>(run::run);
    Thread.ofPlatform().start(running);
    assertTrue(seen.await(60, TimeUnit.SECONDS));
    run.stop();
    return (MeasuredArm) running.get(10, TimeUnit.SECONDS);
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

  private MeasuredArm run() throws Exception {
    return (MeasuredArm) arm((stage, fraction, detail) -> {}).run();
  }

  private ArmRun arm(ArmListener listener) {
    return new ArmRun(
        new ArmRun.Setup(
            "arm",
            1,
            arm.settings(),
            SmallIndex.documents(DOCUMENTS),
            arms,
            DOCUMENTS,
            queries,
            out,
            Duration.ofMillis(1),
            checkIndex,
            strict,
            new ArmRun.Outputs(
                out.resolve("reopens.csv"),
                out.resolve("series.csv"),
                out.resolve("slow-reopens.csv"),
                out.resolve("slow-reopens.txt"),
                out.resolve("gc.csv"),
                out.resolve("jfr"))),
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
