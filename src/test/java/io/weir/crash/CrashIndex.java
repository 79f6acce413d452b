package io.weir.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.Bits;

/**
 * An index of which every state is known beforehand: batch 0 holds all keys, each later one updates
 * some. Which ones those are depends on the number of the batch alone. A commit says in its user
 * data which batch was its last.
 */
final class CrashIndex {

  static final String KEY = "id";

  private static final String BATCH = "batch";
  private static final int KEYS = 5000;
  private static final int KEYS_A_BATCH = 250;

  /** A merge of all is then some megabytes long, so that its writes are smoothed. */
  private static final int DOCUMENT_BYTES = 800;

  private CrashIndex() {}

  /** Writes one batch, without a commit. */
  static void write(IndexWriter writer, long batch) throws IOException {
    byte[] bytes = new byte[DOCUMENT_BYTES];
    Random random = new Random(batch);
    for (int key : keys(batch)) {
      random.nextBytes(bytes);
      Document document = new Document();
      document.add(new StringField(KEY, Integer.toString(key), Field.Store.YES));
      document.add(new StoredField(BATCH, batch));
      document.add(new StoredField("bytes", bytes));
      writer.updateDocument(new Term(KEY, Integer.toString(key)), document);
    }
    writer.setLiveCommitData(Map.of(BATCH, Long.toString(batch)).entrySet());
  }

  /** The last batch of the commit that a writer begins with; -1 for a new index. */
  static long lastBatch(IndexWriter writer) {
    Iterable<Map.Entry<String, String>> data = writer.getLiveCommitData();
    if (data != null) {
      for (Map.Entry<String, String> entry : data) {
        return Long.parseLong(entry.getValue());
      }
    }
    return -1;
  }

  /**
   * Reads all of the index.
   *
   * @return the last batch that was committed
   * @throws AssertionError if the index is not just what it was after that batch
   */
  static long check(Path path) throws IOException {
    try (Directory directory = FSDirectory.open(path);
        CheckIndex check = new CheckIndex(directory)) {
      if (!check.checkIndex().clean) {
        throw new AssertionError("the index is corrupt");
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        long last = Long.parseLong(reader.getIndexCommit().getUserData().get(BATCH));
        if (!expected(last).equals(actual(reader))) {
          throw new AssertionError("documents of batch " + last + " or before are missing");
        }
        return last;
      }
    }
  }

  private static int[] keys(long batch) {
    return batch == 0
        ? new Random(0).ints(0, KEYS).distinct().limit(KEYS).toArray()
        : new Random(batch).ints(KEYS_A_BATCH, 0, KEYS).toArray();
  }

  private static Map<String, Long> expected(long last) {
    Map<String, Long> batchOfKey = new HashMap<>();
    for (long batch = 0; batch <= last; batch++) {
      for (int key : keys(batch)) {
        batchOfKey.put(Integer.toString(key), batch);
      }
    }
    return batchOfKey;
  }

  private static Map<String, Long> actual(DirectoryReader reader) throws IOException {
    Map<String, Long> batchOfKey = new HashMap<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      Bits live = leaf.reader().getLiveDocs();
      for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
        if (live == null || live.get(doc)) {
          Document document = leaf.reader().storedFields().document(doc);
          long batch = document.getField(BATCH).numericValue().longValue();
          if (batchOfKey.put(document.get(KEY), batch) != null) {
            throw new AssertionError("twice: " + document.get(KEY));
          }
        }
      }
    }
    return batchOfKey;
  }
}
