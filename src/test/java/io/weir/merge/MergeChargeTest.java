package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CountingDirectory;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.store.RateLimitedDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.OneMergeWrappingMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Charged equals written, each byte once, wherever the charging stands. */
@SuppressWarnings("try")
class MergeChargeTest {

  private final ByteBudget budget = new ByteBudget(BudgetOptions.named("disk"));
  private final MergeLab.Recorder recorder = new MergeLab.Recorder();

  @TempDir Path temp;

  /** What stands between the writer and the disk, and what the scheduler is given. */
  enum Setup {
    SCHEDULER_ALONE(0) {
      @Override
      Directory directory(Directory disk, ByteBudget budget) {
        return disk;
      }
    },
    SAME_BUDGET(0) {
      @Override
      Directory directory(Directory disk, ByteBudget budget) {
        return new RateLimitedDirectory(disk, budget);
      }
    },
    DIRECTORY_BELOW_NRT_CACHE(0) {
      @Override
      Directory directory(Directory disk, ByteBudget budget) {
        return new NRTCachingDirectory(new RateLimitedDirectory(disk, budget), 0.001, 0.001);
      }
    },
    DIRECTORY_HAS_A_CHILD(1) {
      @Override
      Directory directory(Directory disk, ByteBudget budget) {
        return new RateLimitedDirectory(disk, budget.child(BudgetOptions.named("index")));
      }
    },
    DIRECTORY_HAS_ANOTHER(1) {
      @Override
      Directory directory(Directory disk, ByteBudget budget) {
        return new RateLimitedDirectory(disk, new ByteBudget(BudgetOptions.named("other")));
      }
    },
    TWO_DIRECTORIES(1) {
      @Override
      Directory directory(Directory disk, ByteBudget budget) {
        return new RateLimitedDirectory(
            new RateLimitedDirectory(disk, budget), budget.child(BudgetOptions.named("index")));
      }
    };

    private final int ownBudgets;

    Setup(int ownBudgets) {
      this.ownBudgets = ownBudgets;
    }

    abstract Directory directory(Directory disk, ByteBudget budget);
  }

  @ParameterizedTest
  @EnumSource(Setup.class)
  void forceMerge_text_chargesWhatIsWritten(Setup setup) throws Exception {
    audit(setup, config -> config, MergeLab::text, 3, 600);
  }

  @ParameterizedTest
  @EnumSource(Setup.class)
  void forceMerge_compoundFile_chargesItAsWell(Setup setup) throws Exception {
    Written written =
        audit(
            setup,
            config -> {
              config.getMergePolicy().setNoCFSRatio(1);
              return config;
            },
            MergeLab::text,
            3,
            600);
    assertTrue(written.compound() > 10_000, "no compound file");
    assertEquals(written.compound(), recorder.finished.get(0).compoundBytes());
  }

  /** Lucene merges on several threads only what it thinks is large. */
  @ParameterizedTest
  @EnumSource(names = {"SCHEDULER_ALONE", "SAME_BUDGET"})
  void forceMerge_pointsOnIntraMergeThreads_chargesTheirTemporaryFiles(Setup setup)
      throws Exception {
    Written written =
        audit(
            setup,
            config -> {
              MergePolicy policy = config.getMergePolicy();
              return config.setMergePolicy(new OneMergeWrappingMergePolicy(policy, Large::new));
            },
            (document, random) -> {
              MergeLab.widePoints(document, random);
              document.add(new NumericDocValuesField("number", random.nextLong()));
            },
            3,
            1500);
    assertTrue(written.temporary() > written.all() / 3, "no temporary files");
    assertEquals(written.temporary(), recorder.finished.get(0).temporaryBytes());
    assertEquals(Large.SAID_BYTES, recorder.finished.get(0).estimatedBytes().getAsLong());
  }

  @ParameterizedTest
  @EnumSource(names = {"SCHEDULER_ALONE", "SAME_BUDGET"})
  void forceMerge_vectors_chargesWhatIsWritten(Setup setup) throws Exception {
    audit(
        setup,
        config -> config,
        (document, random) -> {
          float[] vector = new float[16];
          for (int i = 0; i < vector.length; i++) {
            vector[i] = random.nextFloat();
          }
          document.add(new KnnFloatVectorField("vector", vector));
        },
        3,
        600);
  }

