package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.control.LatencyGoal;
import io.weir.control.Percentile;
import io.weir.merge.MergeLab;
import io.weir.metrics.WeirMetrics;
import io.weir.nrt.ReopenMonitor;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.ProcessorShare;
import io.weir.rate.Rate;
import io.weir.store.ResidentKeys;
import io.weir.stress.Await;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The builder of an index's handle, and what the handle owns. */
@Timeout(60)
class WeirHandleTest {

  private static final long BOUND_SECONDS = 20;

  @TempDir Path temp;

  private final List<String> closed = new ArrayList<>();

  @Test
  void setting_twice_isRefusedWithBothValues() {
    Weir.Builder weir =
        Weir.builder()
            .name("products")
            .budget(new ByteBudget(BudgetOptions.named("disk")))
            .keys(ResidentKeys.of("id"));
    assertEquals(
        "name must be set once: products was set before orders",
        assertThrows(IllegalStateException.class, () -> weir.name("orders")).getMessage());
    assertEquals(
        "budget must be set once: disk was set before merges",
        assertThrows(IllegalStateException.class, () -> weir.budget(ByteBudget.unlimited()))
            .getMessage());
    assertEquals(
        "keys must be set once: [id] was set before [sku]",
        assertThrows(IllegalStateException.class, () -> weir.keys(ResidentKeys.of("sku")))
            .getMessage());
  }

  @Test
  void name_blank_isRefusedWithTheRule() {
    assertEquals(
        "name must not be blank: \" \"",
        assertThrows(IllegalArgumentException.class, () -> Weir.builder().name(" ")).getMessage());
  }

  @Test
  void builder_usedTwice_opensTwoIndexesThatShareTheBudget() throws IOException {
    ByteBudget disk = ByteBudget.perSecond(1_000_000_000);
    Weir.Builder builder = Weir.builder().budget(disk);
    try (Weir one = builder.open(temp.resolve("one"));
        Weir two = builder.open(temp.resolve("two"))) {
      merge(one);
      long ofOne = disk.snapshot().grantedBytes();
      merge(two);
      assertTrue(ofOne > 0 && disk.snapshot().grantedBytes() > ofOne, disk.snapshot()::toString);
      assertNotSame(one.scheduler(), two.scheduler());
    }
    try (Weir again = builder.open(temp.resolve("one"))) {
      assertEquals(1, MergeLab.segments(again.directory()));
    }
  }

  @Test
  void builder_withNothingSet_hasNoCapNoKeysAndNoName() throws IOException {
    try (Weir weir = Weir.builder().open(temp)) {
      assertEquals(Rate.UNLIMITED, weir.budget().rate());
      assertEquals(Optional.empty(), weir.name());
      assertFalse(weir.report().contains("RESIDENT_KEYS"), weir.report());
    }
    try (Weir named = Weir.builder().name("products").open(temp)) {
      assertEquals("products", named.budget().name());
      assertEquals(Optional.of("products"), named.name());
    }
  }

