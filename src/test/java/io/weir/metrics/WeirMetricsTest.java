package io.weir.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.fakes.AutoClock;
import io.weir.merge.MergeKind;
import io.weir.merge.MergeLab;
import io.weir.merge.MergeTracker;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenOptions;
import io.weir.nrt.ReopenPhases;
import io.weir.nrt.ReopenSnapshot;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.store.RateLimitedDirectory;
import io.weir.stress.Await;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real indexes, real merges, a real registry. */
@Timeout(120)
class WeirMetricsTest {

  @TempDir Path temp;

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final ByteBudget disk =
      new ByteBudget(BudgetOptions.named("disk").withRate(Rate.UNLIMITED));

  @Test
  void meters_ofTwoIndexes_tellWhatEachOfThemDid() throws Exception {
    new BudgetMetrics(disk).bindTo(registry);
    try (MeasuredIndex a = new MeasuredIndex(temp.resolve("a"), "a", disk);
        MeasuredIndex b = new MeasuredIndex(temp.resolve("b"), "b", disk)) {
      a.metrics().bindTo(registry);
      b.metrics().bindTo(registry);
      for (int i = 0; i < 3; i++) {
        a.segment(500);
      }
      a.merge();
      b.segment(10);

      long written = a.weir.scheduler().totals(MergeKind.FORCED).writtenBytes();
      assertTrue(written > 0, "nothing was merged");
      assertEquals(written, counter("lucene.merge.written", "index", "a", "kind", "forced"));
      assertEquals(0, counter("lucene.merge.written", "index", "b", "kind", "forced"));
      assertEquals(written, counter("lucene.merge.throttle.granted", "budget", "disk"));
      assertEquals(
          1,
          registry
              .get("lucene.merge")
              .tags("index", "a", "kind", "forced", "outcome", "done")
              .timer()
              .count());
      ReopenSnapshot reopens = a.reopens.snapshot();
      assertEquals(
          reopens.changed(),
          registry.get("lucene.refresh").tags("index", "a", "result", "changed").timer().count());
      assertEquals(
          reopens.freshnessSamples(),
          registry.get("lucene.refresh.freshness").tags("index", "a").timer().count());
      assertEquals(
          3, registry.get("lucene.refresh.visible").tags("index", "a").timer().count(), "reopens");
      assertTrue(
          registry
                  .get("lucene.refresh.phase")
                  .tags("index", "a", "phase", "flush")
                  .timer()
                  .totalTime(TimeUnit.NANOSECONDS)
              > 0);
      Await.until("it is loaded", () -> gauge("lucene.keys.resident", "index", "a") > 0);
    }
  }

