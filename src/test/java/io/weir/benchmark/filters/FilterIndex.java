package io.weir.benchmark.filters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Documents that have an id and a random number; a filter is a range of numbers. */
final class FilterIndex {

  private static final long SEED = 42;
  private static final int RADIX = 36;
  private static final String ID = "id";
  private static final String NUMBER = "number";
  private static final int RAM_BUFFER_MB = 64;

  /** The share of the documents that the narrowest filter and the widest one have. */
  private static final double NARROWEST = 0.02;

  private static final double WIDEST = 0.1;

  private FilterIndex() {}

  /** Builds the index in one segment, unless there is one of that size. */
  static void make(Path path, int documents) throws IOException {
    Files.createDirectories(path);
    try (Directory directory = FSDirectory.open(path)) {
      if (DirectoryReader.indexExists(directory)) {
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          if (reader.numDocs() == documents) {
            return;
          }
        }
      }
      IndexWriterConfig config =
          new IndexWriterConfig()
              .setOpenMode(IndexWriterConfig.OpenMode.CREATE)
              .setRAMBufferSizeMB(RAM_BUFFER_MB);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        SplittableRandom random = new SplittableRandom(SEED);
        StringField id = new StringField(ID, "", Field.Store.NO);
        IntPoint number = new IntPoint(NUMBER, 0);
        Document document = new Document();
        document.add(id);
        document.add(number);
        for (int i = 0; i < documents; i++) {
          id.setStringValue(Integer.toString(i, RADIX));
          number.setIntValue(random.nextInt(Integer.MAX_VALUE));
          writer.addDocument(document);
        }
        writer.forceMerge(1);
      }
    }
  }

  /** The filters, the same for each number of them. */
  static Query[] filters(int count) {
    SplittableRandom random = new SplittableRandom(SEED);
    Query[] filters = new Query[count];
    for (int i = 0; i < count; i++) {
      double share = random.nextDouble(NARROWEST, WIDEST);
      int width = (int) (share * Integer.MAX_VALUE);
      int from = random.nextInt(Integer.MAX_VALUE - width);
      filters[i] = IntPoint.newRangeQuery(NUMBER, from, from + width);
    }
    return filters;
  }

  /** The document with this id, if it passes the filter. */
  static Query query(int id, Query filter) {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term(ID, Integer.toString(id, RADIX))), BooleanClause.Occur.MUST)
        .add(filter, BooleanClause.Occur.FILTER)
        .build();
  }
}
