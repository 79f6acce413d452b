package io.weir.load.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.load.server.ServerMain.ForcedMerges;
import io.weir.stress.Await;
import io.weir.time.NanoClock;
import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;

class ForcedMergesTest {

  /** A disk that is full when a merge writes. */
  private static final class FullForMerges extends FilterDirectory {

    FullForMerges() {
      super(new ByteBuffersDirectory());
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (context.context() == IOContext.Context.MERGE) {
        throw new IOException("the disk is full");
      }
      return super.createOutput(name, context);
    }
  }

  private static IndexWriter twoSegments(Directory directory) throws IOException {
    IndexWriter writer =
        new IndexWriter(
            directory, new IndexWriterConfig().setMergeScheduler(new SerialMergeScheduler()));
    for (int i = 0; i < 2; i++) {
      writer.addDocument(new Document());
      writer.commit();
    }
    return writer;
  }

  @Test
  void start_onTwoSegments_makesThemOneAndCountsTheTime() throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer = twoSegments(directory);
        ForcedMerges merges = new ForcedMerges(writer, NanoClock.SYSTEM)) {
      Await.until("one segment is left", () -> segments(writer) == 1);
      Await.until("the merge has ended", () -> merges.mergingNanos() > 0);

      assertTrue(merges.failure().isEmpty());
    }
  }

  @Test
  void start_onADiskThatIsFull_keepsTheFailure() throws Exception {
    try (Directory directory = new FullForMerges();
        IndexWriter writer = twoSegments(directory);
        ForcedMerges merges = new ForcedMerges(writer, NanoClock.SYSTEM)) {
      Await.until("it has failed", () -> merges.failure().isPresent());

      assertEquals("the disk is full", merges.failure().get().getMessage());
    }
  }

  private static int segments(IndexWriter writer) {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      return reader.leaves().size();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
