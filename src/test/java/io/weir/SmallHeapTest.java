package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.ResidentKeys;
import io.weir.suite.ChildJvm;
import io.weir.suite.LinkedIndex;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Eight indexes in a JVM with 48 MiB of heap. Stock Lucene opens them all. The dictionaries of
 * their keys are 5.7 MB each, and together almost the heap: copying the eighth once closed its
 * writer.
 */
@Slow("starts JVMs with small heaps")
@Timeout(180)
class SmallHeapTest {

  static final int DOCUMENTS = 210_000;
  private static final int INDEXES = 8;
  private static final long DICTIONARY_BYTES = 5_700_000;

  @TempDir static Path shared;

  @TempDir Path temp;

  private final List<String> indexes = new ArrayList<>();

  static String key(int i) {
    Random random = new Random(i);
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  @BeforeAll
  static void build() throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.getMergePolicy().setNoCFSRatio(0);
    try (Directory directory = FSDirectory.open(shared);
        IndexWriter writer =
            new IndexWriter(
                directory,
                config.setUseCompoundFile(false).setCodec(ResidentKeys.of("id").codec()))) {
      for (int i = 0; i < DOCUMENTS; i++) {
        Document document = new Document();
        document.add(new StringField("id", key(i), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  @BeforeEach
  void copy() throws IOException {
    for (int i = 0; i < INDEXES; i++) {
      indexes.add(LinkedIndex.copy(shared, temp.resolve("index" + i)).toString());
    }
  }

  /** The control: the heap is large enough for stock Lucene. */
  @Test
  @LongRun("the control of weir_opensAllAndWhenTheApplicationNeedsTheHeap_givesTheDictionariesBack")
  void stock_opensAll() throws Exception {
    assertEquals(List.of(), errors(run("stock")));
  }

  /** Each index is updated, merged and committed before the application takes heap, and after. */
  @Test
  void weir_opensAllAndWhenTheApplicationNeedsTheHeap_givesTheDictionariesBack() throws Exception {
    assertTrue(dictionaryBytes() > DICTIONARY_BYTES, "dictionary of " + dictionaryBytes());
    assertEquals(List.of(), errors(run("pressed")));
    assertClean();
  }

  private long dictionaryBytes() throws IOException {
    try (Directory directory = FSDirectory.open(Path.of(indexes.get(0)))) {
      long most = 0;
      for (String name : directory.listAll()) {
        most = name.endsWith(".tim") ? Math.max(most, directory.fileLength(name)) : most;
      }
      return most;
    }
  }

  private static List<String> errors(String log) {
    return log.lines().filter(line -> line.matches(".*(Exception|Error).*")).toList();
  }

  private String run(String mode) throws Exception {
    return ChildJvm.run(
        List.of("-Xmx48m"),
        SmallHeapIndexes.class,
        Stream.concat(Stream.of(mode), indexes.stream()).toList());
  }

  private void assertClean() throws IOException {
    for (String index : indexes) {
      try (Directory directory = FSDirectory.open(Path.of(index));
          CheckIndex check = new CheckIndex(directory)) {
        assertTrue(check.checkIndex().clean, index);
      }
    }
  }
}