  @Test
  void open_overWeirsLayers_isRefused_andLeavesTheDirectoryOpen() throws IOException {
    try (Weir weir = Weir.builder().open(temp)) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> Weir.builder().open(weir.directory()));
      assertTrue(refused.getMessage().contains("no component of Weir"), refused.getMessage());
      merge(weir);
    }
  }

  @Test
  void openAsIs_addsNoLayer_andCapsMerges() throws IOException {
    try (Directory files = new ByteBuffersDirectory();
        Weir weir = Weir.builder().openAsIs(files)) {
      assertSame(files, weir.directory());
      assertEquals("", weir.report());
      merge(weir);
      assertTrue(weir.budget().snapshot().grantedBytes() > 0);
    }
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> Weir.builder().keys(ResidentKeys.of("id")).openAsIs(new ByteBuffersDirectory()));
    assertTrue(refused.getMessage().endsWith("in memory: [id]"), refused.getMessage());
  }

  /** The policy stays as it is without a share: applications cast it to change it. */
  @Test
  void configure_withAShareOfTheProcessors_hasMergesPayForThem() throws IOException {
    MergePolicy lucenes = new TieredMergePolicy();
    try (Weir weir = Weir.builder().open(temp.resolve("without"))) {
      IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(lucenes);
      assertSame(lucenes, weir.configure(config).getMergePolicy());
    }
    ProcessorShare share = ProcessorShare.ofCores(1000);
    try (Weir weir = Weir.builder().processors(share).open(temp.resolve("with"))) {
      IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(lucenes);
      MergePolicy asking = weir.configure(config).getMergePolicy();
      assertSame(asking, weir.scheduler().asking(asking));
      merge(weir);
      assertFalse(share.paid().isZero());
    }
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class, () -> Weir.builder().processors(share).processors(share));
    assertEquals(
        "processors must be set once: 1000.0 cores was set before 1000.0 cores",
        refused.getMessage());
  }

  @Test
  void report_hasOneLayerALine() throws IOException {
    try (Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(temp)) {
      List<String> lines = weir.report().lines().toList();
      assertEquals(9, lines.size(), weir.report());
      for (String line : lines) {
        assertTrue(line.matches("[A-Z_]+: (on|off)(, .+)?"), line);
      }
      weir.scheduler().setIdleClass(true);
      String last = weir.report().lines().toList().getLast();
      assertTrue(last.matches("IDLE_CLASS: (on|off), .+"), last);
    }
  }

  /** Of the directory it is known that its writer is closed before: else it would be refused. */
  @Test
  void close_closesTheNewestFirst_andTheDirectoryAtLast() throws IOException {
    Noted files = new Noted(FSDirectory.open(temp));
    MeterRegistry registry = new SimpleMeterRegistry();
    Weir weir = Weir.builder().name("products").open(files);
    weir.own(part("first"));
    IndexWriter writer =
        weir.own(new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig())));
    SearcherManager searchers = weir.own(new SearcherManager(writer, weir.searcherFactory()));
    ReopenMonitor reopens = weir.attach(searchers);
    LatencyGoal goal = weir.hold(Percentile.P99, Duration.ofSeconds(10));
    weir.finishForcedMergesBy(Instant.now().plusSeconds(3600));
    new WeirMetrics(weir, Tags.of("region", "here")).bindTo(registry);
    weir.own(part("last"));
    assertFalse(registry.getMeters().isEmpty());
    assertEquals(
        1, registry.get("lucene.refresh.staleness").tags("index", "products").meters().size());
    writer.addDocument(MergeLab.document(1));
    reopens.maybeRefreshBlocking();

    weir.close();

    assertEquals(List.of("last", "first", "directory"), closed);
    assertFalse(writer.isOpen());
    assertThrows(AlreadyClosedException.class, searchers::acquire);
    assertEquals(List.of(), registry.getMeters());
    assertEquals(1, weir.reopens().orElseThrow().snapshot().changed());
    LatencyGoal.hold(reopens, Percentile.P99, Duration.ofSeconds(10), weir.scheduler()).close();
    assertFalse(goal.snapshot().toString().isEmpty());
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, 1);
    }
  }

  @Test
  void close_partsThatThrow_closesAll_andThrowsTheFirst() throws IOException {
    Weir weir = Weir.builder().open(new Noted(new ByteBuffersDirectory()));
    weir.own(part("a"));
    weir.own(failing(new IllegalStateException("third")));
    weir.own(failing(new Exception("second")));
    weir.own(part("b"));
    IOException same = new IOException("first");
    weir.own(failing(same));
    weir.own(failing(same));

    IOException thrown = assertThrows(IOException.class, weir::close);

    assertSame(same, thrown);
    assertEquals(
        List.of("second", "third"),
        List.of(thrown.getSuppressed()).stream().map(Throwable::getMessage).toList());
    assertEquals(List.of("b", "a", "directory"), closed);
    weir.close();
  }

  @Test
  void close_again_closesNothingTwice() throws IOException {
    Weir weir = Weir.builder().open(new Noted(new ByteBuffersDirectory()));
    weir.own(part("a"));
    weir.own(weir); // as of an application that closes all it has
    weir.close();
    weir.close();
    assertEquals("a", closed.getFirst());
    assertEquals(1, closed.stream().filter("a"::equals).count());
    assertEquals("directory", closed.get(1));
  }

  /** As a framework and a shutdown hook may. */
  @Test
  void close_fromTwoThreads_theSecondWaitsForTheFirst() throws Exception {
    Weir weir = Weir.builder().open(new Noted(new ByteBuffersDirectory()));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    weir.own(
        (AutoCloseable)
            () -> {
              begun.countDown();
              goesOn.await();
              closed.add("slow");
            });
    FutureTask<Void> first = MergeLab.start(weir::close);
    begun.await();
    FutureTask<Void> second =
        MergeLab.start(
            () -> {
              weir.close();
              closed.add("second");
            });
    goesOn.countDown();
    first.get(BOUND_SECONDS, TimeUnit.SECONDS);
    second.get(BOUND_SECONDS, TimeUnit.SECONDS);
    assertEquals("slow", closed.getFirst());
    assertEquals("second", closed.getLast());
  }

  /** Its documents would be lost if its directory were closed. */
  @Test
  void close_whileAWriterOfTheApplicationIsOpen_isRefused_andLosesNothing() throws IOException {
    Weir weir = Weir.builder().name("products").open(temp);
    weir.own(part("a"));
    try (IndexWriter writer =
        new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig()))) {
      writer.addDocument(MergeLab.document(1));
      IllegalStateException refused = assertThrows(IllegalStateException.class, weir::close);
      assertTrue(refused.getMessage().contains("a writer must be closed"), refused.getMessage());
      assertTrue(refused.getMessage().contains("products in "), refused.getMessage());
      assertEquals(List.of("a"), closed);
    }
    weir.close();
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, 1);
    }
  }

  @Test
  void close_ownedWriterWhoseMergeIsPaused_returns() throws Exception {
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.build(stock, 3, 100, MergeLab::source);
    }
    ByteBudget paused = new ByteBudget(BudgetOptions.of(Rate.PAUSED));
    Weir weir = Weir.builder().budget(paused).open(temp);
    IndexWriter writer =
        weir.own(new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig())));
    writer.forceMerge(1, false);
    Await.until("the merge waits", () -> paused.snapshot().waiting() > 0);
    MergeLab.start(weir::close).get(BOUND_SECONDS, TimeUnit.SECONDS);
    try (Directory stock = FSDirectory.open(temp)) {
      assertEquals(1, MergeLab.segments(stock));
    }
  }

  @Test
  void closedHandle_refusesWhatWouldOpenSomething_andKeepsItsFigures() throws IOException {
    Weir weir = Weir.builder().name("products").open(temp);
    weir.close();
    for (org.junit.jupiter.api.function.Executable use :
        List.<org.junit.jupiter.api.function.Executable>of(
            weir::directory,
            () -> weir.configure(new IndexWriterConfig()),
            () -> weir.hold(Percentile.P99, Duration.ofSeconds(1)),
            () -> weir.finishForcedMergesBy(Instant.now().plusSeconds(60)),
            () -> weir.own(part("a")))) {
      String said = assertThrows(AlreadyClosedException.class, use).getMessage();
      assertTrue(said.startsWith("this Weir is closed: products in "), said);
    }
    assertEquals(List.of("a"), closed, "what it does not take is closed");
    assertEquals(0, weir.scheduler().running().size());
    assertEquals(0, weir.budget().snapshot().grantedBytes());
    assertEquals(8, weir.report().lines().count());
    weir.disown(part("a"));
  }

  @Test
  void disown_leavesThePartToTheApplication() throws IOException {
    Weir weir = Weir.builder().open(new ByteBuffersDirectory());
    Closeable kept = weir.own(part("kept"));
    weir.own(part("owned"));
    weir.disown(kept);
    weir.close();
    assertEquals(List.of("owned"), closed);
  }

  /** The cache writes what it holds when it is closed, and closes the directory below. */
  @Test
  void close_withACacheAbove_keepsWhatTheCacheHeld() throws IOException {
    Weir weir = Weir.builder().open(temp);
    Directory cached = weir.own(new NRTCachingDirectory(weir.directory(), 5, 60));
    IndexWriter writer = weir.own(new IndexWriter(cached, weir.configure(new IndexWriterConfig())));
    writer.addDocument(MergeLab.document(1));
    weir.close();
    try (Directory stock = FSDirectory.open(temp)) {
      MergeLab.check(stock, 1);
    }
  }

  @Test
  void hold_withoutAMonitor_isRefusedWithTheRemedy() throws IOException {
    try (Weir weir = Weir.builder().open(temp)) {
      IllegalStateException refused =
          assertThrows(
              IllegalStateException.class, () -> weir.hold(Percentile.P99, Duration.ofSeconds(1)));
      assertTrue(refused.getMessage().contains("call attach first"), refused.getMessage());
    }
  }

  @Test
  void meters_boundBeforeAMonitorIsAttached_areRefusedWithTheRemedy() throws IOException {
    MeterRegistry registry = new SimpleMeterRegistry();
    try (Weir weir = Weir.builder().open(temp)) {
      WeirMetrics metrics = new WeirMetrics(weir);
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> metrics.bindTo(registry));
      assertTrue(refused.getMessage().contains("Weir.attach"), refused.getMessage());
      assertEquals(List.of(), registry.getMeters());
      try (IndexWriter writer =
              new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig()));
          SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory())) {
        weir.attach(searchers);
        metrics.bindTo(registry);
        assertFalse(registry.getMeters().isEmpty());
        metrics.close();
        assertEquals(List.of(), registry.getMeters());
      }
    }
  }

  private Closeable part(String name) {
    return () -> closed.add(name);
  }

  private static AutoCloseable failing(Exception failure) {
    return () -> {
      throw failure;
    };
  }

  /** Three segments, and one of them. */
  private static void merge(Weir weir) throws IOException {
    try (IndexWriter writer =
        new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig()))) {
      for (int i = 0; i < 3; i++) {
        writer.addDocument(MergeLab.document(i));
        writer.flush();
      }
      writer.forceMerge(1);
    }
  }

  /** Says when it is closed. */
  private final class Noted extends FilterDirectory {

    Noted(Directory in) {
      super(in);
    }

    @Override
    public void close() throws IOException {
      closed.add("directory");
      super.close();
    }
  }
}
