package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.stress.SmallIndex;
import java.nio.file.Path;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexLockTest {

  @TempDir Path index;

  @BeforeEach
  void build() throws Exception {
    SmallIndex.build(index, 10);
  }

  @Test
  void hold_keepsWritersOutUntilClosed() throws Exception {
    try (Directory directory = FSDirectory.open(index)) {
      IndexLock lock = IndexLock.hold(index);
      try {
        assertThrows(
            LockObtainFailedException.class,
            () -> new IndexWriter(directory, new IndexWriterConfig()));
      } finally {
        lock.close();
      }
      new IndexWriter(directory, new IndexWriterConfig()).close();
    }
  }

  @Test
  void hold_lockedBySomebodyElse_isAUsageErrorInOneLine() throws Exception {
    try (Directory directory = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      StressException thrown = assertThrows(StressException.class, () -> IndexLock.hold(index));

      assertEquals(StressException.Kind.USAGE, thrown.kind());
      assertEquals(
          "--index must not be in use, another process has locked it: "
              + index.resolve("write.lock"),
          thrown.getMessage());
      writer.rollback();
    }
  }
}
