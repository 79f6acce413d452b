package io.weir.stress.arm;

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
import org.apache.lucene.index.Term;
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
            SearchTerms.draw(reader, 32_000, 5).stream()
                .collect(Collectors.groupingBy(Term::text, Collectors.counting()));

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
      List<Term> terms = SearchTerms.draw(reader, 500, 1);

      assertEquals(500, terms.size());
      assertEquals(terms, SearchTerms.draw(reader, 500, 1));
      assertNotEquals(terms, SearchTerms.draw(reader, 500, 2));
      assertNotEquals(terms.stream().sorted().toList(), terms, "in no order");
    }
  }

  @Test
  void draw_noDocuments_isEmpty() throws Exception {
    try (Directory directory = new ByteBuffersDirectory()) {
      new IndexWriter(directory, new IndexWriterConfig()).close();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(List.of(), SearchTerms.draw(reader, 10, 1));
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
        assertEquals(
            List.of(new Term("body", "word"), new Term("body", "word")),
            SearchTerms.draw(reader, 2, 1));
      }
    }
  }

  private static Document body(String text) {
    Document document = new Document();
    document.add(new TextField("body", text, Field.Store.NO));
    return document;
  }
}
