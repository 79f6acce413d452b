package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.FaultyDirectory;
import io.weir.rate.ByteBudget;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk is full at step number i of a forced merge, and i grows until nothing fails: each time
 * the writer can be rolled back, the index is whole, and no document of the last commit is missing.
 */
class MergeFaultTest {

  private static final int DOCUMENTS = 600;

  @TempDir Path temp;

  @Test
  @Timeout(120)
  void forceMerge_diskFullAtAnyStep_losesNoCommittedDocument() throws Exception {
    build();
    int faults = 0;
    try (FaultyDirectory disk = new FaultyDirectory(FSDirectory.open(temp))) {
      for (int step = 0; mergeWithFault(disk, step); step++) {
        faults++;
        checkWhole(disk);
      }
      checkWhole(disk);
    }
    assertTrue(faults > 40, "only " + faults + " steps: the merge is too small to prove anything");
  }

  /** Whether the merge met the fault. */
  private static boolean mergeWithFault(FaultyDirectory disk, int step) throws IOException {
    ByteBudget budget = ByteBudget.perSecond(1_000_000_000);
    RateLimitedDirectory directory = new RateLimitedDirectory(disk, budget);
    // Merges on this thread, so that the fault's exception arrives here.
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setMergeScheduler(new SerialMergeScheduler())
            .setCommitOnClose(false);
    IndexWriter writer = new IndexWriter(directory, config);
    disk.failFrom(step);
    try {
      writer.forceMerge(1);
      assertTrue(!disk.failed(), "a fault was swallowed");
    } catch (IOException | IllegalStateException e) {
      assertTrue(disk.failed());
    }
    boolean failed = disk.failed();
    disk.heal();
    writer.rollback();
    assertEquals(0, budget.snapshot().waiting());
    return failed;
  }

  private void build() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE).setMaxBufferedDocs(150);
    try (Directory directory = FSDirectory.open(temp);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCUMENTS; i++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(i), Field.Store.YES));
        document.add(new TextField("body", "some words of document " + i, Field.Store.YES));
        document.add(new LongPoint("number", i));
        writer.addDocument(document);
      }
    }
  }

  private static void checkWhole(Directory directory) throws IOException {
    try (CheckIndex check = new CheckIndex(directory);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertTrue(check.checkIndex().clean);
      assertEquals(DOCUMENTS, reader.numDocs());
    }
  }
}
