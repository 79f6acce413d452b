package io.weir.stress.queries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.weir.stress.SmallIndex;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchTermsTest {

  @TempDir Path temp;

  @Test
  void draw_commonAndRareTerms_areDrawnAsOftenAsTheyAreCommon() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < 100; i++) {
          writer.addDocument(
              body((i < 60 ? "common " : "") + (i >= 95 ? "rare" : "middle middle")));
          if (i == 30 || i == 70) {
            writer.commit(); // several segments
          }
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        Map<String, Long> drawn =
            SearchTerms.drawBySegment(reader, 32_000, 5, () -> false).stream()
                .collect(Collectors.groupingBy(term -> term, Collectors.counting()));

        // documents: common 60, middle 95, rare 5; 160 in all
        assertEquals(12_000, drawn.get("common"), 400);
        assertEquals(19_000, drawn.get("middle"), 400);
        assertEquals(1_000, drawn.get("rare"), 150);
      }
    }
  }

  @Test
  void draw_sameSeed_givesTheSameTermsInTheSameOrder() throws Exception {
    try (Directory directory = FSDirectory.open(SmallIndex.build(temp.resolve("index"), 300));
        DirectoryReader reader = DirectoryReader.open(directory)) {
      List<String> terms = SearchTerms.drawBySegment(reader, 500, 1, () -> false);

      assertEquals(500, terms.size());
      assertEquals(terms, SearchTerms.drawBySegment(reader, 500, 1, () -> false));
      assertNotEquals(terms, SearchTerms.drawBySegment(reader, 500, 2, () -> false));
      assertNotEquals(terms.stream().sorted().toList(), terms, "in no order");
    }
  }

  @Test
  void draw_noDocuments_isEmpty() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      new IndexWriter(directory, new IndexWriterConfig()).close();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(List.of(), SearchTerms.drawBySegment(reader, 10, 1, () -> false));
      }
    }
  }

  @Test
  void draw_noBodyInSomeSegments_passesThemOver() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer =
          new IndexWriter(
              directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
        Document other = new Document();
        other.add(new StringField("id", "1", Field.Store.YES));
        writer.addDocument(other);
        writer.commit();
        writer.addDocument(body("word"));
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(List.of("word", "word"), SearchTerms.drawBySegment(reader, 2, 1, () -> false));
      }
    }
  }

  /** Terms as they have been drawn since before queries could be chosen. */
  @Test
  void drawBySegment_ofAnIndexAndSeed_isWhatItAlwaysWas() throws Exception {
    try (Directory directory = twoSegments(3);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(
          "all all all w0 w1 w0 all all w3 all w1 all",
          String.join(" ", SearchTerms.drawBySegment(reader, 12, 7, () -> false)));
    }
  }

  @Test
  void drawByDocuments_otherSegments_givesTheSameTermsInTheSameOrder() throws Exception {
    try (Directory some = twoSegments(3);
        Directory others = twoSegments(6);
        DirectoryReader first = DirectoryReader.open(some);
        DirectoryReader second = DirectoryReader.open(others)) {
      List<String> terms = SearchTerms.drawByDocuments(first, 50, 7, () -> false);

      assertEquals(50, terms.size());
      assertEquals(terms, SearchTerms.drawByDocuments(second, 50, 7, () -> false));
      assertNotEquals(
          SearchTerms.drawBySegment(first, 50, 7, () -> false),
          SearchTerms.drawBySegment(second, 50, 7, () -> false));
    }
  }

  @Test
  void readDictionary_ofSegments_meetsEachTermOfEach() throws Exception {
    try (Directory directory = twoSegments(3);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(8 * 2, SearchTerms.readDictionary(reader)); // two words a document
    }
  }

  @Test
  void draw_stopped_isEmpty() throws Exception {
    try (Directory directory = twoSegments(3);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(List.of(), SearchTerms.drawBySegment(reader, 10, 1, () -> true));
      assertEquals(List.of(), SearchTerms.drawByDocuments(reader, 10, 1, () -> true));
    }
  }

  /** Eight documents, so many of them in the first segment. */
  private static Directory twoSegments(int first) throws Exception {
    Directory directory = new ByteBuffersDirectory();
    try (IndexWriter writer =
        new IndexWriter(
            directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int i = 0; i < 8; i++) {
        writer.addDocument(body("all w" + i % 5));
        if (i + 1 == first) {
          writer.commit();
        }
      }
    }
    return directory;
  }

  private static Document body(String text) {
    Document document = new Document();
    document.add(new TextField("body", text, Field.Store.NO));
    return document;
  }
}