  /** Handed over at 0, written at 40, the reopen due at 100, begun at 130, visible at 150. */
  @Test
  void visible_ofAReportedDocument_isTimedFromTheHandingOver_byParts_toTheNanosecond()
      throws Exception {
    AutoClock clock = new AutoClock();
    ReopenPhases phases = new ReopenPhases();
    SearcherFactory slow =
        new SearcherFactory() {
          @Override
          public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
            clock.advanceNanos(20);
            return new IndexSearcher(reader);
          }
        };
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig());
        SearcherManager searchers = new SearcherManager(writer, phases.searcherFactory(slow));
        ReopenMonitor monitor =
            ReopenMonitor.attach(searchers, ReopenOptions.defaults().withPhases(phases), clock);
        ReopenMetrics metrics = new ReopenMetrics(monitor, Tags.of("index", "a"))) {
      metrics.bindTo(registry);
      long handedOver = clock.nanoTime();
      clock.advanceNanos(40);
      monitor.indexed(writer.addDocument(new Document()), handedOver);
      clock.advanceNanos(90);
      monitor.maybeRefreshBlocking(handedOver + 100);
      monitor.maybeRefreshBlocking();

      assertEquals(150, nanos("lucene.refresh.visible"));
      assertEquals(40, nanos("lucene.refresh.visible.part", "part", "write"));
      assertEquals(60, nanos("lucene.refresh.visible.part", "part", "next-reopen"));
      assertEquals(30, nanos("lucene.refresh.visible.part", "part", "lock"));
      assertEquals(20, nanos("lucene.refresh.visible.part", "part", "reopen"));
      assertEquals(1, registry.get("lucene.refresh.visible").timer().count(), "nothing was new");
    }
  }

  private double nanos(String timer, String... tags) {
    return registry.get(timer).tags(tags).timer().totalTime(TimeUnit.NANOSECONDS);
  }

  @Test
  void mergeMetrics_ofATracker_countTheMergesOfAnotherScheduler() throws Exception {
    MergeTracker tracker = new MergeTracker(disk);
    IndexWriterConfig config = MergeLab.config(new ConcurrentMergeScheduler());
    config.setMergePolicy(tracker.track(config.getMergePolicy()));
    try (MergeMetrics metrics = new MergeMetrics(tracker, Tags.of("index", "a"));
        Directory directory = new RateLimitedDirectory(new ByteBuffersDirectory(), disk)) {
      metrics.bindTo(registry);
      MergeLab.build(directory, 3, 100, MergeLab::text);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        writer.forceMerge(1);
      }
      long written = tracker.totals(MergeKind.FORCED).writtenBytes();
      assertTrue(written > 0, "nothing was merged");
      assertEquals(written, counter("lucene.merge.written", "index", "a", "kind", "forced"));
      assertEquals(
          1,
          registry
              .get("lucene.merge")
              .tags("index", "a", "kind", "forced", "outcome", "done")
              .timer()
              .count());
      assertEquals(0, gauge("lucene.merge.debt", "index", "a"));
    }
  }

  @Test
  void close_takesAllOfItsMeters_andNoOthers() throws Exception {
    registry.counter("mine", "index", "a").increment();
    BudgetMetrics budget = new BudgetMetrics(disk);
    budget.bindTo(registry);
    try (MeasuredIndex a = new MeasuredIndex(temp.resolve("a"), "a", disk);
        MeasuredIndex b = new MeasuredIndex(temp.resolve("b"), "b", disk)) {
      a.metrics().bindTo(registry);
      Set<Meter.Id> before = ids();
      b.metrics().bindTo(registry);
      assertEquals(2 * (before.size() - 1 - budgetMeters()), ids().size() - 1 - budgetMeters());

      b.metrics().close();
      assertEquals(before, ids());
      b.segment(10); // tells nobody
      assertEquals(before, ids());
    }
    budget.close();
    assertEquals(
        List.of("mine"), registry.getMeters().stream().map(m -> m.getId().getName()).toList());
  }

  @Test
  void bindTo_twiceWithTheSameTags_isRefused_andLeavesTheFirstAlone() throws Exception {
    try (MeasuredIndex a = new MeasuredIndex(temp.resolve("a"), "same", disk);
        MeasuredIndex b = new MeasuredIndex(temp.resolve("b"), "same", disk)) {
      a.metrics().bindTo(registry);
      Set<Meter.Id> before = ids();
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> b.metrics().bindTo(registry));
      assertTrue(refused.getMessage().contains("[index=same"), refused.getMessage());
      assertEquals(before, ids());
      // One that is refused half way takes back what it had registered.
      registry.counter("lucene.keys.faults", "index", "other");
      WeirMetrics other =
          new WeirMetrics(b.weir.scheduler(), b.directory, b.reopens, Tags.of("index", "other"));
      assertThrows(IllegalStateException.class, () -> other.bindTo(registry));
      assertEquals(before.size() + 1, ids().size());
    }
  }

  @Test
  void bindTo_severalRegistries_isClosedInAll() throws Exception {
    MeterRegistry second = new SimpleMeterRegistry();
    CompositeMeterRegistry composite = new CompositeMeterRegistry();
    composite.add(new SimpleMeterRegistry());
    try (MeasuredIndex a = new MeasuredIndex(temp.resolve("a"), "a", disk)) {
      a.metrics().bindTo(registry);
      a.metrics().bindTo(second);
      a.metrics().bindTo(composite);
      a.segment(10);
      assertEquals(1, second.get("lucene.refresh").tag("result", "changed").timer().count());
      assertEquals(1, composite.get("lucene.refresh").tag("result", "changed").timer().count());
    }
    assertEquals(List.of(), second.getMeters());
    assertEquals(List.of(), registry.getMeters());
    assertEquals(List.of(), composite.getMeters());
  }

  @Test
  void meters_afterAGarbageCollection_stillTell() throws Exception {
    ByteBudget budget = ByteBudget.perSecond(7);
    new BudgetMetrics(budget).bindTo(registry); // held by nobody
    WeakReference<Object> probe = new WeakReference<>(new Object());
    while (probe.get() != null) {
      System.gc();
    }
    String name = budget.name();
    assertEquals(7, gauge("lucene.merge.rate.limit", "budget", name));
    budget.acquire(3);
    assertEquals(3, counter("lucene.merge.throttle.granted", "budget", name));
  }

  /** No tag is of a merge, a segment or a thread. */
  @Test
  void meters_ofManyMerges_areNoMoreThanOfNone() throws Exception {
    try (MeasuredIndex index = new MeasuredIndex(temp.resolve("a"), "a", disk)) {
      index.metrics().bindTo(registry);
      Set<Meter.Id> before = ids();
      for (int merge = 0; merge < 5; merge++) {
        index.segment(10);
        index.segment(10);
        index.merge();
      }
      assertEquals(before, ids());
    }
  }

  @Test
  void merge_thatIsAborted_isTheFirstThatHasATimerOfSuch_whichIsRemovedToo() throws Exception {
    disk.setRate(Rate.PAUSED);
    try (MeasuredIndex a = new MeasuredIndex(temp.resolve("a"), "a", disk)) {
      a.metrics().bindTo(registry);
      a.segment(1000);
      a.segment(1000);
      Set<Meter.Id> before = ids();
      assertEquals(
          Set.of("done"),
          registry.find("lucene.merge").timers().stream()
              .map(timer -> timer.getId().getTag("outcome"))
              .collect(Collectors.toSet()));

      a.startMerge();
      a.writer.rollback();
      assertEquals(
          1,
          registry
              .get("lucene.merge")
              .tags("index", "a", "kind", "forced", "outcome", "aborted")
              .timer()
              .count());
      assertEquals(before.size() + 1, ids().size());
    }
    assertEquals(List.of(), registry.getMeters());
  }

  @Test
  void limit_noneAndPaused_areInfinityAndZero() {
    new BudgetMetrics(disk).bindTo(registry);
    assertEquals(Double.POSITIVE_INFINITY, gauge("lucene.merge.rate.limit", "budget", "disk"));
    disk.setRate(Rate.PAUSED);
    assertEquals(0, gauge("lucene.merge.rate.limit", "budget", "disk"));
    disk.setBytesPerSecond(5);
    assertEquals(5, gauge("lucene.merge.rate.limit", "budget", "disk"));
    assertEquals(2, counter("lucene.merge.rate.changes", "budget", "disk"));
  }

  @Test
  void pauses_ofAMergeUnderACap_areOneRecordEach() throws Exception {
    try (MeasuredIndex a = new MeasuredIndex(temp.resolve("a"), "a", disk)) {
      a.metrics().bindTo(registry);
      new BudgetMetrics(disk).bindTo(registry);
      for (int i = 0; i < 3; i++) {
        a.segment(1000);
      }
      disk.setBytesPerSecond(200_000);
      a.merge();
      var totals = a.weir.scheduler().totals(MergeKind.FORCED);
      var paused = registry.get("lucene.merge.throttle.paused").tags("kind", "forced").timer();
      assertTrue(totals.pauses().count() > 0, totals.toString());
      assertEquals(totals.pauses().count(), paused.count());
      assertEquals(totals.pauses().totalNanos(), (long) paused.totalTime(TimeUnit.NANOSECONDS));
      assertEquals(
          disk.snapshot().delayedRequests(),
          counter("lucene.merge.throttle.delayed", "budget", "disk"));
    }
  }

  private Set<Meter.Id> ids() {
    return registry.getMeters().stream().map(Meter::getId).collect(Collectors.toSet());
  }

  private long budgetMeters() {
    return registry.getMeters().stream()
        .filter(meter -> meter.getId().getTag("budget") != null)
        .count();
  }

  private double counter(String name, String... tags) {
    return registry.find(name).tags(tags).functionCounters().stream()
        .mapToDouble(counter -> counter.count())
        .findFirst()
        .orElseGet(() -> registry.get(name).tags(tags).counter().count());
  }

  private double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }
}
