package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;

/** Documents with a key, and fields before and after it in the order of names. */
final class KeyedIndex {

  static final String KEY = "id";

  private KeyedIndex() {}

  static IndexWriterConfig config(boolean compound) {
    TieredMergePolicy mergePolicy = new TieredMergePolicy();
    mergePolicy.setNoCFSRatio(compound ? 1 : 0);
    return new IndexWriterConfig().setUseCompoundFile(compound).setMergePolicy(mergePolicy);
  }

  /** What a writer does that writes the key apart. */
  static IndexWriterConfig config(boolean compound, ResidentKeys keys) {
    return config(compound).setCodec(keysApart(keys, Codec.getDefault()));
  }

  /** The codec of these keys, as if no flush were small. */
  static Codec keysApart(ResidentKeys keys, Codec delegate) {
    return new ResidentKeys.KeysCodec(delegate, keys.fields(), 0);
  }

  /** Segments of equal size, with keys from 0 on, that no merge touches. */
  static void build(Directory directory, IndexWriterConfig config, int segments, int documents)
      throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, config.setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int segment = 0; segment < segments; segment++) {
        for (int i = 0; i < documents; i++) {
          writer.addDocument(document(segment * documents + i, "first"));
        }
        writer.flush();
      }
    }
  }

  static Document document(int key, String version) {
    Document document = new Document();
    document.add(new TextField("body", "word" + key % 97 + " word" + key % 89, Field.Store.NO));
    document.add(new StringField(KEY, key(key), Field.Store.YES));
    document.add(new StringField("version", version, Field.Store.YES));
    return document;
  }

  static void update(IndexWriter writer, int key, String version) throws IOException {
    writer.updateDocument(term(key), document(key, version));
  }

  static Term term(int key) {
    return new Term(KEY, key(key));
  }

  private static String key(int key) {
    return "key-" + Integer.toString(key * 7919, 36);
  }

  /** That the key is there once, and in this version. */
  static void assertVersion(String version, DirectoryReader reader, int key) throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    TopDocs found = searcher.search(new TermQuery(term(key)), 2);
    assertEquals(1, found.totalHits.value(), "key " + key);
    Document document = searcher.storedFields().document(found.scoreDocs[0].doc);
    assertNotNull(document.get(KEY));
    assertEquals(version, document.get("version"), "key " + key);
  }

  static Set<String> segments(DirectoryReader reader) {
    return reader.leaves().stream()
        .map(leaf -> ((SegmentReader) leaf.reader()).getSegmentName())
        .collect(Collectors.toSet());
  }

  static void assertClean(Directory directory, int documents) throws IOException {
    try (CheckIndex check = new CheckIndex(directory);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertTrue(check.checkIndex().clean);
      assertEquals(documents, reader.numDocs());
    }
  }
}
