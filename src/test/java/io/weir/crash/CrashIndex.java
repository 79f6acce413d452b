package io.weir.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
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
 * An index whose every state is known beforehand: batch 0 holds all keys, and each later batch
 * updates some. The seed and the number of a batch decide its keys. The user data of a commit names
 * its last batch.
 *
 * @param seed decides the keys
 * @param keys of batch 0
 * @param keysABatch of each later one
 * @param documentBytes of each document, about
 */
record CrashIndex(long seed, int keys, int keysABatch, int documentBytes) {

  static final String KEY = "id";

  private static final String BATCH = "batch";

  /** Writes one batch, without a commit. */
  void write(IndexWriter writer, long batch) throws IOException {
    byte[] bytes = new byte[documentBytes];
    Random random = new Random(batch);
    for (int key : keys(batch)) {
      random.nextBytes(bytes);
      Document document = new Document();
      document.add(new StringField(KEY, Integer.toString(key), Field.Store.YES));
      document.add(new StoredField(BATCH, batch));
      document.add(new LongPoint("point", batch, key));
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

  /** As {@link #check(Directory)}, of the index in this folder. */
  long check(Path path) throws IOException {
    try (Directory directory = FSDirectory.open(path)) {
      return check(directory);
    }
  }

  /**
   * Reads all of the index.
   *
   * @return the last batch that was committed
   * @throws AssertionError if the index is not just what it was after that batch
   */
  long check(Directory directory) throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
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

  private int[] keys(long batch) {
    return batch == 0
        ? new Random(seed).ints(0, keys).distinct().limit(keys).toArray()
        : new Random(seed + batch).ints(keysABatch, 0, keys).toArray();
  }

  private Map<String, Long> expected(long last) {
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
