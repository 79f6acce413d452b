package io.weir.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;
import org.junit.jupiter.api.Test;

/** Each reopen of a reader is one refresh of the monitor, with its result. */
class RefreshesTest {

  @Test
  void run_ofReopens_countsEachByItsResult() throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig());
        DirectoryReader reader = DirectoryReader.open(writer)) {
      Refreshes refreshes = new Refreshes();
      assertNull(refreshes.run(() -> DirectoryReader.openIfChanged(reader, writer)));
      writer.addDocument(new Document());
      try (DirectoryReader next =
          refreshes.run(() -> DirectoryReader.openIfChanged(reader, writer))) {
        assertNotNull(next);
        assertEquals(1, next.numDocs());
        assertEquals(1, next.getRefCount(), "nothing else holds it");
      }
      IOException failure = new IOException("the disk");
      IOSupplier<DirectoryReader> failing =
          () -> {
            throw failure;
          };
      assertEquals(failure, assertThrows(IOException.class, () -> refreshes.run(failing)));

      assertEquals(1, refreshes.monitor().snapshot().changed());
      assertEquals(1, refreshes.monitor().snapshot().unchanged());
      assertEquals(1, refreshes.monitor().snapshot().failed());
      refreshes.close();
      assertNull(refreshes.run(() -> null), "reopens go on");
    }
  }
}
