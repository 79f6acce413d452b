package io.weir.stress.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.corpus.ReadProblems;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexBuilderTest {

  @TempDir Path temp;

  private Path index;
  private final ReadProblems problems = new ReadProblems();

  @BeforeEach
  void place() {
    index = temp.resolve("index");
  }

  @Test
  void build_synthetic_indexesEachDocumentOnceUnderItsKey() throws Exception {
    IndexBuilder builder = builder(new Documents("synthetic:500", 3, 0), () -> false);

    assertEquals(500, builder.build());

    assertEquals(500, builder.indexedDocuments());
    try (Directory directory = FSDirectory.open(index);
        CheckIndex check = new CheckIndex(directory);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertTrue(check.checkIndex().clean);
      assertEquals(500, reader.numDocs());
      IndexSearcher searcher = new IndexSearcher(reader);
      for (int i = 0; i < 500; i++) {
        TermQuery key = new TermQuery(IndexSchema.keyTerm(DocumentKeys.of(i, 3)));
        assertEquals(1, searcher.count(key), "document " + i);
      }
    }
  }

  /** An arm that began with the merges which the build had left would measure those. */
  @Test
  @Slow("builds an index of many segments")
  void build_manySegments_leavesNoMergeThatThePolicyWants() throws Exception {
    Documents documents = new Documents("synthetic:5000", 1, 0);
    try (Directory directory = FSDirectory.open(index)) {
      int segments = 1;
      // On a busy machine the last merge of a build now and then takes all that there is.
      for (int builds = 0; segments == 1; builds++) {
        assertTrue(builds < 5, "one segment needs no merge");
        new IndexBuilder(index, documents, IndexLayout.PLAIN, problems, () -> false, 0.125).build();
        segments = SegmentInfos.readLatestCommit(directory).size();
      }
      TieredMergePolicy policy = new TieredMergePolicy();
      policy.setSegmentsPerTier(policy.getSegmentsPerTier() / 2); // as strict as the build's
      IndexWriterConfig config =
          new IndexWriterConfig()
              .setMergePolicy(policy)
              .setMergeScheduler(new SerialMergeScheduler());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        writer.maybeMerge();
      }
      assertEquals(segments, SegmentInfos.readLatestCommit(directory).size());
    }
  }

  @Test
  void build_atMostSoMany_takesTheFirst() throws Exception {
    assertEquals(20, builder(new Documents("synthetic:500", 1, 20), () -> false).build());
    assertTrue(stamp().matches(new Documents("synthetic:500", 1, 20)));
    assertEquals(20, stamp().documents());
    assertEquals(IndexLayout.PLAIN, stamp().layout());
  }

  @Test
  void build_fewerThanAskedFor_takesAll() throws Exception {
    assertEquals(5, builder(new Documents("synthetic:5", 1, 20), () -> false).build());
    assertEquals(5, stamp().documents());
  }

  @Test
  void build_stopped_commitsNothingAndLeavesNoFiles() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    BooleanSupplier afterFifty = () -> asked.incrementAndGet() > 50;

    assertEquals(0, builder(new Documents("synthetic:500", 1, 0), afterFifty).build());

    assertFalse(exists());
    try (Directory directory = FSDirectory.open(index)) {
      assertEquals("[write.lock]", Arrays.toString(directory.listAll()));
    }
  }

  @Test
  void build_oneBadLineAmongGood_indexesTheGoodAndNamesTheBad() throws Exception {
    Path file = temp.resolve("docs.txt");
    Files.writeString(
        file,
        "one\t15-JAN-2001 00:00:00.000\tsome words\nbad line\n"
            + "two\t15-JAN-2001 00:00:00.000\tmore words\n");

    assertEquals(2, builder(new Documents(file.toString(), 1, 0), () -> false).build());

    assertEquals(1, problems.malformedCount());
    assertTrue(problems.first().get(0).startsWith(file + ":2: "), problems.first().get(0));
  }

  @Test
  void build_nothingButBadLines_failsAndCommitsNothing() throws Exception {
    Path bad = temp.resolve("bad.txt");
    Files.writeString(bad, "FIELDS_HEADER_INDICATOR###\ttitle\tdate\tbody\none column\n");
    IndexBuilder builder = builder(new Documents(bad.toString(), 1, 0), () -> false);

    IOException thrown = assertThrows(IOException.class, builder::build);

    assertTrue(thrown.getMessage().contains(bad + ":2: "), thrown.getMessage());
    assertFalse(exists());
  }

  private boolean exists() throws IOException {
    try (Directory directory = FSDirectory.open(index)) {
      return DirectoryReader.indexExists(directory);
    }
  }

  private IndexStamp stamp() throws IOException {
    try (Directory directory = FSDirectory.open(index)) {
      return IndexStamp.read(directory).orElseThrow();
    }
  }

  private IndexBuilder builder(Documents documents, BooleanSupplier stopped) {
    return new IndexBuilder(index, documents, IndexLayout.PLAIN, problems, stopped);
  }
}
