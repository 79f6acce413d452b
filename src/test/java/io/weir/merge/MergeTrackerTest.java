package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CapturedLog;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.store.reads.MergeReadPacing;
import io.weir.stress.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.SoftDeletesRetentionMergePolicy;
import org.apache.lucene.index.Sorter;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Merges in a scheduler that is not ours: each is known, and charged for what it writes. */
@Timeout(60)
@SuppressWarnings("try")
class MergeTrackerTest {

  private static final int SMALL_SEGMENTS = 14;

  private final ByteBudget budget = ByteBudget.unlimited();
  private final TrackerLab lab = new TrackerLab(new ByteBuffersDirectory(), budget);

  @TempDir private Path temp;

  @ParameterizedTest
  @ValueSource(doubles = {0, 1})
  void forceMerge_isForcedAndChargedWhatItWrites(double compound) throws Exception {
    MergeLab.build(lab.disk, 3, 600, MergeLab::text);
    long before = lab.disk.bytes();
    MergePolicy policy = MergeLab.config(lab.scheduler).getMergePolicy();
    policy.setNoCFSRatio(compound);
    AtomicBoolean unclaimed = new AtomicBoolean();
    lab.directory.whenUnclaimed(() -> unclaimed.set(true));
    try (IndexWriter writer = lab.open(policy)) {
      writer.forceMerge(1);
      long written = lab.disk.bytes() - before;
      assertTrue(written > 10_000, "nothing was merged");
      assertEquals(written, budget.snapshot().grantedBytes());
      assertEquals(written, lab.tracker.totals(MergeKind.FORCED).writtenBytes());
      assertEquals(1, lab.tracker.totals(MergeKind.FORCED).done());
      assertEquals(compound > 0, lab.tracker.totals(MergeKind.FORCED).compoundBytes() > 0);
      assertTrue(lab.recorder.finished.get(0).segment().isPresent(), "its segment is unknown");
      assertTrue(lab.recorder.finished.get(0).estimatedBytes().isPresent(), "no estimate");
      assertTrue(!unclaimed.get(), "the directory did not know the merge");
      lab.checkSettled();
      writer.commit();
    }
    MergeLab.check(lab.disk, 1800);
    assertEquals(1, MergeLab.segments(lab.disk));
  }

  /** Lucene creates them without a merge context. */
  @Test
  void forceMerge_ofManyPoints_isChargedForItsTemporaryFiles() throws Exception {
    try (Directory files = FSDirectory.open(temp)) {
      TrackerLab onFiles = new TrackerLab(files, budget);
      MergeLab.build(onFiles.disk, 3, 1500, MergeLab::widePoints);
      long before = onFiles.disk.bytes();
      try (IndexWriter writer = onFiles.open()) {
        writer.forceMerge(1);
        assertEquals(onFiles.disk.bytes() - before, budget.snapshot().grantedBytes());
        assertEquals(
            onFiles.disk.bytes() - before, onFiles.tracker.totals(MergeKind.FORCED).writtenBytes());
        assertTrue(onFiles.tracker.totals(MergeKind.FORCED).temporaryBytes() > 10_000, "none");
      }
      onFiles.checkSettled();
      MergeLab.check(files, 4500);
    }
  }

  @Test
  void commit_withoutWaiting_startsNaturalMerges() throws Exception {
    MergeLab.build(lab.disk, SMALL_SEGMENTS, 20, MergeLab::text);
    try (IndexWriter writer = lab.open()) {
      writer.addDocument(MergeLab.document(-1));
      writer.commit();
      lab.scheduler.sync();
      assertEquals(Set.of(MergeKind.NATURAL), Set.copyOf(lab.recorder.kinds()));
      assertTrue(lab.tracker.totals(MergeKind.NATURAL).done() > 0, "none was done");
    }
    lab.checkSettled();
    MergeLab.check(lab.disk, SMALL_SEGMENTS * 20 + 1);
  }

