package io.weir.stress.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.SmallIndex;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

class IndexStampTest {

  private static final Documents WANTED = new Documents("synthetic:9", 4, 5);

  @Test
  void read_whatWasWritten_isTheSame() throws Exception {
    IndexStamp stamp = stamp(WANTED, 5);
    IndexStamp read = readBack(stamp.toCommitData()).orElseThrow();

    assertEquals(stamp, at(read, Optional.empty()));
    IndexStamp copy = readBack(read.rewritten(SmallIndex.APART).toCommitData()).orElseThrow();
    assertEquals(SmallIndex.APART, copy.layout());
    assertEquals("APART", copy.toCommitData().get("weir.keyLayout"));
    assertEquals(5, copy.documents());
    assertTrue(copy.isOfOneBuildWith(read));
    assertTrue(read.isOfOneBuildWith(copy));
    assertFalse(copy.isOfOneBuildWith(readBack(stamp.toCommitData()).orElseThrow()));
  }

  @Test
  void read_withoutALayout_isEmpty() throws Exception {
    Map<String, String> data = new HashMap<>(stamp(WANTED, 5).toCommitData());
    assertEquals("SHARED", data.remove("weir.keyLayout"));

    assertEquals(Optional.empty(), readBack(data));
  }

  @Test
  void read_anIndexOfSomebodyElse_isEmpty() throws Exception {
    assertEquals(Optional.empty(), readBack(Map.of()));
    assertEquals(Optional.empty(), readBack(Map.of("weir.schema", "1")));
  }

  @Test
  void read_aFigureThatIsNone_isEmpty() throws Exception {
    Map<String, String> data = new HashMap<>(stamp(WANTED, 5).toCommitData());
    data.put("weir.documents", "five");

    assertEquals(Optional.empty(), readBack(data));
  }

  @Test
  void matches_whateverDiffers_isAnotherIndex() {
    IndexStamp stamp = stamp(WANTED, 5);

    assertTrue(stamp.matches(WANTED));
    assertFalse(stamp.matches(new Documents("synthetic:8", 4, 5)));
    assertFalse(stamp.matches(new Documents("synthetic:9", 3, 5)));
    assertFalse(stamp.matches(new Documents("synthetic:9", 4, 0)));
    assertFalse(
        new IndexStamp(
                IndexSchema.VERSION + 1,
                "synthetic:9",
                4,
                5,
                Optional.empty(),
                OptionalLong.empty(),
                5,
                IndexLayout.PLAIN,
                Optional.empty(),
                Optional.empty())
            .matches(WANTED));
  }

  @Test
  void toString_saysWhatIsInIt() {
    assertEquals(
        "5 documents of synthetic:9 (seed 4, at most 5, schema 1)", stamp(WANTED, 5).toString());
    assertEquals(
        "9 documents of synthetic:9 (seed 4, schema 1)",
        stamp(new Documents("synthetic:9", 4, 0), 9).toString());
  }

  private static IndexStamp stamp(Documents documents, long count) {
    return IndexStamp.of(documents, OptionalLong.of(77), count, IndexLayout.PLAIN);
  }

  private static IndexStamp at(IndexStamp stamp, Optional<String> commit) {
    return new IndexStamp(
        stamp.schema(),
        stamp.source(),
        stamp.seed(),
        stamp.maxDocuments(),
        stamp.vectors(),
        stamp.textBytes(),
        stamp.documents(),
        stamp.layout(),
        commit,
        stamp.copyOf());
  }

  private static Optional<IndexStamp> readBack(Map<String, String> data) throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        writer.setLiveCommitData(data.entrySet());
      }
      return IndexStamp.read(directory);
    }
  }
}
