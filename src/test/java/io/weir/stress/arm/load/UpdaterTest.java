package io.weir.stress.arm.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.corpus.ReadProblems;
import io.weir.stress.SmallIndex;
import io.weir.stress.index.DocumentKeys;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.index.IndexBuilder;
import io.weir.stress.index.IndexSchema;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.setting.UpdateMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpdaterTest {

  private static final int DOCUMENTS = 40;

  @TempDir Path temp;

  @Test
  void run_updateMode_replacesDocumentsThatAreThere() throws Exception {
    try (Directory directory = FSDirectory.open(SmallIndex.build(temp, DOCUMENTS));
        IndexWriter writer = writer(directory)) {
      try (Updater updater = updater(writer, UpdateMode.UPDATE, DOCUMENTS, DOCUMENTS)) {
        for (int i = 0; i < 3 * DOCUMENTS; i++) {
          updater.run(i, i);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertEquals(keys(0, DOCUMENTS), stored(reader, IndexSchema.KEY));
        assertEquals(DOCUMENTS, reader.numDocs());
      }
    }
  }

  /** A document that is updated gets the vector of its new text. */
  @Test
  void run_withVectors_givesEachDocumentThatOfItsText() throws Exception {
    Documents documents = new Documents("synthetic:" + DOCUMENTS, 1, 0).withVectors("8:50%");
    DocumentVectors vectors = DocumentVectors.of(documents);
    List<Updater.Update> updates = new ArrayList<>();
    try (Updater updater =
        new Updater(
            (some, due) -> updates.addAll(some), 1, UpdateMode.UPDATE, documents, DOCUMENTS)) {
      for (int i = 0; i < 2 * DOCUMENTS; i++) {
        updater.run(i, i);
      }
    }
    for (int i = 0; i < updates.size(); i++) {
      Updater.Update update = updates.get(i);
      assertEquals(i % 2 == 1, update.vector().isPresent());
      if (update.vector().isPresent()) {
        assertArrayEquals(
            vectors.of(i % DOCUMENTS, update.text()).orElseThrow(), update.vector().get());
        assertEquals(1, update.toDocument().getFields(IndexSchema.VECTOR).length);
      }
    }
  }

  /** What was replaced is still there, marked, and readers of the writer do not see it. */
  @Test
  void run_softUpdateMode_replacesDocumentsAndKeepsTheOldOnes() throws Exception {
    SmallIndex.build(temp, DOCUMENTS);
    SoftDeletes softDeletes = new SoftDeletes();
    IndexWriterConfig config = new IndexWriterConfig(IndexSchema.analyzer());
    config.setMergePolicy(softDeletes.retaining(config, NoMergePolicy.INSTANCE));
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer = new IndexWriter(directory, config)) {
      try (Updater updater =
          new Updater(
              new Updater.ToWriter(writer, UpdateMode.SOFT_UPDATE, softDeletes),
              1,
              UpdateMode.SOFT_UPDATE,
              new Documents("synthetic:" + DOCUMENTS, 1, 0),
              DOCUMENTS)) {
        for (int i = 0; i < 3 * DOCUMENTS; i++) {
          updater.run(i, i);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertEquals(keys(0, DOCUMENTS), stored(reader, IndexSchema.KEY));
        assertEquals(DOCUMENTS, reader.numDocs());
        // Segments of the first documents alone are dropped once all of those are replaced.
        assertTrue(reader.maxDoc() >= 3 * DOCUMENTS, reader.maxDoc() + " documents");
      }
      writer.commit();
      try (DirectoryReader all = DirectoryReader.open(directory);
          DirectoryReader live = SoftDeletes.live(DirectoryReader.open(directory))) {
        assertTrue(all.numDocs() >= 3 * DOCUMENTS, all.numDocs() + " documents");
        assertEquals(DOCUMENTS, live.numDocs());
      }
    }
  }

  @Test
  void forceMerge_softDeletes_keepsTheLastOperationsAlone() throws Exception {
    SmallIndex.build(temp, DOCUMENTS);
    SoftDeletes softDeletes = new SoftDeletes();
    IndexWriterConfig config = new IndexWriterConfig(IndexSchema.analyzer());
    config.setMergePolicy(softDeletes.retaining(config, new TieredMergePolicy()));
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer = new IndexWriter(directory, config);
        Updater updater =
            new Updater(
                new Updater.ToWriter(writer, UpdateMode.SOFT_UPDATE, softDeletes),
                1,
                UpdateMode.SOFT_UPDATE,
                new Documents("synthetic:" + DOCUMENTS, 1, 0),
                DOCUMENTS)) {
      for (int i = 0; i < SoftDeletes.RETAINED_OPERATIONS + 500; i++) {
        updater.run(i, i);
      }
      writer.forceMerge(1);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertEquals(DOCUMENTS, reader.numDocs());
        // A document that has not been replaced lately is kept because it is not deleted.
        int kept = reader.maxDoc();
        assertTrue(
            kept >= SoftDeletes.RETAINED_OPERATIONS
                && kept <= SoftDeletes.RETAINED_OPERATIONS + DOCUMENTS,
            kept + " documents");
      }
    }
  }

  @Test
  void run_addMode_addsUnderNewKeysAndDeletesNothing() throws Exception {
    try (Directory directory = FSDirectory.open(SmallIndex.build(temp, DOCUMENTS));
        IndexWriter writer = writer(directory)) {
      try (Updater updater = updater(writer, UpdateMode.ADD, DOCUMENTS, DOCUMENTS)) {
        for (int i = 0; i < 25; i++) {
          updater.run(i, i);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertEquals(0, reader.numDeletedDocs());
        assertEquals(DOCUMENTS + 25, reader.numDocs());
        assertEquals(keys(0, DOCUMENTS + 25), stored(reader, IndexSchema.KEY));
      }
    }
  }

  @Test
  void run_pastTheLastText_beginsWithTheFirstAgain() throws Exception {
    try (Directory directory = FSDirectory.open(SmallIndex.build(temp, DOCUMENTS));
        IndexWriter writer = writer(directory)) {
      Set<String> texts;
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        texts = stored(reader, IndexSchema.BODY);
      }
      try (Updater updater = updater(writer, UpdateMode.ADD, DOCUMENTS, DOCUMENTS)) {
        for (int i = 0; i < 2 * DOCUMENTS + 1; i++) {
          updater.run(i, i);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertEquals(texts, stored(reader, IndexSchema.BODY));
        assertEquals(3 * DOCUMENTS + 1, reader.numDocs());
      }
    }
  }

  /** With --doc-count the updates went on to texts that the index does not have. */
  @Test
  void run_indexOfFewerDocumentsThanTheSource_takesOnlyTheIndexesOwnTexts() throws Exception {
    new IndexBuilder(
            temp,
            new Documents("synthetic:" + DOCUMENTS, 1, 10),
            IndexLayout.PLAIN,
            new ReadProblems(),
            () -> false)
        .build();
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer = writer(directory)) {
      Set<String> texts;
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        texts = stored(reader, IndexSchema.BODY);
      }
      assertEquals(10, texts.size());
      try (Updater updater = updater(writer, UpdateMode.UPDATE, DOCUMENTS, 10)) {
        for (int i = 0; i < DOCUMENTS; i++) {
          updater.run(i, i);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertTrue(texts.containsAll(stored(reader, IndexSchema.BODY)));
      }
    }
  }

  @Test
  void run_documentsHaveBecomeFewer_saysSo() throws Exception {
    try (Directory directory = FSDirectory.open(SmallIndex.build(temp, DOCUMENTS));
        IndexWriter writer = writer(directory);
        Updater updater = updater(writer, UpdateMode.UPDATE, 2, DOCUMENTS)) {
      updater.run(1, 1);
      updater.run(2, 2);

      IOException thrown = assertThrows(IOException.class, () -> updater.run(3, 3));

      assertEquals(
          "documents must be the 40 that were indexed, now there are only 2: synthetic:2, seed 1",
          thrown.getMessage());
    }
  }

  private static Updater updater(
      IndexWriter writer, UpdateMode mode, int sourceDocuments, int indexDocuments)
      throws Exception {
    return new Updater(
        new Updater.ToWriter(writer, mode, new SoftDeletes()),
        1,
        mode,
        new Documents("synthetic:" + sourceDocuments, 1, 0),
        indexDocuments);
  }

  private static IndexWriter writer(Directory directory) throws Exception {
    return new IndexWriter(
        directory, new IndexWriterConfig(IndexSchema.analyzer()).setCommitOnClose(false));
  }

  private static Set<String> keys(int from, int to) {
    Set<String> keys = new HashSet<>();
    for (int i = from; i < to; i++) {
      keys.add(DocumentKeys.of(i, 1));
    }
    return keys;
  }

  private static Set<String> stored(DirectoryReader reader, String field) throws Exception {
    Set<String> values = new HashSet<>();
    StoredFields stored = reader.storedFields();
    for (var leaf : reader.leaves()) {
      for (int i = 0; i < leaf.reader().maxDoc(); i++) {
        if (leaf.reader().getLiveDocs() == null || leaf.reader().getLiveDocs().get(i)) {
          values.add(stored.document(leaf.docBase + i).get(field));
        }
      }
    }
    return values;
  }
}