  /** At so low a rate a merge that waited would miss the test's time limit. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void reopenOrCommit_thatWaitsForMerges_findsThemCriticalAndUnpaused(boolean reopens)
      throws Exception {
    budget.setRate(Rate.perSecond(1));
    lab.tracker.setYield(() -> true);
    MergeLab.build(lab.disk, SMALL_SEGMENTS, 20, MergeLab::source);
    IndexWriterConfig config = lab.config().setMaxFullFlushMergeWaitMillis(50_000);
    try (IndexWriter writer = new IndexWriter(lab.directory, config);
        AutoCloseable end = lab.unlimitedInTheEnd()) {
      writer.addDocument(MergeLab.document(-1));
      if (reopens) {
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          assertTrue(reader.leaves().size() < SMALL_SEGMENTS, "the reader did not wait");
        }
      } else {
        writer.commit();
        assertTrue(MergeLab.segments(lab.disk) < SMALL_SEGMENTS, "the commit did not wait");
      }
      lab.awaitNoneRuns();
      MergeKindTotals critical = lab.tracker.totals(MergeKind.CRITICAL);
      assertEquals(Set.of(MergeKind.CRITICAL), Set.copyOf(lab.recorder.kinds()));
      assertEquals(lab.recorder.started.size(), critical.done());
      assertTrue(critical.writtenBytes() > 10_000, "not charged: " + critical);
      assertEquals(critical.writtenBytes(), budget.snapshot().grantedBytes());
      assertEquals(0, critical.pauses().count());
      assertTrue(lab.recorder.started.get(0).estimatedBytes().getAsLong() > 10_000, "no estimate");
    }
    lab.checkSettled();
    MergeLab.check(lab.disk, SMALL_SEGMENTS * 20 + 1);
  }

  /** The readers' merge has no name and no directory until it is done. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void addIndexes_ofReaders_isOther(boolean intoAnEmptyIndex) throws Exception {
    try (Directory source = new ByteBuffersDirectory()) {
      MergeLab.build(source, 2, 600, MergeLab::text);
      try (IndexWriter writer = lab.open();
          DirectoryReader reader = DirectoryReader.open(source)) {
        if (!intoAnEmptyIndex) {
          writer.addDocument(MergeLab.document(-1));
          writer.commit();
        }
        long before = lab.disk.bytes();
        writer.addIndexes(MergeKindTest.codecReaders(reader));
        lab.awaitNoneRuns();
        long written = lab.disk.bytes() - before;
        assertEquals(List.of(MergeKind.OTHER), lab.recorder.kinds());
        assertEquals(written, budget.snapshot().grantedBytes());
        assertEquals(written, lab.tracker.totals(MergeKind.OTHER).writtenBytes());
        assertTrue(lab.recorder.finished.get(0).segment().isPresent(), "its segment is unknown");
      }
    }
    lab.checkSettled();
    MergeLab.check(lab.disk, intoAnEmptyIndex ? 1200 : 1201);
  }

  /** Lucene does not ask such a merge to reorder, so nothing shows its directory. */
  @Test
  void addIndexes_intoAnEmptySortedIndex_isChargedToTheDirectory() throws Exception {
    Sort sort = new Sort(new SortField("number", SortField.Type.LONG));
    IndexWriterConfig config = lab.config().setIndexSort(sort);
    try (Directory source = new ByteBuffersDirectory()) {
      buildSorted(source, sort);
      try (IndexWriter writer = new IndexWriter(lab.directory, config);
          DirectoryReader reader = DirectoryReader.open(source)) {
        writer.addIndexes(MergeKindTest.codecReaders(reader));
        lab.awaitNoneRuns();
        assertEquals(lab.disk.bytes(), budget.snapshot().grantedBytes());
        assertEquals(0, lab.tracker.totals(MergeKind.OTHER).writtenBytes());
        assertEquals(1, lab.tracker.totals(MergeKind.OTHER).done());
      }
    }
    lab.checkSettled();
    MergeLab.check(lab.disk, 120);
  }