  @ParameterizedTest
  @EnumSource(names = {"SCHEDULER_ALONE", "SAME_BUDGET"})
  void addIndexes_ofReaders_chargesWhatIsWritten(Setup setup) throws Exception {
    try (Directory source = FSDirectory.open(temp.resolve("source"));
        CountingDirectory below = new CountingDirectory(FSDirectory.open(temp.resolve("to")))) {
      MergeLab.build(source, 2, 600, MergeLab::text);
      RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
      IndexWriterConfig config = MergeLab.config(scheduler).setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(setup.directory(below, budget), config);
          DirectoryReader reader = DirectoryReader.open(source)) {
        writer.addIndexes(MergeKindTest.codecReaders(reader));
        scheduler.sync();
        assertTrue(below.bytes() > 10_000, "nothing was merged");
        assertEquals(below.bytes(), budget.snapshot().grantedBytes());
        assertEquals(below.bytes(), scheduler.totals(MergeKind.OTHER).writtenBytes());
      }
      MergeLab.check(below, 1200);
    }
  }

  /** No merge of the scheduler, but the directory charges it, and only there. */
  @Test
  void addIndexes_ofDirectories_chargesTheCopies() throws Exception {
    try (Directory source = FSDirectory.open(temp.resolve("source"));
        CountingDirectory below = new CountingDirectory(FSDirectory.open(temp.resolve("to")))) {
      MergeLab.build(source, 2, 600, MergeLab::text);
      IndexWriterConfig config =
          MergeLab.config(new RateLimitedMergeScheduler(budget))
              .setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer =
          new IndexWriter(Setup.SAME_BUDGET.directory(below, budget), config)) {
        writer.addIndexes(source);
        assertTrue(below.bytes() > 10_000, "nothing was copied");
        assertEquals(below.bytes(), budget.snapshot().grantedBytes());
      }
      MergeLab.check(below, 1200);
    }
  }

  private record Written(long all, long temporary, long compound) {}

  private Written audit(
      Setup setup,
      UnaryOperator<IndexWriterConfig> change,
      BiConsumer<Document, Random> fields,
      int segments,
      int documents)
      throws Exception {
    try (Directory disk = FSDirectory.open(temp)) {
      MergeLab.build(disk, segments, documents, fields);
    }
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setMaxMergesAndThreads(8, 4);
    scheduler.addListener(recorder);
    CountingDirectory below = new CountingDirectory(FSDirectory.open(temp));
    Directory directory = setup.directory(below, budget);
    IndexWriterConfig config = change.apply(MergeLab.config(scheduler));
    Written parts;
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      writer.forceMerge(1);
      scheduler.sync();
      long written = below.bytes();
      parts =
          new Written(
              written,
              below.bytesOfFilesEnding(".tmp"),
              below.bytesOfFilesEnding(".cfs") + below.bytesOfFilesEnding(".cfe"));
      assertTrue(written > 10_000, "nothing was merged");
      assertEquals(written, budget.snapshot().grantedBytes());
      assertEquals(written, scheduler.totals(MergeKind.FORCED).writtenBytes());
      assertEquals(written, recorder.finished.get(0).writtenBytes());
      if (setup.ownBudgets > 0) {
        assertEquals(
            written, ((RateLimitedDirectory) directory).budget().snapshot().grantedBytes());
      }
      assertEquals(1, scheduler.totals(MergeKind.FORCED).done());
      assertEquals(0, scheduler.running().size());
      writer.addDocument(MergeLab.document(-1));
      writer.commit();
      assertEquals(written, budget.snapshot().grantedBytes(), "a flush or commit was charged");
    }
    MergeLab.check(below, segments * documents + 1);
    below.close();
    return parts;
  }

  /** A merge that says it is large when it begins. */
  static final class Large extends OneMerge {

    static final long SAID_BYTES = 1L << 30;

    Large(OneMerge merge) {
      super(merge);
    }

    @Override
    public void mergeInit() throws IOException {
      super.mergeInit();
      estimatedMergeBytes = SAID_BYTES;
    }
  }
}
