package io.weir.cache;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** An index in memory, in segments, whose documents match filters of many densities. */
final class FilteredIndex implements Closeable {

  /** A document has, for each, the remainder of its number. */
  private static final int[] DIVISORS = {2, 3, 7, 50, 300, 2000};

  /** Every filter, as often as it is asked for. */
  static final QueryCachingPolicy ALWAYS =
      new QueryCachingPolicy() {
        @Override
        public void onUse(Query query) {}

        @Override
        public boolean shouldCache(Query query) {
          return true;
        }
      };

  private final Directory directory = new ByteBuffersDirectory();
  private final IndexWriter writer;

  FilteredIndex(int segments, int documents) throws IOException {
    this.writer =
        new IndexWriter(directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE));
    for (int segment = 0; segment < segments; segment++) {
      for (int i = 0; i < documents; i++) {
        writer.addDocument(document(segment * documents + i));
      }
      writer.flush();
    }
    writer.commit();
  }

  /** Deletes what {@code query} matches. */
  void delete(Query query) throws IOException {
    writer.deleteDocuments(query);
    writer.commit();
  }

  DirectoryReader open() throws IOException {
    return DirectoryReader.open(directory);
  }

  static IndexSearcher searcher(DirectoryReader reader, QueryCache cache) {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(cache);
    searcher.setQueryCachingPolicy(ALWAYS);
    return searcher;
  }

  /** The documents that have this remainder; one in {@code divisor}. */
  static Query remainder(int divisor, int remainder) {
    return new TermQuery(new Term("by" + divisor, Integer.toString(remainder)));
  }

  static Query id(int id) {
    return new TermQuery(new Term("id", Integer.toString(id)));
  }

  /** A filter, or several of them combined. */
  static Query random(Random random, int documents) {
    return switch (random.nextInt(5)) {
      case 0 -> {
        long from = random.nextInt(documents);
        yield LongPoint.newRangeQuery("number", from, from + random.nextInt(documents / 3));
      }
      case 1 ->
          new BooleanQuery.Builder()
              .add(simple(random), BooleanClause.Occur.FILTER)
              .add(simple(random), BooleanClause.Occur.FILTER)
              .build();
      case 2 ->
          new BooleanQuery.Builder()
              .add(simple(random), BooleanClause.Occur.SHOULD)
              .add(simple(random), BooleanClause.Occur.SHOULD)
              .add(simple(random), BooleanClause.Occur.MUST_NOT)
              .build();
      default -> simple(random);
    };
  }

  private static Query simple(Random random) {
    int divisor = DIVISORS[random.nextInt(DIVISORS.length)];
    return remainder(divisor, random.nextInt(Math.min(divisor, 9)));
  }

  /** The documents that a search without scores finds, in the order of the index. */
  static List<Integer> found(IndexSearcher searcher, Query query) throws IOException {
    int all = Math.max(1, searcher.getIndexReader().maxDoc());
    return Arrays.stream(searcher.search(query, all, Sort.INDEXORDER).scoreDocs)
        .map(hit -> hit.doc)
        .toList();
  }

  @Override
  public void close() throws IOException {
    writer.close();
    directory.close();
  }

  private static Document document(int number) {
    List<Field> fields = new ArrayList<>();
    fields.add(new StringField("id", Integer.toString(number), Field.Store.NO));
    fields.add(new LongPoint("number", number));
    for (int divisor : DIVISORS) {
      fields.add(
          new StringField("by" + divisor, Integer.toString(number % divisor), Field.Store.NO));
    }
    Document document = new Document();
    fields.forEach(document::add);
    return document;
  }
}