  @Test
  void forceMerge_inASerialScheduler_isKnownAndTheCallerIsFreeAfterwards() throws Exception {
    MergeLab.build(lab.disk, 4, 100, MergeLab::text);
    IndexWriterConfig config = lab.config(new SerialMergeScheduler());
    try (IndexWriter writer = new IndexWriter(lab.directory, config)) {
      writer.forceMerge(2);
      writer.forceMerge(1);
      assertEquals(Set.of(MergeKind.FORCED), Set.copyOf(lab.recorder.kinds()));
      assertEquals(
          budget.snapshot().grantedBytes(), lab.tracker.totals(MergeKind.FORCED).writtenBytes());
      budget.setRate(Rate.PAUSED);
      writer.addDocument(MergeLab.document(-1));
      writer.flush(); // on the thread that merged: it must not be taken for a merge
    }
    lab.checkSettled();
    MergeLab.check(lab.disk, 401);
  }

  /** A policy below that wraps merges goes on working: it sees what it would see alone. */
  @Test
  void track_policyThatWrapsMerges_delegatesToItsMerges() throws Exception {
    MergeLab.build(lab.disk, 3, 50, MergeLab::text);
    List<String> calls = new CopyOnWriteArrayList<>();
    MergePolicy policy =
        new OneMergeWrappingMergePolicy(
            MergeLab.config(lab.scheduler).getMergePolicy(), merge -> new Noted(merge, calls));
    try (IndexWriter writer = lab.open(policy)) {
      writer.forceMerge(1);
    }
    assertEquals(
        List.of("init", "info", "reader", "reader", "reader", "reorder", "info", "finished true"),
        calls);
    assertEquals(1, lab.tracker.totals(MergeKind.FORCED).done());
    lab.checkSettled();
    MergeLab.check(lab.disk, 150);
  }

  /** As engines do. What the tracker cannot see it must not get wrong. */
  @Test
  void track_belowAPolicyThatHidesMerges_chargesBlindlyAndSaysSoOnce() throws Exception {
    MergeLab.build(lab.disk, 4, 50, MergeLab::text);
    long before = lab.disk.bytes();
    MergePolicy tracked = lab.tracker.track(new PairsMergePolicy());
    IndexWriterConfig config =
        lab.config()
            .setSoftDeletesField("deleted")
            .setMergePolicy(
                new SoftDeletesRetentionMergePolicy(
                    "deleted", () -> MatchAllDocsQuery.INSTANCE, tracked));
    try (CapturedLog log = CapturedLog.of(MergeTracker.class.getPackage());
        IndexWriter writer = new IndexWriter(lab.directory, config)) {
      writer.forceMerge(1);
      assertEquals(1, log.records().size(), () -> log.messages().toString());
      assertTrue(log.messages().get(0).contains("track the outermost policy"), log::toString);
      assertEquals(lab.disk.bytes() - before, budget.snapshot().grantedBytes());
      assertEquals(List.of(), lab.recorder.kinds());
      assertEquals(0, lab.tracker.cancelForcedMerges());
    }
    lab.checkSettled();
    MergeLab.check(lab.disk, 200);
  }

  /** Worse: one that passes on the begin of merges, and not their end. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void track_belowAPolicyThatHidesTheEnd_forgetsNoMerge(boolean serial) throws Exception {
    MergePolicy tracked = lab.tracker.track(MergeLab.config(lab.scheduler).getMergePolicy());
    IndexWriterConfig config =
        lab.config(serial ? new SerialMergeScheduler() : lab.scheduler)
            .setMaxFullFlushMergeWaitMillis(50_000);
    MergePolicy hiding = new OneMergeWrappingMergePolicy(tracked, Endless::new);
    try (IndexWriter writer = new IndexWriter(lab.directory, config)) {
      for (int round = 0; round < 3; round++) {
        commitWithMerge(writer, hiding, round);
        lab.scheduler.sync();
      }
    } finally {
      MergeReadPacing.end(); // of the last merge, whose end a serial scheduler hides on this thread
    }
    int merges = lab.recorder.started.size();
    assertTrue(merges >= 3, "each commit was to wait for a merge: " + merges);
    assertEquals(merges - 1, lab.tracker.totals(MergeKind.CRITICAL).failed());
    assertEquals(1, lab.tracker.running().size());
    MergeLab.check(lab.disk, 3 * SMALL_SEGMENTS);
  }

  /** A thread of a pool lives on, so only its next merge shows that the hidden one has ended. */
  @Test
  void track_belowAPolicyThatHidesTheEnd_failsTheMergeWhenItsPoolThreadBeginsAnother()
      throws Exception {
    IndexWriterConfig config =
        lab.config(new SerialMergeScheduler()).setMaxFullFlushMergeWaitMillis(50_000);
    MergePolicy hiding = new OneMergeWrappingMergePolicy(config.getMergePolicy(), Endless::new);
    try (ExecutorService one = Executors.newSingleThreadExecutor();
        ExecutorService other = Executors.newSingleThreadExecutor();
        IndexWriter writer = new IndexWriter(lab.directory, config)) {
      one.submit(() -> commitWithMerge(writer, hiding, 0)).get();
      List<String> hidden = runningSegments();
      assertEquals(1, hidden.size());
      other.submit(() -> commitWithMerge(writer, hiding, 1)).get();
      assertTrue(runningSegments().containsAll(hidden), "another thread's merge ended it");
      long failed = lab.tracker.totals(MergeKind.CRITICAL).failed();

      one.submit(() -> commitWithMerge(writer, hiding, 2)).get();

      assertTrue(Collections.disjoint(runningSegments(), hidden), hidden::toString);
      assertTrue(lab.tracker.totals(MergeKind.CRITICAL).failed() > failed, "it did not fail");
    }
    MergeLab.check(lab.disk, 3 * SMALL_SEGMENTS);
  }

