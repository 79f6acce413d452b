package io.weir.lucene;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/** If this fails with a newer Lucene, it has changed what the predicate goes by. */
class WriterReadersTest {

  @Test
  void isOfWriter_ofReadersOfBothKinds_tellsThemApart() throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig());
        DirectoryReader empty = DirectoryReader.open(writer)) {
      assertTrue(WriterReaders.isOfWriter(empty));
      writer.addDocument(new Document());
      writer.commit();
      try (DirectoryReader reopened = DirectoryReader.openIfChanged(empty);
          DirectoryReader wrapped =
              new SoftDeletesDirectoryReaderWrapper(DirectoryReader.open(writer), "deleted");
          DirectoryReader committed = DirectoryReader.open(directory)) {
        assertTrue(WriterReaders.isOfWriter(reopened));
        assertTrue(WriterReaders.isOfWriter(wrapped));
        assertFalse(WriterReaders.isOfWriter(committed));
      }
    }
  }
}
