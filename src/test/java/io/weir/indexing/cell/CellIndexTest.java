package io.weir.indexing.cell;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.corpus.ReadProblems;
import io.weir.indexing.cell.CellIndex.StallMeter;
import io.weir.indexing.cell.CellIndex.WriteMeter;
import io.weir.indexing.plan.IndexingSettings;
import io.weir.lucene.SegmentFiles;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.StoredCodec;
import io.weir.stress.setting.UpdateMode;
import io.weir.suite.Slow;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Slow("builds indexes until merges have come")
class CellIndexTest {

  private static final Documents DOCUMENTS = new Documents("synthetic:2000", 1, 0);
  private static final ArmSettings STOCK =
      IndexingSettings.DEFAULT.with(ArmSetting.PRESET, Preset.STOCK);

  private static MemoryDocuments texts;

  @TempDir Path temp;

  @BeforeAll
  static void loadAll() throws Exception {
    texts = MemoryDocuments.load(DOCUMENTS, 1L << 40, new ReadProblems(), () -> false);
  }

  @Test
  void load_moreThanThereAre_givesThemAgain() throws Exception {
    MemoryDocuments some =
        MemoryDocuments.load(DOCUMENTS, 100_000, new ReadProblems(), () -> false);

    assertEquals(2000, texts.count());
    assertEquals(texts.at(3), texts.at(2003));
    assertTrue(some.textBytes() >= 100_000 && some.count() < 2000, some.count() + " documents");
    assertEquals(texts.at(0), some.at(some.count()));
  }

  @Test
  void text_ofDocumentsWithVectors_hasItsOwnWheneverItIsGiven() throws Exception {
    MemoryDocuments some =
        MemoryDocuments.load(
            new Documents("synthetic:20", 1, 0).withVectors("8:50%"),
            1L << 40,
            new ReadProblems(),
            () -> false);

    assertEquals(Optional.empty(), some.at(20).under("k").vector());
    assertArrayEquals(
        some.at(1).under("k").vector().orElseThrow(),
        some.at(21).under("k").vector().orElseThrow());
    assertEquals(1, some.at(21).under("k").toDocument().getFields(IndexSchema.VECTOR).length);
  }

  /** What the meter counts is what the directory holds, when no file has been deleted yet. */
  @ParameterizedTest
  @EnumSource
  void writes_ofFlushesAlone_areTheFilesThere(Preset preset) throws Exception {
    ArmSettings settings =
        IndexingSettings.DEFAULT
            .with(ArmSetting.PRESET, preset)
            .with(ArmSetting.COMPOUND, CompoundFiles.NEVER);
    try (CellIndex index = new CellIndex(temp, settings, 64_000_000)) {
      fill(index, UpdateMode.ADD, 500, 500);
      assertEquals(0, index.writes().flushes());
      assertTrue(index.finish(NanoClock.SYSTEM, () -> true));

      assertEquals(1, index.writes().flushes());
      assertEquals(0, index.writes().mergedBytes());
      assertEquals(0, index.writes().packedBytes());
      assertAbout(segmentBytes(name -> true), index.writes().flushedBytes());
      assertTrue(index.writes().otherBytes() < 10_000, "other " + index.writes().otherBytes());
    }
  }

  /** Weir keeps the files of small flushes in memory, where they are flushes all the same. */
  @ParameterizedTest
  @EnumSource
  void writes_ofFlushesAndMerges_areToldApart(Preset preset) throws Exception {
    ArmSettings settings = IndexingSettings.DEFAULT.with(ArmSetting.PRESET, preset);
    try (CellIndex index = new CellIndex(temp, settings, 250_000)) {
      fill(index, UpdateMode.ADD, 5000, 5000);
      assertTrue(index.writes().flushes() > 10, index.writes().flushes() + " flushes");

      assertTrue(index.finish(NanoClock.SYSTEM, () -> true));
      assertTrue(index.writes().mergedBytes() > 100_000, index.writes().mergedBytes() + " merged");
      assertEquals(0, index.mergeDebtBytes());
      try (DirectoryReader reader = reader()) {
        assertEquals(5000, reader.numDocs());
      }
    }
  }

  /** All of a segment is written twice, and flushed once. */
  @Test
  void writes_ofAPackedFlush_countThePackingApart() throws Exception {
    ArmSettings settings = STOCK.with(ArmSetting.COMPOUND, CompoundFiles.ALWAYS);
    try (CellIndex index = new CellIndex(temp, settings, 64_000_000)) {
      fill(index, UpdateMode.ADD, 500, 500);
      assertTrue(index.finish(NanoClock.SYSTEM, () -> true));

      long packed = index.writes().packedBytes();
      assertEquals(segmentBytes(SegmentFiles::isCompound), packed);
      assertEquals(2, (double) index.writes().flushedBytes() / packed, 0.1);
    }
  }