  private List<String> runningSegments() {
    return lab.tracker.running().stream().map(merge -> merge.segment().orElseThrow()).toList();
  }

  /** Writes small segments, and commits; the commit waits for a merge of them. */
  private static Void commitWithMerge(IndexWriter writer, MergePolicy policy, int round)
      throws IOException {
    writer.getConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    for (int i = 0; i < SMALL_SEGMENTS; i++) {
      writer.addDocument(MergeLab.document(round * SMALL_SEGMENTS + i));
      writer.flush();
    }
    writer.getConfig().setMergePolicy(policy);
    writer.commit();
    return null;
  }

  /** An engine compares their number with the limit at which it slows indexing. */
  @Test
  void unfinishedMerges_countThoseThatRunAndThoseThatWaitForTheScheduler() throws Exception {
    lab.scheduler.setMaxMergesAndThreads(2, 1);
    budget.setRate(Rate.PAUSED);
    MergeLab.build(lab.disk, 8, 20, MergeLab::source);
    try (IndexWriter writer = lab.open(new PairsMergePolicy());
        AutoCloseable end = lab.unlimitedInTheEnd()) {
      assertEquals(0, lab.tracker.unfinishedMerges());
      FutureTask<Void> forced = MergeLab.forceMerge(writer);
      Await.until("two wait", () -> lab.tracker.running().size() == 2);
      assertEquals(4, lab.tracker.unfinishedMerges());
      budget.setRate(Rate.UNLIMITED);
      forced.get(20, TimeUnit.SECONDS);
      lab.awaitNoneRuns();
      assertEquals(0, lab.tracker.unfinishedMerges());
    }
    lab.checkSettled();
  }

  /** Lucene marks it as forced when it runs already; its kind, and so its account, is kept. */
  @Test
  void forceMerge_ofWhatANaturalMergeMerges_waitsForThatMerge() throws Exception {
    budget.setRate(Rate.PAUSED);
    MergeLab.build(lab.disk, 2, 20, MergeLab::source);
    try (IndexWriter writer = lab.open(new PairsMergePolicy());
        AutoCloseable end = lab.unlimitedInTheEnd()) {
      writer.maybeMerge();
      lab.awaitWaiting();
      assertTrue(lab.tracker.forcedMerge().isEmpty(), "nothing is forced yet");

      FutureTask<Void> forced = MergeLab.forceMerge(writer);

      Await.until("it is awaited", () -> lab.tracker.forcedMerge().isPresent());
      assertEquals(1, lab.tracker.forcedMerge().orElseThrow().merges());
      assertEquals(MergeKind.NATURAL, lab.tracker.running().get(0).kind());
      assertEquals(0, lab.tracker.totals(MergeKind.FORCED).running());
      assertEquals(1, lab.tracker.cancelForcedMerges());
      forced.get(20, TimeUnit.SECONDS); // Lucene reports no exception of a merge that ran before
      lab.awaitNoneRuns();
      assertEquals(1, lab.tracker.totals(MergeKind.NATURAL).aborted());
    }
    lab.checkSettled();
  }

