package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Weir;
import io.weir.control.DeadlineSnapshot.Outlook;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeLab;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.stress.Await;
import java.io.IOException;
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
import org.apache.lucene.store.ByteBuffersDirectory;
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
    Weir weir = Weir.builder().open(temp);
    try (Directory directory = weir.directory();
        IndexWriter writer = fourSegments(directory, weir)) {
      long begun = System.nanoTime();
      MergeDeadline deadline = weir.finishForcedMergesBy(Instant.now().plus(TIME));
      try (deadline) {
        assertEquals(Outlook.NO_MERGE, deadline.snapshot().outlook());
        assertEquals(0, deadline.neededBytesPerSecond());
        FutureTask<Void> merge = MergeLab.start(() -> writer.forceMerge(1));
        Await.until(
            "it runs", () -> deadline.snapshot().fraction().orElse(0) >= 0.2 || merge.isDone());
        assertTrue(deadline.neededBytesPerSecond() > 500_000, deadline.snapshot()::describe);
        merge.get();
      }
      double took = (System.nanoTime() - begun) / 1e9;
      assertTrue(took > 0.4 * TIME.toSeconds(), () -> "not held back: " + took);
      assertEquals(0, deadline.neededBytesPerSecond(), "a goal that asks is not held up");
    }
  }

  @Test
  void lateMerge_needsAllThereIs() throws Exception {
    Weir weir = Weir.builder().budget(new ByteBudget(BudgetOptions.of(Rate.PAUSED))).open(temp);
    try (Directory directory = weir.directory();
        IndexWriter writer = fourSegments(directory, weir);
        MergeDeadline deadline = MergeDeadline.within(Duration.ZERO, weir.scheduler())) {
      FutureTask<Void> merge = MergeLab.start(() -> writer.forceMerge(1));
      Await.until("late", () -> deadline.snapshot().outlook() == Outlook.LATE);
      assertEquals(Rate.MAX_BYTES_PER_SECOND, deadline.neededBytesPerSecond());
      weir.budget().setRate(Rate.UNLIMITED);
      merge.get();
    }
  }

  /** Others read all the time, and would get half of the time that it no longer has. */
  @Test
  void lateMerge_doesNotYield_andOneWithTimeDoes() throws Exception {
    Weir weir = Weir.builder().open(temp.resolve("late"));
    weir.scheduler().setYield(() -> true);
    try (Directory directory = weir.directory();
        IndexWriter writer = fourSegments(directory, weir);
        MergeDeadline late = MergeDeadline.within(Duration.ZERO, weir.scheduler())) {
      writer.forceMerge(1);
      assertEquals(Rate.UNLIMITED, late.snapshot().rate());
    }
    assertEquals(0, weir.scheduler().totals(MergeKind.FORCED).pauses().count());

    Weir inTime =
        Weir.builder().budget(ByteBudget.perSecond(4_000_000)).open(temp.resolve("in time"));
    inTime.scheduler().setYield(() -> true);
    MergeDeadline.within(Duration.ZERO, inTime.scheduler()).close(); // which ends what it set
    try (Directory directory = inTime.directory();
        IndexWriter writer = fourSegments(directory, inTime);
        MergeDeadline ample = MergeDeadline.within(Duration.ofHours(9), inTime.scheduler())) {
      MergeLab.start(() -> writer.forceMerge(1));
      Await.until("it yields", () -> yields(inTime) > 0);
      assertTrue(ample.snapshot().outlook() != Outlook.LATE, ample.snapshot()::describe);
    }
  }

  private static long yields(Weir weir) {
    return weir.scheduler().totals(MergeKind.FORCED).pauses().count();
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

  @Test
  void scheduler_hasOneDeadline() {
    Weir weir = Weir.builder().open(new ByteBuffersDirectory());
    MergeDeadline first = MergeDeadline.within(TIME, weir.scheduler());
    assertThrows(IllegalStateException.class, () -> MergeDeadline.within(TIME, weir.scheduler()));
    first.close();
    MergeDeadline.within(TIME, weir.scheduler()).close();
  }

  @Test
  void close_endsTheRate() {
    Weir weir = Weir.builder().open(new ByteBuffersDirectory());
    MergeDeadline deadline = MergeDeadline.within(Duration.ofHours(1), weir.scheduler());
    deadline.close();
    deadline.close();
    MergeDeadline.within(Duration.ZERO, weir.scheduler()).close();
    assertThrows(
        IllegalArgumentException.class,
        () -> weir.finishForcedMergesBy(Instant.now().minusSeconds(1)));
    assertThrows(
        IllegalArgumentException.class,
        () -> MergeDeadline.within(Duration.ofDays(200_000), weir.scheduler()));
    assertThrows(IllegalArgumentException.class, () -> weir.finishForcedMergesBy(Instant.MAX));
  }
}
