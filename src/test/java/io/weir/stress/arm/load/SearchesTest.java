package io.weir.stress.arm.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.run.ArmFigures;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.plan.Documents;
import io.weir.stress.queries.QueryFile;
import io.weir.stress.queries.SearchQuery;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

class SearchesTest {

  private final List<String> searched = new ArrayList<>();

  /** Sees each search, and how many documents it matched. */
  private final SearcherFactory factory =
      new SearcherFactory() {
        @Override
        public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
          return new IndexSearcher(reader) {
            @Override
            public TopDocs search(Query query, int count) throws IOException {
              TopDocs top = super.search(query, count);
              searched.add(query.toString(IndexSchema.BODY) + ": " + top.totalHits.value());
              return top;
            }
          };
        }
      };

  @Test
  void run_queries_searchesForEachInOrderAndOverAgain() throws Exception {
    String file = "red\nred AND blue\nred OR blue\nred AND NOT blue\nnowhere\n";
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        for (String body : List.of("red", "red", "red blue", "blue", "green")) {
          Document document = new Document();
          document.add(new TextField(IndexSchema.BODY, body, Field.Store.YES));
          writer.addDocument(document);
        }
      }
      try (SearcherManager searchers = new SearcherManager(directory, factory)) {
        Timeline timeline = new Timeline(NanoClock.SYSTEM, Duration.ZERO);
        timeline.warmupGoesOnUntil(2);
        DocumentVectors none = DocumentVectors.of(new Documents("synthetic:5", 1, 0));
        List<SearchQuery> queries =
            new QueryFile("q.txt", file.getBytes(StandardCharsets.UTF_8)).queries();
        Searches load =
            new Searches(
                queries,
                timeline,
                (query, due) -> Reopener.search(searchers, query.toLucene(none)));
        for (int i = -5; i < 7; i++) {
          load.run(i, i);
        }

        List<String> once =
            List.of("red: 3", "+red +blue: 1", "red blue: 4", "+red -blue: 2", "nowhere: 0");
        List<String> all = new ArrayList<>(once); // the warm-up
        all.addAll(once);
        all.addAll(once.subList(0, 2));
        assertEquals(all, searched);
        assertEquals(
            Values.builder()
                .put(ArmFigures.SEARCHES, 5L)
                .put(ArmFigures.SEARCHES_WITHOUT_HITS, 1L)
                .build(),
            load.hits(),
            "without the warm-up's, which went on");
      }
    }
  }
}