  @Test
  void track_aPolicyThatIsTracked_isThatPolicy() {
    MergePolicy tracked = lab.tracker.track(new PairsMergePolicy());
    assertSame(tracked, lab.tracker.track(tracked));
  }

  /** An engine replaces the policy of a writer that is open. */
  @Test
  void track_policySetOnAnOpenWriter_knowsTheNextMerges() throws Exception {
    MergeLab.build(lab.disk, 3, 50, MergeLab::text);
    IndexWriterConfig config = MergeLab.config(lab.scheduler);
    try (IndexWriter writer = new IndexWriter(lab.directory, config)) {
      writer.getConfig().setMergePolicy(lab.tracker.track(writer.getConfig().getMergePolicy()));
      writer.forceMerge(1);
    }
    assertEquals(List.of(MergeKind.FORCED), lab.recorder.kinds());
    lab.checkSettled();
  }

  @Test
  void track_withoutARateLimitedDirectory_knowsMergesAndSaysThatTheyAreNotCharged()
      throws Exception {
    MergeLab.build(lab.disk, 3, 50, MergeLab::text);
    try (CapturedLog log = CapturedLog.of(MergeTracker.class.getPackage());
        IndexWriter writer = new IndexWriter(lab.disk, lab.config())) {
      writer.forceMerge(1);
      assertEquals(1, log.records().size(), () -> log.messages().toString());
    }
    assertEquals(1, lab.tracker.totals(MergeKind.FORCED).done());
    assertEquals(0, budget.snapshot().grantedBytes());
    lab.checkSettled();
  }

  /**
   * Two trackers that share a budget get the same, or shares by weight, while both compete. On a
   * busy machine a thread may come late, and its share goes to the other; but not in each window.
   */
  @ParameterizedTest
  @CsvSource({"1, true", "3, true", "3, false"})
  void forceMerge_twoIndexesOnOneBudget_shareItByWeight(int weight, boolean before)
      throws Exception {
    ByteBudget shared = new ByteBudget(BudgetOptions.named("node").withRate(Rate.PAUSED));
    TrackerLab light = new TrackerLab(new ByteBuffersDirectory(), shared);
    TrackerLab heavy = new TrackerLab(new ByteBuffersDirectory(), shared);
    if (before) {
      heavy.tracker.setShareWeight(weight);
    }
    MergeLab.build(light.disk, 2, 4000, MergeLab::source);
    MergeLab.build(heavy.disk, 2, 4000, MergeLab::source);
    List<Double> ratios = new ArrayList<>();
    try (IndexWriter one = light.open();
        IndexWriter two = heavy.open();
        AutoCloseable end = light.unlimitedInTheEnd()) {
      FutureTask<Void> first = MergeLab.forceMerge(one);
      FutureTask<Void> second = MergeLab.forceMerge(two);
      Await.until("both wait", () -> shared.snapshot().waiting() == 2);
      if (!before) {
        heavy.tracker.setShareWeight(weight);
      }
      shared.setBytesPerSecond(2_000_000);
      while (ratios.size() < 8 && ratios.stream().noneMatch(r -> isNear(weight, r))) {
        long ofLight = forced(light);
        long ofHeavy = forced(heavy);
        long goal = shared.snapshot().grantedBytes() + 600_000;
        Await.until("a window is full", () -> shared.snapshot().grantedBytes() > goal);
        ratios.add((double) (forced(heavy) - ofHeavy) / (forced(light) - ofLight));
      }
      shared.setRate(Rate.UNLIMITED);
      first.get();
      second.get();
    }
    assertTrue(isNear(weight, ratios.get(ratios.size() - 1)), ratios::toString);
    light.checkSettled();
    heavy.checkSettled();
  }

