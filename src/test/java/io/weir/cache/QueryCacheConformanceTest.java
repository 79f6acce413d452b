package io.weir.cache;

import io.weir.time.NanoClock;
import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.index.RandomIndexWriter;
import org.apache.lucene.tests.search.QueryUtils;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Lucene's own checks of queries, with this cache under every searcher of the test framework. */
public class QueryCacheConformanceTest extends LuceneTestCase {

  private static final int ROUNDS = 3;
  private static final int QUERIES = 12;

  public void testQueriesWithTheCache() throws IOException {
    QueryCache before = IndexSearcher.getDefaultQueryCache();
    OffHeapQueryCache cache =
        new OffHeapQueryCache(
            1 + random().nextInt(20),
            1 << 20,
            segment -> true,
            1 + random().nextInt(100),
            NanoClock.SYSTEM,
            new PoisonedMemory());
    IndexSearcher.setDefaultQueryCache(cache);
    try (Directory directory = newDirectory();
        RandomIndexWriter writer = new RandomIndexWriter(random(), directory)) {
      for (int round = 0; round < ROUNDS; round++) {
        add(writer);
        if (round > 0) {
          writer.deleteDocuments(new Term("pair", letter() + letter()));
        }
        try (DirectoryReader reader = writer.getReader()) {
          for (int i = 0; i < QUERIES; i++) {
            check(newSearcher(reader), randomQuery(2));
          }
        }
      }
    } finally {
      IndexSearcher.setDefaultQueryCache(before);
    }
    assertTrue(cache.snapshot().toString(), cache.snapshot().hits() > 0);
    assertEquals(cache.snapshot().toString(), 0, cache.snapshot().usedBytes());
  }

  private void check(IndexSearcher searcher, Query query) throws IOException {
    searcher.setQueryCachingPolicy(FilteredIndex.ALWAYS);
    IndexSearcher plain = new IndexSearcher(searcher.getIndexReader());
    plain.setQueryCache(null);
    int all = Math.max(1, searcher.getIndexReader().maxDoc());
    for (int i = 0; i < 2; i++) { // to fill the cache, and to read it
      TopDocs found = searcher.search(query, all, Sort.INDEXORDER);
      TopDocs expected = plain.search(query, all, Sort.INDEXORDER);
      assertEquals(query.toString(), expected.totalHits, found.totalHits);
      for (int hit = 0; hit < expected.scoreDocs.length; hit++) {
        assertEquals(query.toString(), expected.scoreDocs[hit].doc, found.scoreDocs[hit].doc);
      }
      assertEquals(query.toString(), plain.count(query), searcher.count(query));
    }
    if (!searcher.getIndexReader().hasDeletions()) { // these checks do not know deleted documents
      QueryUtils.check(random(), query, searcher);
      QueryUtils.check(random(), new ConstantScoreQuery(query), searcher);
    }
  }

  private static void add(RandomIndexWriter writer) throws IOException {
    int documents = atLeast(200);
    for (int i = 0; i < documents; i++) {
      Document document = new Document();
      document.add(new StringField("letter", letter(), Field.Store.NO));
      document.add(new StringField("pair", letter() + letter(), Field.Store.NO));
      document.add(new LongPoint("number", random().nextInt(1000)));
      writer.addDocument(document);
    }
  }

  private static Query randomQuery(int depth) {
    return switch (random().nextInt(depth == 0 ? 3 : 5)) {
      case 0 -> new TermQuery(new Term("letter", letter()));
      case 1 -> new TermQuery(new Term("pair", letter() + letter()));
      case 2 -> {
        int from = random().nextInt(1000);
        yield LongPoint.newRangeQuery("number", from, from + random().nextInt(400));
      }
      case 3 ->
          new BooleanQuery.Builder()
              .add(randomQuery(depth - 1), BooleanClause.Occur.MUST)
              .add(randomQuery(depth - 1), BooleanClause.Occur.FILTER)
              .build();
      default ->
          new BooleanQuery.Builder()
              .add(randomQuery(depth - 1), BooleanClause.Occur.SHOULD)
              .add(randomQuery(depth - 1), BooleanClause.Occur.SHOULD)
              .add(randomQuery(depth - 1), BooleanClause.Occur.MUST_NOT)
              .build();
    };
  }

  private static String letter() {
    return String.valueOf((char) ('a' + random().nextInt(6)));
  }
}
