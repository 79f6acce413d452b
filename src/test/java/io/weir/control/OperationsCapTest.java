package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.Weir;
import io.weir.fakes.CapturedLog;
import io.weir.fakes.SteppedClock;
import io.weir.merge.ForcedMergeProgress;
import io.weir.merge.MergeActivity;
import io.weir.merge.MergeDebtSnapshot;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.merge.MergeListener;
import io.weir.merge.MergeTotals;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.Rate;
import io.weir.stress.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The loop around the policy: the budget, the counters, the close; and one real merge. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class OperationsCapTest {

  private static final long LIMIT = 150;
  private static final Rate START =
      Rate.perSecond(Math.round(LIMIT * OperationPrices.BYTES_PER_OPERATION_AT_FIRST));

  /** Four operations, while no price is known. */
  private static final int BYTES_OF_A_TICK = 65_536;

  @TempDir Path temp;

  private final SteppedClock clock = new SteppedClock();
  private final ByteBudget budget = ByteBudget.unlimited();
  private final ByteBudget debited = budget.child(BudgetOptions.named("debited"));
  private SimulatedMachine machine;
  private long operations;

  @BeforeEach
  void machine() throws IOException {
    machine = new SimulatedMachine(temp);
    machine.device(0);
    debited.setPacing(Pacing.DEBITED);
  }

  private OperationsCap cap(MergeActivity... merges) throws IOException {
    OperationsCounter counter =
        OperationsCounter.of(machine.onDisk, OperationsScope.DEVICE, machine.procfs());
    return OperationsCap.begin(counter, LIMIT, budget, List.of(merges), clock);
  }

  /** Ticks in each of which so many operations are done, while a merge writes. */
  private void ticks(OperationsCap cap, int count, long operationsInTick) throws Exception {
    for (int i = 0; i < count; i++) {
      clock.awaitParked(cap.thread());
      operations += operationsInTick;
      machine.device(operations);
      debited.acquire(BYTES_OF_A_TICK);
      clock.advanceNanos(OperationsCap.TICK_NANOS);
    }
    clock.awaitParked(cap.thread());
  }

  @Test
  void beginning_setsTheStart_andCloseGivesTheCeilingBack() throws Exception {
    OperationsCap cap = cap();
    ticks(cap, 1, 0);
    assertEquals(START, budget.rate());
    cap.close();
    cap.close();
    assertEquals(Rate.UNLIMITED, budget.rate());
    assertFalse(cap.thread().isAlive());
  }

  @Test
  void tooManyOperations_cutTheRate_andTheSnapshotSaysWhy() throws Exception {
    try (OperationsCap cap = cap()) {
      ticks(cap, 1, 100);
      assertEquals(OperationsReason.OVER, cap.snapshot().reason());
      assertTrue(
          budget.rate().bytesPerSecond() < START.bytesPerSecond() / 2, () -> "" + budget.rate());

      ticks(cap, 99, 15);
      OperationsSnapshot snapshot = cap.snapshot();
      assertEquals("sda", snapshot.device());
      assertEquals(158.5, snapshot.measuredPerSecond().orElseThrow(), 0.01);
      assertEquals(Rate.UNLIMITED, snapshot.ceiling());
      assertTrue(
          snapshot
              .describe()
              .matches(
                  "15[89] of at most 150 operations/s on sda \\(the device\\);"
                      + " merges: \\d+\\.\\d MB/s \\(.+\\)"),
          snapshot.describe());
    }
  }

  /** Merges of which only the written bytes are known, in ticks of the clock. */
  private final class TwoKindsOfWork implements MergeActivity {

    private long reads;
    private long writes;
    private volatile long writtenBytes;

    /** 8 reads of 100 kB each tick. */
    void verify(OperationsCap cap, int ticks) throws Exception {
      for (int i = 0; i < ticks; i++) {
        reads += 8;
        tick(cap, 800_000);
      }
    }

    /** 10 writes of 10 kB each tick. */
    void copy(OperationsCap cap, int ticks) throws Exception {
      for (int i = 0; i < ticks; i++) {
        writes += 10;
        writtenBytes += 100_000;
        tick(cap, 100_000);
      }
    }

    void tick(OperationsCap cap, long bytes) throws Exception {
      clock.awaitParked(cap.thread());
      machine.device(reads, writes);
      debited.acquire(bytes);
      clock.advanceNanos(OperationsCap.TICK_NANOS);
      clock.awaitParked(cap.thread());
    }

    @Override
    public MergeKindTotals totals(MergeKind kind) {
      return new MergeKindTotals(
          0, 0, 0, 0, kind == MergeKind.NATURAL ? writtenBytes : 0, 0, 0, 0, 0);
    }

    @Override
    public MergeDebtSnapshot debt() {
      return new MergeDebtSnapshot(
          0,
          OptionalDouble.empty(),
          0,
          OptionalLong.empty(),
          0,
          1,
          OptionalInt.empty(),
          Optional.empty(),
          Duration.ofMinutes(1));
    }

    @Override
    public Optional<ForcedMergeProgress> forcedMerge() {
      return Optional.empty();
    }

    @Override
    public List<MergeTotals> running() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void addListener(MergeListener listener) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void removeListener(MergeListener listener) {
      throw new UnsupportedOperationException();
    }
  }

  /** What merges did not write of their bytes, they read; so a change of work is seen at once. */
  @Test
  void mergesThatWriteAfterTheyVerified_areSlowedDown_beforeTheDiskShowsIt() throws Exception {
    TwoKindsOfWork merges = new TwoKindsOfWork();
    try (OperationsCap cap = cap(merges)) {
      merges.verify(cap, 20);
      merges.copy(cap, 20);
      merges.verify(cap, 20);
      long verifying = budget.rate().bytesPerSecond();
      merges.writtenBytes += 800_000;
      merges.tick(cap, 800_000); // no operation yet

      assertEquals(OperationsReason.OTHER_WORK, cap.snapshot().reason());
      assertEquals(verifying / 10.0, budget.rate().bytesPerSecond(), verifying / 50.0);
    }
  }

  @Test
  void countersThatVanish_leaveTheRate_areLoggedOnce_andSaid() throws Exception {
    try (OperationsCap cap = cap();
        CapturedLog log = CapturedLog.of(TickThread.class.getPackage())) {
      ticks(cap, 20, 15);
      Rate before = budget.rate();
      machine.noDeviceCounters();
      for (int i = 0; i < 5; i++) {
        clock.advanceNanos(OperationsCap.TICK_NANOS);
        clock.awaitParked(cap.thread());
      }

      assertEquals(before, budget.rate());
      OperationsSnapshot snapshot = cap.snapshot();
      assertEquals(OperationsReason.UNKNOWN, snapshot.reason());
      assertTrue(snapshot.measuredPerSecond().isEmpty());
      assertTrue(
          snapshot.describe().startsWith("an unknown number of at most 150"), snapshot::describe);
      assertEquals(1, log.messages().size(), () -> "" + log.messages());

      machine.device(operations += 1000);
      clock.advanceNanos(OperationsCap.TICK_NANOS);
      clock.awaitParked(cap.thread());
      ticks(cap, 10, 15);
      assertEquals(150, cap.snapshot().measuredPerSecond().orElseThrow(), 0.01);
    }
  }

  @Test
  void rateOfSomebodyElse_isTheNewCeiling_andStays() throws Exception {
    OperationsCap cap = cap();
    ticks(cap, 1, 0);
    budget.setBytesPerSecond(1_000_000);
    ticks(cap, 3, 1);
    assertEquals(Rate.perSecond(1_000_000), budget.rate());
    assertEquals(Rate.perSecond(1_000_000), cap.snapshot().ceiling());
    cap.close();
    assertEquals(Rate.perSecond(1_000_000), budget.rate());
  }

  @Test
  void pause_isKept_alsoByTheClose() throws Exception {
    OperationsCap cap = cap();
    ticks(cap, 1, 0);
    budget.setRate(Rate.PAUSED);
    ticks(cap, 3, 100);
    assertEquals(Rate.PAUSED, budget.rate());
    assertEquals(OperationsReason.PAUSED, cap.snapshot().reason());
    cap.close();
    assertEquals(Rate.PAUSED, budget.rate());
  }

  @Test
  void budget_hasOneController_butAParentMayHaveAnother() throws Exception {
    try (OperationsCap cap = cap()) {
      assertEquals(budget, cap.budget());
      assertThrows(IllegalStateException.class, this::cap);
      IllegalStateException refused =
          assertThrows(
              IllegalStateException.class,
              () -> new LatencyGoal(budget, List.of(), GoalOptions.DEFAULT));
      assertTrue(refused.getMessage().contains("one controller"), refused.getMessage());
      ByteBudget child = budget.child(BudgetOptions.named("child"));
      new LatencyGoal(child, List.of(), GoalOptions.DEFAULT).close();
    }
    new LatencyGoal(budget, List.of(), GoalOptions.DEFAULT).close();
  }

  @Test
  void limitOutOfRange_isRefused() {
    Weir weir = new Weir(budget);
    for (long limit : new long[] {-1, 0, 9, OperationsCap.MOST_OPERATIONS_PER_SECOND + 1}) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> weir.capOperations(temp, limit));
      assertTrue(refused.getMessage().endsWith(": " + limit), refused.getMessage());
    }
  }

  /** On this machine's own disk: a real merge under a cap that holds it back. */
  @Test
  void realMerge_isHeldBack_andEnds() throws Exception {
    Path index = temp.resolve("index");
    try {
      OperationsCounter.of(index, OperationsScope.DEVICE, Procfs.SYSTEM);
    } catch (IOException e) {
      assumeTrue(false, "SKIPPED: " + e.getMessage());
    }
    Weir weir =
        new Weir(
            new ByteBudget(BudgetOptions.of(Rate.UNLIMITED).counting(Counting.READS_AND_WRITES)));
    try (Directory directory = weir.directory(index);
        IndexWriter writer = fourSegments(directory, weir);
        OperationsCap cap = weir.capOperations(index, 100)) {
      Await.until("it decides", () -> weir.budget().rate().isLimited());
      long begun = System.nanoTime();
      writer.forceMerge(1);
      double seconds = (System.nanoTime() - begun) / 1e9;
      assertTrue(seconds > 0.5, () -> "4 MB begin with 1.6 MB/s: " + seconds);
      assertTrue(cap.snapshot().measuredPerSecond().isPresent());
    }
    assertEquals(Rate.UNLIMITED, weir.budget().rate());
    try (Directory directory = FSDirectory.open(index);
        CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean);
    }
  }

  private static IndexWriter fourSegments(Directory directory, Weir weir) throws IOException {
    IndexWriter writer =
        new IndexWriter(
            directory,
            weir.configure(new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE)));
    Random random = new Random(1);
    for (int segment = 0; segment < 4; segment++) {
      for (int i = 0; i < 100; i++) {
        byte[] noise = new byte[10_000];
        random.nextBytes(noise);
        Document document = new Document();
        document.add(new StoredField("noise", noise));
        writer.addDocument(document);
      }
      writer.commit();
    }
    writer.getConfig().setMergePolicy(new TieredMergePolicy());
    return writer;
  }
}
