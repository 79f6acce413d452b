package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.NoLockFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a commit asks of the disk, in which order, and whether it holds the writer's lock then. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CommitSyncTest {

  private static final String LOCKED = ", locked";
  private static final String INTERRUPTED = ", interrupted";

  @TempDir Path temp;

  private final List<String> calls = new ArrayList<>();
  private int failAtCall = Integer.MAX_VALUE;
  private Function<String, IOException> failure = IOException::new;
  private Action beforeItWritesASegment = () -> {};
  private Action inTheSyncOfTheFolder = () -> {};
  private Directory directory;
  private IndexWriter writer;

  @BeforeEach
  void open() throws IOException {
    Weir weir = Weir.builder().open(new Recorder(FSDirectory.open(temp)));
    directory = weir.directory();
    writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig()));
    add("first");
    writer.commit();
    calls.clear();
    add("second");
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
    directory.close();
  }

  @Test
  void commit_holdsTheLockForItsLastSyncOnly() throws IOException {
    writer.commit();
    assertEquals(
        List.of(
            "sync of a segment",
            "sync of pending_segments_2",
            "sync of the folder",
            "rename of pending_segments_2" + LOCKED,
            "sync of the folder" + LOCKED),
        calls);
    assertCommitted(2);
  }

  /** It knows nothing of the commit, whose segments have no names on the disk yet. */
  @Test
  void commit_duringWhichAnotherThreadSyncsAFile_syncsTheFolderAfterItsSegments()
      throws IOException {
    beforeItWritesASegment = () -> onAnotherThread(this::syncAFile);
    writer.commit();
    assertEquals(
        List.of(
            "sync of own",
            "sync of a segment",
            "sync of pending_segments_2",
            "sync of the folder",
            "rename of pending_segments_2" + LOCKED,
            "sync of the folder" + LOCKED),
        calls);
    assertCommitted(2);
  }

  @Test
  void sync_ofAnotherThreadDuringACommit_doesNotFailForTheCommit() throws IOException {
    beforeItWritesASegment =
        () -> {
          onAnotherThread(this::syncAFile);
          failAtCall = 3;
        };
    failAtCall = 2;
    IOException failed = assertThrows(IOException.class, writer::commit);
    assertEquals("no sync of pending_segments_2", failed.getMessage());
    failAtCall = Integer.MAX_VALUE;
    writer.commit();
    assertCommitted(2);
  }

  /**
   * Lucene passes over the sync of a folder that an interrupt ends. A writer with a native lock
   * notices it when it renames; this one has none.
   */
  @Test
  void commit_interruptedWhileItSyncsTheFolder_syncsItBeforeItRenames() throws IOException {
    writer.rollback();
    calls.clear();
    inTheSyncOfTheFolder = Thread.currentThread()::interrupt;
    SegmentInfos.readLatestCommit(directory).commit(directory);
    assertEquals(
        List.of(
            "sync of pending_segments_2",
            "sync of the folder" + INTERRUPTED,
            "sync of the folder",
            "rename of pending_segments_2" + INTERRUPTED,
            "sync of the folder"),
        calls);
    assertCommitted(1);
  }

  /** What two-phase commits rely on: after the first phase nothing can fail for want of a sync. */
  @Test
  void prepareCommit_hasSyncedAllWhenItReturns() throws IOException {
    writer.prepareCommit();
    assertEquals(
        List.of("sync of a segment", "sync of pending_segments_2", "sync of the folder"), calls);
    writer.rollback();
    assertCommitted(1);
  }

  /** As engines and replicas commit: nothing else is synced in between. */
  @Test
  void commit_ofSegmentInfosAlone_syncsBeforeItRenames() throws IOException {
    writer.rollback();
    calls.clear();
    SegmentInfos.readLatestCommit(directory).commit(directory);
    assertEquals(
        List.of(
            "sync of pending_segments_2",
            "sync of the folder",
            "rename of pending_segments_2",
            "sync of the folder"),
        calls);
    assertCommitted(1);
  }

  /** As directories that sync by {@code java.io} say that too many files are open. */
  @Test
  void commit_whoseListIsThereAndCannotBeOpened_fails() throws IOException {
    failure = FileNotFoundException::new;
    failAtCall = 2;
    assertThrows(IOException.class, writer::commit, calls::toString);
    failAtCall = Integer.MAX_VALUE;
    assertCommitted(1);
    writer.commit();
    assertCommitted(2);
  }

  /** The calls are those above. A segment that was lost stays lost, which is another test's. */
  @Test
  void commit_thatFailsAfterItsSegments_leavesTheLastOneAndAWriterThatCommits() throws IOException {
    for (int call = 2; call <= 5; call++) {
      calls.clear();
      failAtCall = call;
      IOException failed = assertThrows(IOException.class, writer::commit, calls.toString());
      assertTrue(failed.getMessage().startsWith("no " + calls.get(call - 1)), failed.toString());
      assertTrue(writer.isOpen(), calls.toString());
      assertCommitted(call - 1);
      failAtCall = Integer.MAX_VALUE;
      writer.commit();
      assertCommitted(call);
      add("another");
    }
  }

  /** The list of a commit that was given up, by whoever cleaned up after it. */
  @Test
  void commit_afterAListWasDeletedWithoutThisDirectory_passes() throws IOException {
    String list = "pending_segments_z";
    directory.createOutput(list, IOContext.DEFAULT).close();
    directory.sync(List.of(list));
    Files.delete(temp.resolve(list));
    assertThrows(NoSuchFileException.class, () -> directory.rename(list, "segments_z"));
    writer.commit();
    assertCommitted(2);
  }

  /** The folder's sync stays what it is for everyone else. */
  @Test
  void syncMetaData_ofAnApplication_isDoneAtOnce() throws IOException {
    directory.syncMetaData();
    assertEquals(List.of("sync of the folder"), calls);
  }

  private void syncAFile() throws IOException {
    directory.createOutput("own", IOContext.DEFAULT).close();
    directory.sync(List.of("own"));
  }

  private static void onAnotherThread(Action action) throws IOException {
    try {
      CompletableFuture.runAsync(
              () -> {
                try {
                  action.run();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
          .get();
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException(e);
    }
  }

  @FunctionalInterface
  private interface Action {
    void run() throws IOException;
  }

  private void add(String id) throws IOException {
    Document document = new Document();
    document.add(new StringField("id", id, Field.Store.YES));
    writer.addDocument(document);
    writer.flush();
  }

  private void assertCommitted(int documents) throws IOException {
    try (Directory stock = FSDirectory.open(temp, NoLockFactory.INSTANCE); // the writer has it
        CheckIndex check = new CheckIndex(stock);
        DirectoryReader reader = DirectoryReader.open(stock)) {
      assertTrue(check.checkIndex().clean);
      assertEquals(documents, reader.numDocs());
    }
  }

  /** Notes each call that asks something of the disk; one of them can fail. */
  private final class Recorder extends FilterDirectory {

    Recorder(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (name.startsWith("_")) {
        Action action = beforeItWritesASegment;
        beforeItWritesASegment = () -> {};
        action.run();
      }
      return in.createOutput(name, context);
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      for (String name : names) {
        note("sync of " + (name.startsWith("_") ? "a segment" : name));
      }
      in.sync(names);
    }

    @Override
    public void syncMetaData() throws IOException {
      Action action = inTheSyncOfTheFolder;
      inTheSyncOfTheFolder = () -> {};
      action.run();
      if (Thread.currentThread().isInterrupted()) {
        note("sync of the folder", INTERRUPTED);
      } else {
        note("sync of the folder");
        in.syncMetaData();
      }
    }

    @Override
    public void rename(String source, String dest) throws IOException {
      note("rename of " + source, Thread.interrupted() ? INTERRUPTED : "");
      in.rename(source, dest);
    }

    private void note(String what) throws IOException {
      note(what, "");
    }

    private void note(String what, String how) throws IOException {
      boolean locked = writer != null && Thread.holdsLock(writer);
      String call = what + (locked ? LOCKED : "") + how;
      if (calls.isEmpty() || !calls.getLast().equals(call)) { // a segment has several files
        calls.add(call);
        if (calls.size() == failAtCall) {
          throw failure.apply("no " + call);
        }
      }
    }
  }
}
