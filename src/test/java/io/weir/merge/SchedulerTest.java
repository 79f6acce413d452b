package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.ByteBudget.Pacing;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MergePolicy.OneMerge;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SchedulerTest {

  private static final int DOCUMENTS = 300;

  private final ByteBudget budget = new ByteBudget(BudgetOptions.named("test"));
  private final RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler(budget);
  private final MergeLab.Recorder recorder = new MergeLab.Recorder();

  SchedulerTest() {
    scheduler.addListener(recorder);
  }

  @Test
  void forcedMerge_whileItWaits_showsProgressAndTotals() throws Exception {
    scheduler.setForcedMergeBytesPerSecond(40_000);
    try (Directory disk = new ByteBuffersDirectory()) {
      IndexWriter writer = open(disk, budget);
      assertEquals(Optional.empty(), scheduler.forcedMerge());
      FutureTask<Void> forced = MergeLab.forceMerge(writer);
      Await.until(
          "something is written",
          () -> scheduler.forcedMerge().filter(p -> p.doneBytes() > 20_000).isPresent());
      ForcedMergeProgress progress = scheduler.forcedMerge().orElseThrow();
      long estimated = progress.estimatedBytes().getAsLong();
      assertTrue(estimated > DOCUMENTS * 512, "estimate: " + estimated);
      assertEquals(
          (double) progress.doneBytes() / estimated, progress.fraction().getAsDouble(), 1e-9);
      assertTrue(progress.remaining().isPresent());
      MergeTotals running = scheduler.running().get(0);
      assertEquals(MergeKind.FORCED, running.kind());
      assertEquals(MergeTotals.Outcome.RUNNING, running.outcome());
      Await.until("it pauses", () -> scheduler.totals(MergeKind.FORCED).pauses().count() > 0);
      scheduler.setRate(MergeKind.FORCED, Rate.UNLIMITED);
      forced.get();
      writer.close();
      MergeTotals merge = recorder.finished.get(0);
      assertEquals(MergeTotals.Outcome.DONE, merge.outcome());
      assertEquals(merge.pauses().count(), scheduler.totals(MergeKind.FORCED).pauses().count());
      long pausedNanos = scheduler.totals(MergeKind.FORCED).pauses().totalNanos();
      assertEquals(merge.pauses().totalNanos(), pausedNanos, 0.2 * pausedNanos);
      assertTrue(merge.pauses().totalNanos() <= merge.elapsed().toNanos(), merge.toString());
    }
  }

  /** The writer's own messages tell how long a merge was paused. */
  @Test
  void infoStream_pausedMerge_saysHowLong() throws Exception {
    budget.setBytesPerSecond(200_000);
    MergeLab.Messages messages = new MergeLab.Messages("IW");
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 3, DOCUMENTS / 3, MergeLab::source);
      try (IndexWriter writer =
          new IndexWriter(
              new RateLimitedDirectory(disk, budget),
              MergeLab.config(scheduler).setInfoStream(messages))) {
        writer.forceMerge(1);
      }
      assertEquals(1, messages.containing(" sec paused)").size());
      assertEquals(0, messages.containing(" stopped").size());
    }
  }

  @Test
  void infoStream_whileTheBudgetIsPaused_callsItStopped() throws Exception {
    budget.setRate(Rate.PAUSED);
    MergeLab.Messages messages = new MergeLab.Messages("IW");
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 3, DOCUMENTS / 3, MergeLab::source);
      try (IndexWriter writer =
          new IndexWriter(disk, MergeLab.config(scheduler).setInfoStream(messages))) {
        FutureTask<Void> forced = MergeLab.forceMerge(writer);
        Await.until(
            "paused",
            () -> scheduler.running().stream().anyMatch(m -> m.pauses().totalNanos() > 60_000_000));
        budget.setRate(Rate.UNLIMITED);
        forced.get();
      }
      assertEquals(1, messages.containing(" sec stopped)").size());
    }
  }

  @Test
  void twoWriters_oneBudget_getEqualShares() throws Exception {
    ByteBudget shared = new ByteBudget(BudgetOptions.named("disk").withRate(Rate.PAUSED));
    RateLimitedMergeScheduler second = new RateLimitedMergeScheduler(shared);
    RateLimitedMergeScheduler first = new RateLimitedMergeScheduler(shared);
    try (Directory one = new ByteBuffersDirectory();
        Directory two = new ByteBuffersDirectory()) {
      MergeLab.build(one, 2, 1500, MergeLab::source);
      MergeLab.build(two, 2, 1500, MergeLab::source);
      try (IndexWriter a =
              new IndexWriter(new RateLimitedDirectory(one, shared), MergeLab.config(first));
          IndexWriter b =
              new IndexWriter(new RateLimitedDirectory(two, shared), MergeLab.config(second))) {
        a.forceMerge(1, false);
        b.forceMerge(1, false);
        Await.until("both wait", () -> shared.snapshot().waiting() == 2);
        shared.setBytesPerSecond(1_000_000);
        Await.until("half of it is written", () -> shared.snapshot().grantedBytes() > 1_000_000);
        shared.setRate(Rate.PAUSED);
        Await.until("both wait", () -> shared.snapshot().waiting() == 2);
        long ofFirst = first.totals(MergeKind.FORCED).writtenBytes();
        long ofSecond = second.totals(MergeKind.FORCED).writtenBytes();
        assertEquals(shared.snapshot().grantedBytes(), ofFirst + ofSecond);
        assertEquals(ofFirst, ofSecond, 0.05 * ofFirst + ByteBudget.MAX_GRANT_BYTES);
      }
    }
  }

  @Test
  void smallMerge_ofKnownSize_isOnlyDebited() throws Exception {
    budget.setRate(Rate.PAUSED);
    scheduler.setSmallMergeMaxBytes(1_000_000);
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 2, 10, MergeLab::source);
      try (IndexWriter writer =
          new IndexWriter(
              disk, MergeLab.config(scheduler).setMergePolicy(new PairsMergePolicy()))) {
        writer.maybeMerge();
        Await.until("it is done", () -> scheduler.totals(MergeKind.NATURAL).done() == 1);
      }
      assertEquals(0, scheduler.totals(MergeKind.NATURAL).pauses().count());
      assertTrue(budget.snapshot().debtBytes() > 0);
    }
    assertThrows(IllegalArgumentException.class, () -> scheduler.setSmallMergeMaxBytes(-1));
  }

  /** Its files are the index's: to take it for an aborted one would be to lose documents. */
  @Test
  void abort_afterTheMergeWasCommitted_isTooLate() throws Exception {
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 3, DOCUMENTS / 3, MergeLab::source);
      try (IndexWriter writer =
          new IndexWriter(new RateLimitedDirectory(disk, budget), MergeLab.config(scheduler)) {
            @Override
            protected void mergeSuccess(OneMerge merge) {
              merge.setAborted();
            }
          }) {
        writer.forceMerge(1);
        scheduler.sync();
      }
      assertEquals(MergeTotals.Outcome.DONE, recorder.finished.get(0).outcome());
      MergeLab.check(disk, DOCUMENTS);
      assertEquals(1, MergeLab.segments(disk));
    }
  }

  @Test
  void listener_throws_hurtsNoMerge() throws Exception {
    scheduler.addListener(
        new MergeListener() {
          @Override
          public void mergeStarted(MergeTotals merge) {
            throw new IllegalStateException("on purpose");
          }

          @Override
          public void mergeFinished(MergeTotals merge) {
            throw new StackOverflowError("on purpose");
          }
        });
    try (Directory disk = new ByteBuffersDirectory()) {
      try (IndexWriter writer = open(disk, budget)) {
        writer.forceMerge(1);
        scheduler.sync();
      }
      assertEquals(2, scheduler.listenerFailures());
      assertEquals(1, recorder.finished.size());
      MergeLab.check(disk, DOCUMENTS);
    }
  }

  @Test
  void merge_thatFails_isCountedAndItsSegmentUnbound() throws Exception {
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 3, DOCUMENTS / 3, MergeLab::source);
      Directory full =
          new FilterDirectory(disk) {
            @Override
            public IndexOutput createOutput(String name, IOContext context) throws IOException {
              if (name.endsWith(".fdt")) {
                throw new IOException("no space left on device");
              }
              return in.createOutput(name, context);
            }
          };
      scheduler.addListener(recorder);
      IndexWriter writer =
          new IndexWriter(new RateLimitedDirectory(full, budget), MergeLab.config(scheduler));
      assertThrows(Exception.class, () -> writer.forceMerge(1));
      Await.until("told", () -> !recorder.finished.isEmpty());
      writer.rollback();
      assertEquals(MergeTotals.Outcome.FAILED, recorder.finished.get(0).outcome());
      assertEquals(1, scheduler.totals(MergeKind.FORCED).failed());
      assertEquals(0, scheduler.running().size());
      MergeLab.check(disk, DOCUMENTS);
    }
  }

  /** As an engine does that reads the class and its properties from XML. */
  @Test
  void byReflection_madeAndSetUp_mergesUnderItsCap() throws Exception {
    Class<?> type = Class.forName("io.weir.merge.RateLimitedMergeScheduler");
    Object bean = type.getConstructor().newInstance();
    Map<String, Object> properties =
        Map.of(
            "bytesPerSecond",
            50_000_000L,
            "shareWeight",
            3,
            "naturalMergeBytesPerSecond",
            40_000_000,
            "forcedMergeBytesPerSecond",
            30_000_000L,
            "naturalMergePacing",
            "debited",
            "forcedMergePacing",
            "paced",
            "smallMergeMaxBytes",
            1_000_000,
            "liftBeforeStall",
            false,
            "onClose",
            "finish",
            "forceMergeMBPerSec",
            1000.0);
    for (Map.Entry<String, Object> property : properties.entrySet()) {
      String setter =
          "set"
              + Character.toUpperCase(property.getKey().charAt(0))
              + property.getKey().substring(1);
      setter(type, setter, property.getValue()).invoke(bean, property.getValue());
    }
    RateLimitedMergeScheduler made = (RateLimitedMergeScheduler) bean;
    assertEquals(Rate.perSecond(50_000_000), made.budget().rate());
    try (Directory disk = new ByteBuffersDirectory()) {
      MergeLab.build(disk, 3, DOCUMENTS / 3, MergeLab::source);
      try (IndexWriter writer = new IndexWriter(disk, MergeLab.config((MergeScheduler) bean))) {
        writer.forceMerge(1);
      }
      MergeLab.check(disk, DOCUMENTS);
      assertTrue(made.budget().snapshot().grantedBytes() > DOCUMENTS * 512);
    }
  }

  /** The exact type first, then any of that name: as such engines look for it. */
  private static Method setter(Class<?> type, String name, Object value) {
    List<Method> ofName =
        Arrays.stream(type.getMethods())
            .filter(m -> m.getName().equals(name) && m.getParameterCount() == 1)
            .toList();
    return ofName.stream()
        .filter(m -> m.getParameterTypes()[0] == value.getClass())
        .findFirst()
        .orElseGet(() -> ofName.get(0));
  }

  @Test
  void settings_ofCriticalMerges_areRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> scheduler.setRate(MergeKind.CRITICAL, Rate.PAUSED));
    assertThrows(
        IllegalArgumentException.class,
        () -> scheduler.setPacing(MergeKind.CRITICAL, Pacing.PACED));
  }

  private IndexWriter open(Directory disk, ByteBudget ofDirectory) throws IOException {
    MergeLab.build(disk, 3, DOCUMENTS / 3, MergeLab::source);
    return new IndexWriter(new RateLimitedDirectory(disk, ofDirectory), MergeLab.config(scheduler));
  }
}
