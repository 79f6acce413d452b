package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.fakes.StrikingDirectory;
import io.weir.fakes.StrikingDirectory.Place;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetOptions.Counting;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A forced merge fails at its i-th operation of a kind, and at the same moment its budget is
 * paused: whoever called {@code forceMerge} gets the failure, and not when the pause ends.
 */
@Timeout(300)
class FailedMergeTest {

  private static final long BOUND_SECONDS = 20;
  private static final int SEGMENTS = 3;
  private static final int DOCUMENTS = 40;
  private static final int STRIKES = 12;

  /** So many that a codec which writes about each when it closes needs several grants. */
  private static final int FIELDS = 900;

  private static final Directory INDEX = new ByteBuffersDirectory();

  /** Who charges the merge. */
  enum Setup {
    FACADE,
    /** So does what the merge reads: more at each look than a second of any cap. */
    READS_TOO,
    SCHEDULER_ALONE,
    TRACKER,
    DIRECTORY_ALONE
  }

  private final Thread.UncaughtExceptionHandler handlerBefore =
      Thread.getDefaultUncaughtExceptionHandler();

  @BeforeAll
  static void build() throws IOException {
    MergeLab.build(INDEX, SEGMENTS, DOCUMENTS, FailedMergeTest::fields);
  }

  @BeforeEach
  void mergesFailQuietly() {
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {});
  }

  @AfterEach
  void restoreHandler() {
    Thread.setDefaultUncaughtExceptionHandler(handlerBefore);
  }

  @ParameterizedTest
  @CsvSource({
    "FACADE,WRITE_BELOW,false",
    "FACADE,WRITE_BELOW,true",
    "FACADE,WRITE_ABOVE,false",
    "FACADE,READ,true",
    "READS_TOO,READ,false",
    "READS_TOO,WRITE_ABOVE,true",
    "SCHEDULER_ALONE,WRITE_ABOVE,false",
    "SCHEDULER_ALONE,WRITE_BELOW,false",
    "TRACKER,WRITE_ABOVE,true",
    "TRACKER,READ,false",
    "DIRECTORY_ALONE,WRITE_ABOVE,true",
    "DIRECTORY_ALONE,WRITE_BELOW,false"
  })
  void merge_thatFailsAtAnyOperation_whileTheBudgetIsPaused_isReported(
      Setup setup, Place place, boolean compound) throws Exception {
    long operations = merge(setup, place, compound, Long.MAX_VALUE);
    assertTrue(operations > STRIKES, "only " + operations);
    List<String> hung = new ArrayList<>();
    for (int strike = 0; strike < STRIKES; strike++) {
      long at = 1 + strike * (operations - 1) / (STRIKES - 1);
      try {
        merge(setup, place, compound, at);
      } catch (TimeoutException e) {
        hung.add(at + " of " + operations);
      }
    }
    assertEquals(List.of(), hung, "not reported");
  }

  /** Returns how many operations of that kind there were. */
  private static long merge(Setup setup, Place place, boolean compound, long strikeAt)
      throws Exception {
    ByteBudget budget =
        new ByteBudget(
            BudgetOptions.named("test").counting(Counting.ofReads(setup == Setup.READS_TOO)));
    try (Directory disk = MergeLab.copyOf(INDEX)) {
      StrikingDirectory below = new StrikingDirectory(disk);
      Weir weir = Weir.builder().budget(budget).open(below);
      MergeLab.Recorder recorder = new MergeLab.Recorder();
      weir.scheduler().addListener(recorder);
      StrikingDirectory above =
          new StrikingDirectory(
              switch (setup) {
                case FACADE, READS_TOO -> weir.directory();
                case SCHEDULER_ALONE -> below;
                case TRACKER, DIRECTORY_ALONE -> new RateLimitedDirectory(below, budget);
              });
      StrikingDirectory striking = place == Place.WRITE_BELOW ? below : above;
      IndexWriter writer = new IndexWriter(above, config(setup, weir, compound));
      striking.strikeAt(place, strikeAt, () -> pauseAndFail(budget));
      try {
        FutureTask<Void> forced = MergeLab.forceMerge(writer);
        if (strikeAt == Long.MAX_VALUE) {
          forced.get();
        } else {
          assertIsOfTheTest(failureOf(forced));
          assertEquals(Rate.PAUSED, budget.rate());
        }
        writer.rollback();
        Await.until("it has ended", () -> recorder.finished.size() == recorder.started.size());
        assertEquals(0, budget.snapshot().waiting());
        if (setup != Setup.SCHEDULER_ALONE) {
          long reads =
              recorder.finished.stream().mapToLong(merge -> merge.readBytes().orElse(0)).sum();
          assertEquals(setup == Setup.READS_TOO, reads > 0);
          assertEquals(below.bytes() + reads, budget.snapshot().grantedBytes(), "charged");
        }
      } finally {
        budget.setRate(Rate.UNLIMITED);
        writer.rollback();
      }
      return striking.operations();
    }
  }

  /** Both write their own files on the calling thread, and delete them when they fail. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void addIndexes_thatFailsAtAnyRead_whileTheBudgetIsPaused_isReported(boolean ofReaders)
      throws Exception {
    long operations = addIndexes(ofReaders, Long.MAX_VALUE);
    List<String> hung = new ArrayList<>();
    for (int strike = 0; strike < STRIKES; strike++) {
      long at = 1 + strike * (operations - 1) / (STRIKES - 1);
      try {
        addIndexes(ofReaders, at);
      } catch (TimeoutException e) {
        hung.add(at + " of " + operations);
      }
    }
    assertEquals(List.of(), hung, "not reported");
  }

  private static long addIndexes(boolean ofReaders, long strikeAt) throws Exception {
    ByteBudget budget = ByteBudget.unlimited();
    Weir weir = Weir.builder().budget(budget).open(new ByteBuffersDirectory());
    AtomicBoolean adding = new AtomicBoolean();
    StrikingDirectory source = new StrikingDirectory(MergeLab.copyOf(INDEX), adding::get);
    try (source;
        Directory directory = weir.directory()) {
      IndexWriter writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig()));
      DirectoryReader reader = DirectoryReader.open(source);
      try (reader) {
        source.strikeAt(Place.READ, strikeAt, () -> pauseAndFail(budget));
        adding.set(true);
        FutureTask<Void> added =
            MergeLab.start(
                () -> {
                  if (ofReaders) {
                    writer.addIndexes(MergeKindTest.codecReaders(reader));
                  } else {
                    writer.addIndexes(source);
                  }
                });
        if (strikeAt == Long.MAX_VALUE) {
          added.get();
        } else {
          assertIsOfTheTest(failureOf(added));
        }
        assertEquals(0, budget.snapshot().waiting());
      } finally {
        budget.setRate(Rate.UNLIMITED);
        writer.rollback();
      }
      return source.operations();
    }
  }

  /** The ends of files alone must not let it pass. */
  @ParameterizedTest
  @EnumSource
  void merge_thatBeginsWhileTheBudgetIsPaused_writesNothing(Setup setup) throws Exception {
    ByteBudget budget = ByteBudget.unlimited();
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 5, 1, (document, random) -> {});
      StrikingDirectory below = new StrikingDirectory(disk);
      Weir weir = Weir.builder().budget(budget).open(below);
      Directory directory =
          switch (setup) {
            case FACADE, READS_TOO -> weir.directory();
            case SCHEDULER_ALONE -> below;
            case TRACKER, DIRECTORY_ALONE -> new RateLimitedDirectory(below, budget);
          };
      IndexWriter writer = new IndexWriter(directory, config(setup, weir, true));
      budget.setRate(Rate.PAUSED);
      FutureTask<Void> forced = MergeLab.forceMerge(writer);
      try {
        Await.until("it waits", () -> budget.snapshot().waiting() > 0);
        assertEquals(0, below.bytes());
      } finally {
        budget.setRate(Rate.UNLIMITED);
      }
      forced.get();
      assertTrue(below.bytes() > 0);
      writer.close();
    }
  }

  private static void pauseAndFail(ByteBudget budget) throws IOException {
    budget.setRate(Rate.PAUSED);
    throw new CorruptIndexException("so the test says", "the input");
  }

  private static Throwable failureOf(FutureTask<Void> forced)
      throws InterruptedException, TimeoutException {
    try {
      forced.get(BOUND_SECONDS, TimeUnit.SECONDS);
      throw new AssertionError("nothing failed");
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  private static void assertIsOfTheTest(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof CorruptIndexException) {
        return;
      }
    }
    throw new AssertionError("another failure", failure);
  }

  private static IndexWriterConfig config(Setup setup, Weir weir, boolean compound) {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(compound ? 1 : 0);
    ConcurrentMergeScheduler stock =
        new ConcurrentMergeScheduler() {
          @Override
          protected void handleMergeException(Throwable failure) {} // tests cause some
        };
    IndexWriterConfig config =
        new IndexWriterConfig().setMergePolicy(policy).setMergeScheduler(stock);
    return switch (setup) {
      case FACADE -> weir.configure(config);
      case READS_TOO -> {
        weir.scheduler().setReadMeter(() -> Optional.of(new Reading()));
        yield weir.configure(config);
      }
      case SCHEDULER_ALONE ->
          config.setMergeScheduler(weir.scheduler()).setMaxFullFlushMergeWaitMillis(0);
      case TRACKER ->
          config.setMergePolicy(new MergeTracker(weir.budget()).track(config.getMergePolicy()));
      case DIRECTORY_ALONE -> config;
    };
  }

  private static void fields(Document document, Random random) {
    MergeLab.source(document, random);
    MergeLab.text(document, random);
    MergeLab.widePoints(document, random);
    document.add(new NumericDocValuesField("number", random.nextLong()));
    document.add(
        new SortedSetDocValuesField("set", new BytesRef(Integer.toString(random.nextInt(50)))));
    document.add(
        new KnnFloatVectorField("vector", new float[] {random.nextFloat(), random.nextFloat()}));
    for (int i = 0; i < FIELDS / DOCUMENTS; i++) {
      String field = "field" + random.nextInt(FIELDS);
      document.add(new StringField(field, Long.toString(random.nextLong(), 36), Field.Store.NO));
    }
  }

  /** A merge thread that has read four megabytes since anyone looked. */
  private static final class Reading implements MergeReadMeter.Counter {

    @Override
    public long bytesSinceLast() {
      return 4 << 20;
    }

    @Override
    public void close() {}
  }
}
