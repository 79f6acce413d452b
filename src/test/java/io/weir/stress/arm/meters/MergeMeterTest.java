package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CountingDirectory;
import io.weir.fakes.GraphPool;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import io.weir.stress.arm.load.SoftDeletes;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counted once more by a directory below, which knows nothing of merges. */
class MergeMeterTest {

  @TempDir Path temp;

  private final MergeMeter meter = new MergeMeter(Procfs.SYSTEM, NanoClock.SYSTEM);

  @Test
  void writtenBytes_forcedMergeWithPointsInACompoundFile_areAllThatWasWritten() throws Exception {
    try (CountingDirectory below = new CountingDirectory(FSDirectory.open(temp));
        IndexWriter writer = writer(meter.directory(below))) {
      for (int segment = 0; segment < 3; segment++) {
        for (int i = 0; i < 10_000; i++) {
          writer.addDocument(document(segment * 10_000 + i, 30));
        }
        writer.flush();
      }
      long before = below.bytes();
      assertEquals(0, meter.writtenBytes(), "flushes are not merges");

      writer.forceMerge(1);

      assertEquals(below.bytes() - before, meter.writtenBytes());
      assertEquals(meter.writtenBytes(), meter.forcedBytes());
      assertTrue(below.bytesOfFilesEnding(".cfs") > 0, "no compound file");
      assertTrue(below.bytesOfFilesEnding(".tmp") > 0, "no temporary file");
    }
  }

  @Test
  void writtenBytes_liveDocumentsOfAMergedSegment_areNotCounted() throws Exception {
    try (CountingDirectory below = new CountingDirectory(FSDirectory.open(temp));
        IndexWriter writer = writer(meter.directory(below))) {
      for (int i = 0; i < 200; i++) {
        writer.addDocument(document(i, 1));
        if (i % 100 == 99) {
          writer.flush();
        }
      }
      writer.forceMerge(1);
      long merged = meter.writtenBytes();

      writer.deleteDocuments(new Term("id", "7"));
      writer.commit();

      assertTrue(below.bytesOfFilesEnding(".liv") > 0, "no live documents were written");
      assertEquals(merged, meter.writtenBytes());
    }
  }

  /** A soft delete of a document in a merged segment was counted as written by its merge. */
  @Test
  void writtenBytes_softDeletesInAMergedSegment_areNotCounted() throws Exception {
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.UNLIMITED));
    SoftDeletes softDeletes = new SoftDeletes();
    IndexWriterConfig config = new IndexWriterConfig();
    MergePolicy policy = softDeletes.retaining(config, new TieredMergePolicy());
    try (CountingDirectory below = new CountingDirectory(FSDirectory.open(temp));
        Directory directory = new RateLimitedDirectory(meter.directory(below), budget);
        IndexWriter writer =
            new IndexWriter(directory, config.setMergePolicy(meter.policy(policy)))) {
      for (int i = 0; i < 200; i++) {
        writer.addDocument(document(i, 1));
        if (i % 100 == 99) {
          writer.flush();
        }
      }
      writer.forceMerge(1);
      long merged = meter.writtenBytes();
      assertTrue(merged > 0, "the meter saw no merge");

      softDeletes.update(writer, new Term("id", "7"), document(7, 1));
      writer.commit();

      assertTrue(below.bytesOfFilesEnding(".dvd") > 0, "no doc-values update was written");
      assertEquals(merged, meter.writtenBytes());
      assertEquals(budget.snapshot().grantedBytes(), meter.writtenBytes());
    }
  }

  @Test
  void forcedBytes_naturalMerges_areNone() throws Exception {
    try (Directory directory = meter.directory(FSDirectory.open(temp));
        IndexWriter writer = writer(directory)) {
      for (int i = 0; i < 40; i++) {
        writer.addDocument(document(i, 1));
        writer.flush();
      }
      Await.until(
          "the merges have ended", () -> meter.running() == 0 && !writer.hasPendingMerges());

      assertTrue(meter.writtenBytes() > 0);
      assertEquals(0, meter.forcedBytes());
    }
  }

  @Test
  void running_mergeInFlight_isOne() throws Exception {
    ByteBudget budget = new ByteBudget(BudgetOptions.of(Rate.PAUSED));
    try (Directory directory =
            new RateLimitedDirectory(meter.directory(FSDirectory.open(temp)), budget);
        IndexWriter writer = writer(directory)) {
      writer.addDocument(document(1, 1));
      writer.flush();
      writer.addDocument(document(2, 1));
      writer.flush();
      assertEquals(0, meter.running());
      FutureTask<Void> merge =
          new FutureTask<>(
              () -> {
                writer.forceMerge(1);
                return null;
              });
      Thread.ofPlatform().start(merge);
      Await.until("the merge waits for a grant", () -> budget.snapshot().waiting() == 1);
      assertEquals(1, meter.running());

      budget.setRate(Rate.UNLIMITED);
      merge.get(60, TimeUnit.SECONDS);

      Await.until("the merge thread has ended", () -> meter.running() == 0);
      assertEquals(budget.snapshot().grantedBytes(), meter.writtenBytes());
    }
  }

  /** Without regard to who schedules the merge: an arm without Weir has the figure too. */
  @Test
  void processorNanos_areThoseOfThreadsWhileTheyWorkForAMerge() throws Exception {
    try (GraphPool pool = new GraphPool();
        Directory directory = FSDirectory.open(temp);
        IndexWriter writer =
            new IndexWriter(
                directory,
                new IndexWriterConfig()
                    .setCodec(pool.codec())
                    .setMergePolicy(meter.policy(new TieredMergePolicy())))) {
      GraphPool.index(writer);
      assertEquals(OptionalLong.of(0), meter.processorNanos(), "flushes are not merges");

      writer.forceMerge(1);

      Await.until("the merge thread has ended", () -> meter.running() == 0);
      long nanos = meter.processorNanos().orElseThrow();
      assertTrue(pool.nanos() > 0, "no part of the graph was built on the pool");
      assertTrue(nanos > pool.nanos() * 9 / 10, nanos + " and " + pool.nanos());
      GraphPool.index(writer); // on this thread
      assertEquals(nanos, meter.processorNanos().orElseThrow(), "it works for no merge any more");
    }
  }

  private IndexWriter writer(Directory directory) throws IOException {
    TieredMergePolicy policy = new TieredMergePolicy();
    policy.setNoCFSRatio(1.0);
    return new IndexWriter(
        directory,
        new IndexWriterConfig().setUseCompoundFile(false).setMergePolicy(meter.policy(policy)));
  }

  private static Document document(int number, int points) {
    Random random = new Random(number);
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(number), Field.Store.YES));
    document.add(new TextField("body", "some words " + random.nextInt(1000), Field.Store.YES));
    for (int i = 0; i < points; i++) {
      document.add(new LongPoint("place", random.nextLong(), random.nextLong()));
    }
    return document;
  }
}
