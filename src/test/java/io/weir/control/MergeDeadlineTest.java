package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.control.DeadlineSnapshot.Outlook;
import io.weir.rate.ByteBudget;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.FutureTask;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A deadline on a real forced merge. */
@Timeout(60)
class MergeDeadlineTest {

  private static final Duration TIME = Duration.ofSeconds(4);

  @TempDir Path temp;

  @Test
  void forcedMerge_takesMostOfTheTime_andTheSnapshotSaysHowFarItIs() throws Exception {
    ByteBudget budget = ByteBudget.unlimited();
    Weir weir = new Weir(budget);
    try (Directory directory = weir.directory(temp);
        IndexWriter writer =
            new IndexWriter(
                directory,
                weir.configure(new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE)))) {
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

      long begun = System.nanoTime();
      double took;
      try (MergeDeadline deadline = weir.finishForcedMergesBy(Instant.now().plus(TIME))) {
        assertEquals(Outlook.NO_MERGE, deadline.snapshot().outlook());
        assertEquals(0, deadline.neededBytesPerSecond());
        FutureTask<Void> merge =
            new FutureTask<>(
                () -> {
                  writer.forceMerge(1);
                  return null;
                });
        Thread.ofPlatform().daemon().start(merge);
        while (deadline.snapshot().fraction().orElse(0) < 0.2 && !merge.isDone()) {
          Thread.onSpinWait();
        }
        assertTrue(deadline.neededBytesPerSecond() > 500_000, deadline.snapshot()::describe);
        merge.get();
        took = (System.nanoTime() - begun) / 1e9;
      }
      assertTrue(took > 0.4 * TIME.toSeconds(), () -> "not held back: " + took);
    }
  }

  @Test
  void close_endsTheRate() {
    Weir weir = new Weir(ByteBudget.unlimited());
    MergeDeadline deadline = MergeDeadline.within(Duration.ofHours(1), weir.scheduler());
    deadline.close();
    deadline.close();
    MergeDeadline.within(Duration.ZERO, weir.scheduler()).close();
    assertThrows(
        IllegalArgumentException.class,
        () -> weir.finishForcedMergesBy(Instant.now().minusSeconds(1)));
  }
}