  @Test
  void setRate_ofOneKind_holdsThatKindAlone() throws Exception {
    lab.tracker.setRate(MergeKind.FORCED, Rate.PAUSED);
    assertThrows(
        IllegalArgumentException.class, () -> lab.tracker.setRate(MergeKind.CRITICAL, Rate.PAUSED));
    MergeLab.build(lab.disk, 3, 50, MergeLab::text);
    try (IndexWriter writer = lab.open();
        AutoCloseable end = lab.unlimitedInTheEnd()) {
      FutureTask<Void> forced = MergeLab.forceMerge(writer);
      lab.awaitWaiting();
      assertTrue(lab.tracker.forcedMerge().isPresent(), "no progress");
      lab.tracker.setRate(MergeKind.FORCED, Rate.UNLIMITED);
      forced.get(20, TimeUnit.SECONDS);
    }
    lab.checkSettled();
  }

  /** Lifted, it runs; held again, it waits: the same merge, in the middle. */
  @Test
  void setLifted_whileAMergeRuns_actsOnItBothWays() throws Exception {
    budget.setRate(Rate.PAUSED);
    MergeLab.build(lab.disk, 2, 2000, MergeLab::source);
    AtomicBoolean lowered = new AtomicBoolean();
    StepDirectory lowering =
        new StepDirectory(
            lab.disk,
            10,
            () -> {
              lab.tracker.setLifted(false);
              lowered.set(true);
            });
    Directory directory = new RateLimitedDirectory(lowering, budget);
    try (IndexWriter writer = new IndexWriter(directory, lab.config());
        AutoCloseable end = lab.unlimitedInTheEnd()) {
      FutureTask<Void> forced = MergeLab.forceMerge(writer);
      lab.awaitWaiting();
      lab.tracker.setLifted(true);
      Await.until("it runs, and is held again", lowered::get);
      lab.awaitWaiting();
      assertTrue(!forced.isDone(), "it did not wait again");
      lab.tracker.setLifted(true);
      forced.get(20, TimeUnit.SECONDS);
      assertEquals(3, lab.recorder.news.size(), () -> lab.recorder.news.toString());
    }
    lab.checkSettled();
    MergeLab.check(lab.disk, 4000);
  }

  private static boolean isNear(int weight, double ratio) {
    return Math.abs(ratio - weight) <= 0.25 * weight;
  }

  private static long forced(TrackerLab lab) {
    return lab.tracker.totals(MergeKind.FORCED).writtenBytes();
  }

  private static void buildSorted(Directory directory, Sort sort) throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig().setIndexSort(sort))) {
      for (int i = 0; i < 120; i++) {
        Document document = MergeLab.document(i);
        document.add(new NumericDocValuesField("number", i * 31 % 50));
        writer.addDocument(document);
      }
    }
  }

  /** Passes on all but the end. */
  private static final class Endless extends OneMerge {

    private final OneMerge in;

    Endless(OneMerge in) {
      super(in);
      this.in = in;
    }

    @Override
    public void setMergeInfo(SegmentCommitInfo info) {
      super.setMergeInfo(info);
      in.setMergeInfo(info);
    }

    @Override
    public CodecReader wrapForMerge(CodecReader reader) throws IOException {
      return in.wrapForMerge(reader);
    }
  }

  /** Notes what the writer calls. */
  private static final class Noted extends OneMerge {

    private final List<String> calls;

    Noted(OneMerge merge, List<String> calls) {
      super(merge);
      this.calls = calls;
    }

    @Override
    public void mergeInit() throws IOException {
      super.mergeInit();
      calls.add("init");
    }

    @Override
    public void setMergeInfo(SegmentCommitInfo info) {
      super.setMergeInfo(info);
      calls.add("info");
    }

    @Override
    public CodecReader wrapForMerge(CodecReader reader) throws IOException {
      calls.add("reader");
      return super.wrapForMerge(reader);
    }

    @Override
    public Sorter.DocMap reorder(CodecReader reader, Directory dir, Executor executor)
        throws IOException {
      calls.add("reorder");
      return super.reorder(reader, dir, executor);
    }

    @Override
    public void mergeFinished(boolean success, boolean dropped) throws IOException {
      super.mergeFinished(success, dropped);
      calls.add("finished " + success);
    }
  }
}
