package io.weir.benchmark.bulkindexing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.benchmark.kit.Conditions;
import io.weir.stress.index.IndexSchema;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** That each arm indexes all documents, and that its parts are those of the library. */
@Slow("starts a JVM for each measurement")
@Timeout(300)
class BulkIndexingBenchmarkTest {

  @TempDir Path temporary;

  /** In a JVM of its own, as in full. */
  @Test
  void run_quick_hasARowForEachComparisonAndLeavesNoFile() throws Exception {
    List<List<String>> rows = quickRows("arms", "stock,weir,no-keys+writeback");

    assertEquals(
        List.of(
            List.of("stock", ""),
            List.of("weir", "stock"),
            List.of("no-keys+writeback", "weir"),
            List.of("no-keys+writeback", "stock")),
        rows.stream().map(row -> row.subList(0, 2)).toList());
    assertTrue(Double.parseDouble(rows.get(1).get(3)) > 0, rows.toString());
    assertEquals(
        List.of("2.00", "2.00", "2.00", "2.00"), rows.stream().map(List::getLast).toList());
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(List.of(), left.toList());
    }
  }

  /** Two JVMs at once. */
  @Test
  @LongRun("another way to share a machine than run_quick_hasARowForEachComparisonAndLeavesNoFile")
  void run_quickInJvmsOfTheirOwn_hasARowForEach() throws Exception {
    List<List<String>> rows = quickRows("jvm", "own");

    assertEquals(List.of("stock", "weir"), rows.stream().map(List::getFirst).toList());
    assertTrue(Double.parseDouble(rows.get(1).get(6)) > 0, rows.toString());
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(List.of(), left.toList());
    }
  }

  /** Each arm has threads that took something, and what it allocated is its own. */
  @Test
  void run_quickTogether_hasWhatTheThreadsOfEachTook() throws Exception {
    List<List<String>> rows = quickRows("jvm", "together");

    assertEquals(List.of("stock", "weir"), rows.stream().map(List::getFirst).toList());
    for (List<String> row : rows) {
      assertTrue(Double.parseDouble(row.get(5)) > 0, row.toString());
      assertTrue(Double.parseDouble(row.get(12)) > 0, row.toString());
    }
    try (Stream<Path> left = Files.list(temporary)) {
      assertEquals(List.of(), left.toList());
    }
  }

  private List<List<String>> quickRows(String option, String value) throws Exception {
    PrintStream progress = new PrintStream(OutputStream.nullOutputStream());
    Map<String, String> options = Map.of("documents", "320", option, value);
    return new BulkIndexingBenchmark()
        .run(new Conditions(true, temporary, progress, options))
        .rows();
  }

  /** Of 30 s that others took, the other arm took 20; it ran for half of the time. */
  @Test
  void withoutEachOther_armsAreNoOtherProcesses() {
    IndexingResult shorter = result(50);
    IndexingResult longer = result(100);

    Map<IndexingArm, IndexingResult> corrected =
        IndexingJvms.withoutEachOther(Map.of(IndexingArm.STOCK, shorter, IndexingArm.WEIR, longer));

    assertEquals(10, corrected.get(IndexingArm.STOCK).othersNanos());
    assertEquals(0, corrected.get(IndexingArm.WEIR).othersNanos());
  }

  private static IndexingResult result(long wallNanos) {
    return new IndexingResult(new IndexingRun.Timing(wallNanos, wallNanos, 40, 0, 3, 8), 40, 0, 30);
  }

  /** A run checks itself that the index holds every document. */
  @Test
  void run_withoutAnyOnePart_indexesAll() throws Exception {
    IndexedDocuments documents = new IndexedDocuments(IndexingRun.BLOCKS, 20, false);
    for (Part part : Part.values()) {
      IndexingRun.Timing result =
          IndexingRun.run(
              IndexingArm.of("no-" + part.label()), documents, 2, temporary.resolve(part.label()));

      assertTrue(
          result.wallNanos() >= result.mergedNanos() && result.mergedNanos() > 0,
          result.toString());
    }
  }

  /** Whatever the threads and the merges do when, else runs could not be compared. */
  @Test
  void run_again_mergesTheSameAgain() throws Exception {
    IndexedDocuments documents = new IndexedDocuments(IndexingRun.BLOCKS, 50, false);
    for (int run = 0; run < 20; run++) {
      IndexingArm arm = run % 2 == 0 ? IndexingArm.STOCK : IndexingArm.WEIR;
      IndexingRun.Timing result =
          IndexingRun.run(arm, documents, 1 + run % 3, temporary.resolve("run" + run));

      assertEquals(IndexingRun.MERGE_FACTOR + 1, result.merges());
      assertEquals(2 * IndexingRun.BLOCKS * 50, result.mergedDocuments());
    }
  }

  /** The run would fail if an update had left two of a key, or none. */
  @Test
  void run_updating_leavesEachKeyOnce() throws Exception {
    IndexedDocuments documents = new IndexedDocuments(IndexingRun.BLOCKS, 80, true);

    IndexingRun.run(IndexingArm.WEIR, documents, 2, temporary);

    assertEquals(IndexingRun.BLOCKS * 80 - (IndexingRun.BLOCKS - 2) * 10, documents.live());
  }

  @Test
  void openParts_all_areThoseOfTheFacadeInItsOrder() throws Exception {
    IndexWriterConfig ofParts = new IndexWriterConfig(IndexSchema.analyzer());
    IndexWriterConfig ofFacade = new IndexWriterConfig(IndexSchema.analyzer());
    try (Directory parts =
            IndexingArm.WEIR.openParts(FSDirectory.open(temporary.resolve("a")), ofParts);
        Directory facade = IndexingArm.WEIR.open(temporary.resolve("b"), ofFacade)) {
      assertEquals(layers(facade), layers(parts));
    }
    assertEquals(ofFacade.getMergeScheduler().getClass(), ofParts.getMergeScheduler().getClass());
    assertEquals(ofFacade.getCodec().getClass(), ofParts.getCodec().getClass());
    assertEquals(
        ofFacade.getMergedSegmentWarmer().getClass(), ofParts.getMergedSegmentWarmer().getClass());
    assertEquals(ofFacade.getInfoStream().getClass(), ofParts.getInfoStream().getClass());
    assertEquals(
        ofFacade.getMaxFullFlushMergeWaitMillis(), ofParts.getMaxFullFlushMergeWaitMillis());
  }

  @Test
  void open_stock_isLuceneAlone() throws Exception {
    IndexWriterConfig config = new IndexWriterConfig();
    try (Directory directory = IndexingArm.STOCK.open(temporary, config)) {
      assertTrue(directory instanceof FSDirectory, directory.toString());
    }
    Class<?> scheduler = config.getMergeScheduler().getClass();
    assertEquals(ConcurrentMergeScheduler.class, scheduler.getSuperclass());
    assertEquals(0, scheduler.getDeclaredMethods().length, "Lucene's own, by another name");
    assertEquals(null, config.getMergedSegmentWarmer());
  }

  @Test
  void of_names_areParsedOrRefusedWithTheKnownOnes() {
    assertEquals(
        EnumSet.complementOf(EnumSet.of(Part.KEYS, Part.READERS_FIRST)),
        IndexingArm.of("no-keys+readers-first").parts());
    assertEquals(IndexingArm.WEIR, IndexingArm.of("weir"));
    assertEquals(
        "an arm must be stock, weir, agent or no-PART[+PART...] with a PART of budget, writeback,"
            + " keys, prefetch, warmer, readers-first, small-files, flushed-files,"
            + " deferred-sync, unmap, no-flush-wait, phases:"
            + " lucene",
        assertThrows(IllegalArgumentException.class, () -> IndexingArm.of("lucene")).getMessage());
    assertThrows(IllegalArgumentException.class, () -> IndexingArm.of("no-key"));
  }

  /** A machine that becomes slower in the course of two rounds does the same to every arm. */
  @Test
  void order_twoRounds_areEachOthersReverse() {
    BulkIndexingBenchmark.Plan plan =
        new BulkIndexingBenchmark.Plan(
            new IndexingJvm.Setup(160, false),
            1,
            0,
            4,
            1,
            Optional.empty(),
            List.of(IndexingArm.STOCK, IndexingArm.WEIR, IndexingArm.of("no-keys")),
            IndexingJvms.Sharing.SHARED);

    assertEquals(plan.order(0, 0), plan.order(0, 1).reversed());
    assertEquals(plan.order(0, 2), plan.order(0, 3).reversed());
    assertEquals(plan.order(1, -2), plan.order(1, -1).reversed());
  }

  private static List<Class<?>> layers(Directory directory) {
    List<Class<?>> layers = new ArrayList<>();
    for (Directory layer = directory; layer instanceof FilterDirectory filter; ) {
      layers.add(layer.getClass());
      layer = filter.getDelegate();
    }
    return layers;
  }
}
