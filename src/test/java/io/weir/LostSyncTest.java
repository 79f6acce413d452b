package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedFileSystem;
import io.weir.fakes.SteppedFileSystem.Step;
import io.weir.store.ResidentKeys;
import io.weir.stress.Await;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FileSwitchDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A kernel that reports a failed sync once: the file is opened anew for the next one, which passes.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostSyncTest {

  @TempDir Path temp;

  private Weir weir; // the last that was opened
  private IOException report = new IOException("Input/output error");
  private volatile Predicate<String> lost = file -> false;

  @Test
  void commit_triedAgainAfterALostSync_failsUntilTheSegmentIsMergedAway() throws Exception {
    try (Directory directory = directory();
        IndexWriter writer = writer(directory)) {
      add(writer, "a");
      writer.commit();
      add(writer, "b");
      lost = file -> file.endsWith(".cfs");
      assertThrows(IOException.class, writer::commit);
      for (int i = 0; i < 2; i++) {
        IOException again = assertThrows(IOException.class, writer::commit);
        assertTrue(again.getMessage().contains("_1.cfs"), again.getMessage());
        assertTrue(again.getMessage().contains("Input/output error"), again.getMessage());
      }
      assertCommitted(1);
      writer.forceMerge(1);
      writer.commit();
    }
    assertWhole(2);
  }

  /** The kernel has told one of two, so the sync of the other one may pass without the data. */
  @Test
  void commit_triedAgainAfterALostSyncThatAnotherThreadDidToo_fails() throws Exception {
    try (Directory directory = directory();
        IndexWriter writer = writer(directory)) {
      add(writer, "a");
      AtomicReference<Thread> other = new AtomicReference<>();
      lost =
          file -> {
            if (!file.endsWith(".cfs")) {
              return false;
            }
            lost = again -> false;
            other.set(Thread.ofPlatform().start(() -> syncQuietly(directory, file)));
            Await.until("the other sync ends or waits", () -> isStill(other.get()));
            return true;
          };
      assertThrows(IOException.class, writer::commit);
      other.get().join();
      IOException again = assertThrows(IOException.class, writer::commit);
      assertTrue(again.getMessage().contains("Input/output error"), again.getMessage());
      writer.rollback();
    }
  }

  private static void syncQuietly(Directory directory, String file) {
    try {
      directory.sync(List.of(file));
    } catch (IOException e) {
      // as it should
    }
  }

  private static boolean isStill(Thread thread) {
    return thread.getState() == Thread.State.TERMINATED
        || thread.getState() == Thread.State.BLOCKED;
  }

  @Test
  void rollback_afterALostSync_leavesTheLastCommitAndAWriterThatCommits() throws Exception {
    try (Directory directory = directory()) {
      try (IndexWriter writer = writer(directory)) {
        add(writer, "a");
        writer.commit();
        add(writer, "b");
        lost = file -> file.endsWith(".cfs");
        assertThrows(IOException.class, writer::commit);
        writer.rollback();
      }
      assertCommitted(1);
      try (IndexWriter writer = writer(directory)) {
        add(writer, "b");
      }
    }
    assertWhole(2);
  }

  /** Written once and synced once, it is on the disk: a later failure is not about its data. */
  @Test
  void commit_afterAFailedSyncOfAFileOfTheLastCommit_passes() throws Exception {
    try (Directory directory = directory()) {
      try (IndexWriter writer = writer(directory)) {
        add(writer, "a");
        writer.commit();
        add(writer, "b");
        lost = file -> file.startsWith("_0");
        assertThrows(IOException.class, writer::commit);
        writer.commit();
      }
    }
    try (Directory directory = directory();
        IndexWriter writer = writer(directory)) {
      add(writer, "c");
      lost = file -> file.startsWith("_0");
      assertThrows(IOException.class, writer::commit);
      writer.commit();
    }
    assertWhole(3);
  }

  /** It is written anew, by the same name or another. */
  @Test
  void commit_afterALostSyncOfItsSegmentsFile_passes() throws Exception {
    try (Directory directory = directory();
        IndexWriter writer = writer(directory)) {
      add(writer, "a");
      lost = file -> file.startsWith("pending_segments");
      assertThrows(IOException.class, writer::commit);
      writer.commit();
    }
    assertWhole(1);
  }

  @Test
  void commit_afterAFailureThatSaysNothingOfData_passes() throws Exception {
    List<IOException> harmless =
        List.of(new ClosedByInterruptException(), new NoSuchFileException("_0.cfs"));
    try (Directory directory = directory();
        IndexWriter writer = writer(directory)) {
      for (IOException each : harmless) {
        report = each;
        add(writer, each.toString());
        lost = file -> file.endsWith(".cfs");
        assertThrows(IOException.class, writer::commit);
        writer.commit();
      }
    }
    assertWhole(harmless.size());
  }

  /** No kernel stands between this directory and its data, so a sync that passes has done all. */
  @Test
  void commit_afterAFailedSyncOutsideAFileSystem_passes() throws Exception {
    try (Directory remote = new ByteBuffersDirectory()) {
      try (Directory directory = open(new StepsOfSyncs(remote));
          IndexWriter writer = writer(directory)) {
        add(writer, "a");
        lost = file -> file.startsWith("_0");
        assertThrows(IOException.class, writer::commit);
        writer.commit();
        try (DirectoryReader reader = DirectoryReader.open(remote)) {
          assertEquals(1, reader.numDocs());
        }
      }
    }
  }

  /** It is on a disk, behind another name. */
  @Test
  void commit_afterALostSyncOfADirectoryThatSwitches_fails() throws Exception {
    Directory disk = new StepsOfSyncs(FSDirectory.open(temp));
    try (Directory directory = open(new FileSwitchDirectory(Set.of("tim"), disk, disk, true));
        IndexWriter writer = writer(directory)) {
      add(writer, "a");
      lost = file -> file.startsWith("_0");
      assertThrows(IOException.class, writer::commit);
      assertThrows(IOException.class, writer::commit);
      writer.rollback();
    }
  }

  private final class StepsOfSyncs extends FilterDirectory {

    StepsOfSyncs(Directory in) {
      super(in);
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      for (String name : names) {
        step(Step.SYNC, name);
      }
      super.sync(names);
    }
  }

  /** The innocent files of the same call are not held to have failed. */
  @Test
  void sync_ofManyFilesOfWhichOneIsLost_failsForThatOneAlone() throws Exception {
    try (Directory directory = directory()) {
      List<String> names = List.of("_1.fdt", "_1.fdx", "_1.fdm");
      for (String name : names) {
        write(directory, name);
      }
      lost = "_1.fdx"::equals;
      assertThrows(IOException.class, () -> directory.sync(names));
      directory.sync(List.of("_1.fdt", "_1.fdm"));
      IOException again = assertThrows(IOException.class, () -> directory.sync(names));
      assertTrue(again.getMessage().contains("_1.fdx"), again.getMessage());
    }
  }

  @Test
  void sync_ofAReusedName_isThatOfTheNewFile() throws Exception {
    try (Directory directory = directory();
        Directory source = FSDirectory.open(temp.resolve("source"))) {
      write(source, "_1.fdx");
      write(directory, "_1.fdt");
      lost = "_1.fdt"::equals;
      assertThrows(IOException.class, () -> directory.sync(Set.of("_1.fdt")));
      directory.rename("_1.fdt", "_2.fdt");
      assertThrows(IOException.class, () -> directory.sync(Set.of("_2.fdt")));
      directory.deleteFile("_2.fdt");
      write(directory, "_2.fdt");
      directory.sync(Set.of("_2.fdt"));

      lost = "_2.fdt"::equals;
      directory.deleteFile("_2.fdt");
      write(directory, "_2.fdt");
      assertThrows(IOException.class, () -> directory.sync(Set.of("_2.fdt")));
      write(directory, "_3.fdt");
      directory.rename("_3.fdt", "_2.fdt");
      directory.sync(Set.of("_2.fdt"));
      directory.deleteFile("_2.fdt");
      directory.copyFrom(source, "_1.fdx", "_2.fdt", IOContext.DEFAULT);
      directory.sync(Set.of("_2.fdt"));
    }
  }

  private Directory directory() throws IOException {
    return open(FSDirectory.open(SteppedFileSystem.of(temp, this::step)));
  }

  private Directory open(Directory files) {
    weir = Weir.builder().keys(ResidentKeys.of("id")).open(files);
    return weir.directory();
  }

  private IndexWriter writer(Directory directory) throws IOException {
    return new IndexWriter(directory, weir.configure(new IndexWriterConfig()));
  }

  private void step(Step step, String file) throws IOException {
    if (step == Step.SYNC && lost.test(file)) {
      lost = other -> false;
      throw report;
    }
  }

  private static void write(Directory directory, String name) throws IOException {
    try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
      output.writeString(name);
    }
  }

  private static void add(IndexWriter writer, String id) throws IOException {
    Document document = new Document();
    document.add(new StringField("id", id, Field.Store.YES));
    writer.addDocument(document);
  }

  private void assertCommitted(int documents) throws IOException {
    try (Directory stock = FSDirectory.open(temp);
        DirectoryReader reader = DirectoryReader.open(stock)) {
      assertEquals(documents, reader.numDocs());
    }
  }

  private void assertWhole(int documents) throws IOException {
    try (Directory stock = FSDirectory.open(temp);
        CheckIndex check = new CheckIndex(stock)) {
      assertTrue(check.checkIndex().clean);
    }
    assertCommitted(documents);
  }
}
