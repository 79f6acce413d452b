package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/**
 * Each kind as a real writer makes it. A Lucene that wraps the merges of readers and commits in
 * another way turns this red.
 */
class MergeKindTest {

  private static final int SMALL_SEGMENTS = 14;

  private final MergeLab.Recorder recorder = new MergeLab.Recorder();
  private final RateLimitedMergeScheduler scheduler = new RateLimitedMergeScheduler();

  MergeKindTest() {
    scheduler.addListener(recorder);
    scheduler.setOnClose(CloseAction.FINISH);
  }

  @Test
  void getReader_waitsForMergesOfSmallSegments_theyAreCritical() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      MergeLab.build(directory, SMALL_SEGMENTS, 5, MergeLab::text);
      try (IndexWriter writer = new IndexWriter(directory, waitingForMerges(60_000))) {
        writer.addDocument(MergeLab.document(1000));
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          assertTrue(reader.leaves().size() < SMALL_SEGMENTS, "the reader did not wait");
        }
        assertEquals(Set.of(MergeKind.CRITICAL), kinds());
      }
    }
  }

  @Test
  void commit_waitsForMergesOfSmallSegments_theyAreCritical() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      MergeLab.build(directory, SMALL_SEGMENTS, 5, MergeLab::text);
      try (IndexWriter writer = new IndexWriter(directory, waitingForMerges(60_000))) {
        writer.addDocument(MergeLab.document(1000));
        writer.commit();
        assertEquals(Set.of(MergeKind.CRITICAL), kinds());
        assertTrue(MergeLab.segments(directory) < SMALL_SEGMENTS, "the commit did not wait");
      }
    }
  }

  /** The same merges, when nobody waits for them. */
  @Test
  void commit_doesNotWait_theyAreNatural() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      MergeLab.build(directory, SMALL_SEGMENTS, 5, MergeLab::text);
      try (IndexWriter writer = new IndexWriter(directory, waitingForMerges(0))) {
        writer.addDocument(MergeLab.document(1000));
        writer.commit();
        scheduler.sync();
        assertEquals(Set.of(MergeKind.NATURAL), kinds());
      }
    }
  }

  @Test
  void forceMerge_isForced() throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, MergeLab.config(scheduler))) {
      flushSegments(writer, 3);
      writer.forceMerge(1);
      assertEquals(List.of(MergeKind.FORCED), recorder.kinds());
    }
  }

  /** Lucene does not mark these, and nothing else tells them from natural ones. */
  @Test
  void forceMergeDeletes_isNatural() throws Exception {
    IndexWriterConfig config = MergeLab.config(scheduler);
    ((TieredMergePolicy) config.getMergePolicy()).setForceMergeDeletesPctAllowed(0);
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, config)) {
      flushSegments(writer, 2);
      writer.deleteDocuments(new Term("id", "1"));
      writer.forceMergeDeletes();
      assertEquals(List.of(MergeKind.NATURAL), recorder.kinds());
    }
  }

  @Test
  void addIndexes_ofReaders_isOtherOfUnknownSize() throws Exception {
    try (Directory source = new ByteBuffersDirectory();
        Directory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            new IndexWriter(
                directory, MergeLab.config(scheduler).setMergePolicy(NoMergePolicy.INSTANCE))) {
      MergeLab.build(source, 2, 20, MergeLab::text);
      try (DirectoryReader reader = DirectoryReader.open(source)) {
        writer.addIndexes(codecReaders(reader));
      }
      writer.commit();
      scheduler.sync();
      assertEquals(Set.of(MergeKind.OTHER), kinds());
      assertEquals(OptionalLong.empty(), recorder.finished.get(0).estimatedBytes());
      assertTrue(recorder.finished.get(0).segment().isPresent(), "its segment was not seen");
      assertEquals(40, writer.getDocStats().numDocs);
    }
  }

  static CodecReader[] codecReaders(DirectoryReader reader) {
    return reader.leaves().stream()
        .map(LeafReaderContext::reader)
        .map(CodecReader.class::cast)
        .toArray(CodecReader[]::new);
  }

  private Set<MergeKind> kinds() {
    return Collections.unmodifiableSet(new HashSet<>(recorder.kinds()));
  }

  private IndexWriterConfig waitingForMerges(long millis) {
    return MergeLab.config(scheduler).setMaxFullFlushMergeWaitMillis(millis);
  }

  private static void flushSegments(IndexWriter writer, int segments) throws IOException {
    for (int i = 0; i < segments; i++) {
      for (int j = 0; j < 20; j++) {
        writer.addDocument(MergeLab.document(i * 20 + j));
      }
      writer.flush();
    }
  }
}