  @Test
  void writes_ofMerges_areWhatLuceneSaysOfTheirSegments() throws Exception {
    WriteMeter writes = new WriteMeter();
    MergedSizes sizes = new MergedSizes();
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setMergeScheduler(sizes)
            .setUseCompoundFile(false)
            .setMaxBufferedDocs(100);
    config.getMergePolicy().setNoCFSRatio(0);
    try (Directory directory = writes.bytes(new ByteBuffersDirectory());
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 5000; i++) {
        writer.addDocument(texts.at(i).under(Integer.toString(i)).toDocument());
      }
    }

    assertTrue(sizes.bytes > 1_000_000, sizes.bytes + " bytes merged");
    assertAbout(sizes.bytes, writes.mergedBytes());
  }

  /** Merges on the thread that asks for them, and adds up the sizes of what comes out. */
  private static final class MergedSizes extends MergeScheduler {
    private long bytes;

    @Override
    public synchronized void merge(MergeSource source, MergeTrigger trigger) throws IOException {
      for (MergePolicy.OneMerge merge = source.getNextMerge();
          merge != null;
          merge = source.getNextMerge()) {
        source.merge(merge);
        bytes += merge.getMergeInfo().sizeInBytes();
      }
    }

    @Override
    public void close() {}
  }

  @Test
  void sink_updates_keepAsManyDocumentsAsThereAreKeys() throws Exception {
    try (CellIndex index = new CellIndex(temp, STOCK, 64_000_000)) {
      fill(index, UpdateMode.UPDATE, 900, 300);
      assertTrue(index.finish(NanoClock.SYSTEM, () -> true));
    }

    try (DirectoryReader reader = reader()) {
      assertEquals(300, reader.numDocs());
    }
  }

  @Test
  void codec_bestCompression_isInTheSegments() throws Exception {
    ArmSettings settings = STOCK.with(ArmSetting.CODEC, StoredCodec.BEST_COMPRESSION);
    try (CellIndex index = new CellIndex(temp, settings, 64_000_000)) {
      fill(index, UpdateMode.ADD, 50, 50);
      assertTrue(index.finish(NanoClock.SYSTEM, () -> true));
    }

    try (Directory directory = FSDirectory.open(temp)) {
      String attributes =
          SegmentInfos.readLatestCommit(directory).info(0).info.getAttributes().toString();
      assertTrue(attributes.contains("BEST_COMPRESSION"), attributes);
    }
  }

  @Test
  void stalls_lucenesOwnWords_areUnderstood() {
    StallMeter stalls = new StallMeter();

    stalls.message(
        "DW", "now stalling flushes: netBytes: 9.0 MB flushBytes: 9.0 MB fullFlush: false");
    stalls.message("DW", "done stalling flushes for 12.5 msec: netBytes: 1.0 MB");
    stalls.message("DW", "done stalling flushes for 0,5 msec: netBytes: 1,0 MB");
    stalls.message("MS", "    too many merges; stalling...");
    stalls.message("MS", "  stalled for 250 ms");
    stalls.message("IW", "  stalled for 250 ms");

    assertEquals(2, stalls.flushStalls());
    assertEquals(13_000_000, stalls.flushStallNanos());
    assertEquals(1, stalls.mergeStalls());
    assertEquals(250_000_000, stalls.mergeStallNanos());
  }

  /**
   * That Lucene says so, as long as it does: one merge at a time, and a flush each two documents.
   */
  @Test
  void stalls_ofAWriterWithTooManyMerges_areCounted() throws Exception {
    StallMeter stalls = new StallMeter();
    ConcurrentMergeScheduler scheduler = new ConcurrentMergeScheduler();
    scheduler.setMaxMergesAndThreads(1, 1);
    LogDocMergePolicy policy = new LogDocMergePolicy();
    policy.setMergeFactor(2);
    policy.setMinMergeDocs(2);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setMergeScheduler(scheduler)
            .setMergePolicy(policy)
            .setMaxBufferedDocs(2)
            .setInfoStream(stalls);
    AtomicLong added = new AtomicLong();
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, config)) {
      while (stalls.mergeStalls() == 0 && added.incrementAndGet() < 100_000) {
        writer.addDocument(new Document());
      }
    }

    assertTrue(stalls.mergeStalls() > 0, added + " documents without a stall");
  }

  private void fill(CellIndex index, UpdateMode mode, int documents, int keys) throws Exception {
    Feeders.Sink sink = index.sink(mode, keys, 1);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < documents; i++) {
      sink.take(i, texts.at(i), random);
    }
  }

  private DirectoryReader reader() throws IOException {
    return DirectoryReader.open(FSDirectory.open(temp));
  }

  private long segmentBytes(Predicate<String> which) throws IOException {
    long bytes = 0;
    try (Directory directory = FSDirectory.open(temp)) {
      for (String name : directory.listAll()) {
        bytes += name.startsWith("_") && which.test(name) ? directory.fileLength(name) : 0;
      }
    }
    return bytes;
  }

  /** Lucene writes a little more than it keeps: temporary files, and the info of a segment. */
  private static void assertAbout(long least, long bytes) {
    assertTrue(bytes >= least && bytes < 1.1 * least, bytes + " bytes, not " + least);
  }
}
