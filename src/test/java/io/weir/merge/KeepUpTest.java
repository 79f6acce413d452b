package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real writer under a cap that is too low, and may not be lifted. */
@Timeout(60)
class KeepUpTest {

  @Test
  void cap_tooLow_isToldBeforeIndexingStandsStill() throws Exception {
    ByteBudget budget = ByteBudget.perSecond(2000);
    RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
    scheduler.setLiftBeforeStall(false);
    scheduler.setMaxMergesAndThreads(4, 4);
    MergeLab.Messages messages = new MergeLab.Messages("MS");
    MergeLab.Recorder recorder = new MergeLab.Recorder();
    AtomicBoolean stalledBefore = new AtomicBoolean();
    scheduler.addListener(recorder);
    scheduler.addListener(
        new MergeListener() {
          @Override
          public void cannotKeepUp(MergeDebtSnapshot debt) {
            stalledBefore.set(!messages.containing("too many merges; stalling").isEmpty());
          }
        });
    LogDocMergePolicy policy = new LogDocMergePolicy();
    policy.setMergeFactor(3);
    policy.setMinMergeDocs(10);
    IndexWriterConfig config =
        MergeLab.config(scheduler)
            .setMergePolicy(policy)
            .setMaxBufferedDocs(10)
            .setInfoStream(messages);
    try (Directory disk = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(new RateLimitedDirectory(disk, budget), config)) {
      FutureTask<Void> indexing =
          MergeLab.start(
              () -> {
                Random random = new Random(3);
                for (int i = 0; messages.containing("stalling").isEmpty(); i++) {
                  Document document = MergeLab.document(i);
                  MergeLab.source(document, random);
                  writer.addDocument(document);
                }
              });
      Await.until("indexing stands still", () -> !messages.containing("stalling").isEmpty());
      assertEquals(1, recorder.warnings.size(), "not told once");
      assertTrue(!stalledBefore.get(), "told too late");
      MergeDebtSnapshot debt = recorder.warnings.get(0);
      assertEquals(2000, debt.capBytesPerSecond().getAsLong());
      assertTrue(debt.demandBytesPerSecond() > 2000, debt.describe());
      assertTrue(debt.flushedBytesPerSecond() > 0, debt.describe());
      assertTrue(debt.debtBytes() > 0, debt.describe());
      assertEquals(1, messages.containing("merges cannot keep up: the cap is 2000").size());
      budget.setRate(Rate.UNLIMITED);
      indexing.get();
    }
  }
}
