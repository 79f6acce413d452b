package io.weir.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriter.IndexReaderWarmer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.Test;

class MergedSegmentWarmerTest {

  /** Which thread opened which file. */
  private final Set<String> opened = ConcurrentHashMap.newKeySet();

  private final Directory directory =
      new FilterDirectory(new ByteBuffersDirectory()) {
        @Override
        public IndexInput openInput(String name, IOContext context) throws IOException {
          opened.add(Thread.currentThread().getName() + " " + name);
          return in.openInput(name, context);
        }
      };

  @Test
  void warm_mergedSegment_isOpenedByItsMergeAndNotByTheReopen() throws Exception {
    assertFalse(reopenOpensTheMergedSegment(true));
  }

  /** Else the test above shows nothing. */
  @Test
  void noWarmer_mergedSegment_isOpenedByTheReopen() throws Exception {
    assertTrue(reopenOpensTheMergedSegment(false));
  }

  @Test
  void addTo_aWarmerOfTheApplication_isCalledWithTheMergedSegment() throws Exception {
    List<Integer> seen = new ArrayList<>();
    IndexWriterConfig config = new IndexWriterConfig();
    config.setMergedSegmentWarmer(reader -> seen.add(reader.maxDoc()));
    MergedSegmentWarmer warmer = MergedSegmentWarmer.addTo(config);
    assertSame(warmer, config.getMergedSegmentWarmer());

    mergeTwo(config);

    assertEquals(List.of(2), seen);
    assertEquals(1, warmer.segments());
  }

  /** Lucene would close the writer. */
  @Test
  void warm_warmerWithABug_isCountedAndTheMergeGoesOn() throws Exception {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setMergedSegmentWarmer(
        reader -> {
          throw new IllegalStateException("a bug");
        });
    MergedSegmentWarmer warmer = MergedSegmentWarmer.addTo(config);

    try (IndexWriter writer = new IndexWriter(directory, config)) {
      addTwo(writer);
      writer.forceMerge(1);
      writer.commit();
    }

    assertEquals(1, warmer.failures());
    assertEquals(0, warmer.segments());
    assertHoldsBothIn(1);
  }

  /** Then the merged segment may be what cannot be read. */
  @Test
  void warm_warmerThatCannotRead_endsTheMergeAndLosesNothing() throws Exception {
    assertEndsTheMerge(
        reader -> {
          throw new IOException("cold");
        });
  }

  /** As streams throw it. */
  @Test
  void warm_warmerThatCannotReadAndThrowsUnchecked_endsTheMergeAndLosesNothing() throws Exception {
    assertEndsTheMerge(
        reader -> {
          throw new UncheckedIOException(new IOException("cold"));
        });
  }

  private void assertEndsTheMerge(IndexReaderWarmer application) throws Exception {
    IndexWriterConfig config = new IndexWriterConfig().setMergedSegmentWarmer(application);
    MergedSegmentWarmer warmer = MergedSegmentWarmer.addTo(config);

    IndexWriter writer = new IndexWriter(directory, config);
    addTwo(writer);
    writer.commit();
    Exception failure = assertThrows(Exception.class, () -> writer.forceMerge(1));
    assertEquals("cold", rootOf(failure).getMessage());
    writer.rollback(); // Lucene is closing it already

    assertEquals(0, warmer.segments());
    assertHoldsBothIn(2);
  }

  private void assertHoldsBothIn(int segments) throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean);
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(2, reader.numDocs());
      assertEquals(segments, reader.leaves().size());
    }
  }

  @Test
  void warmNanos_isTheTimeOfTheApplicationsWarmer() throws Exception {
    SteppedClock clock = new SteppedClock();
    IndexReaderWarmer slow = reader -> clock.advanceNanos(7_000);
    MergedSegmentWarmer warmer = new MergedSegmentWarmer(slow, clock);
    mergeTwo(new IndexWriterConfig().setMergedSegmentWarmer(warmer));
    assertEquals(7_000, warmer.warmNanos());
  }

  private boolean reopenOpensTheMergedSegment(boolean warmed) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    if (warmed) {
      MergedSegmentWarmer.addTo(config);
    }
    String self = Thread.currentThread().getName();
    try (IndexWriter writer = new IndexWriter(directory, config);
        DirectoryReader before = openAfterAdding(writer)) {
      writer.forceMerge(1);
      opened.clear();
      try (DirectoryReader after = DirectoryReader.openIfChanged(before)) {
        assertEquals(1, after.leaves().size());
        return opened.stream().anyMatch(line -> line.startsWith(self + " "));
      }
    }
  }

  private static DirectoryReader openAfterAdding(IndexWriter writer) throws IOException {
    addTwo(writer);
    return DirectoryReader.open(writer); // from here on the writer pools readers
  }

  private void mergeTwo(IndexWriterConfig config) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config);
        DirectoryReader pooling = openAfterAdding(writer)) {
      assertEquals(2, pooling.leaves().size());
      writer.forceMerge(1);
    }
  }

  private static void addTwo(IndexWriter writer) throws IOException {
    for (String id : List.of("a", "b")) {
      Document document = new Document();
      document.add(new StringField("id", id, Field.Store.NO));
      writer.addDocument(document);
      writer.flush();
    }
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }
}
