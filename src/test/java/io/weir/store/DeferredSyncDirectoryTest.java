package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When merges leave the disk to a commit; on a clock that stands unless the test moves it. */
class DeferredSyncDirectoryTest {

  private static final long LONGEST = Disk.FinishingCommits.LONGEST_MILLIS * 1_000_000;

  private final AutoClock clock = new AutoClock();
  private final Disk.FinishingCommits finishing = new Disk.FinishingCommits(clock);
  private final List<String> calls = new ArrayList<>();
  private String failsAt = "";
  private Directory directory;
  private IndexWriter writer;

  @BeforeEach
  void open() throws IOException {
    directory = new DeferredSyncDirectory(new Recorder(), finishing);
    writer = new IndexWriter(directory, new IndexWriterConfig());
    writer.commit();
    calls.clear();
    writer.addDocument(List.of());
  }

  @AfterEach
  void close() throws IOException {
    writer.close();
    directory.close();
  }

  @Test
  void commit_isAboutToFinish_fromItsListOfSegmentsOn() throws IOException {
    writer.commit();
    assertEquals(
        List.of("segments: false", "list: true", "folder: true", "renaming: true", "folder: true"),
        calls);
    assertFalse(finishing.any());
  }

  /** The application finishes it an hour later: then merges leave the disk to it once more. */
  @Test
  void commit_inTwoPhases_isAboutToFinishInEach() throws IOException {
    writer.prepareCommit();
    assertTrue(finishing.any());
    clock.advanceNanos(LONGEST);
    assertFalse(finishing.any());
    calls.clear();
    writer.commit();
    assertEquals(List.of("renaming: true", "folder: true"), calls);
    assertFalse(finishing.any());
  }

  /** Of an application that knows nothing of the commit. */
  @Test
  void commit_duringWhichAnotherThreadSyncsTheFolder_isStillAboutToFinish() throws Exception {
    writer.prepareCommit();
    Thread other = Thread.ofPlatform().start(() -> assertDoesNotThrow(directory::syncMetaData));
    other.join();
    assertTrue(finishing.any());
    writer.commit();
    assertFalse(finishing.any());
  }

  @Test
  void commit_thatIsGivenUp_isNoLongerAboutToFinish() throws IOException {
    writer.prepareCommit();
    writer.rollback();
    assertFalse(finishing.any());
  }

  @Test
  void commit_thatFailsAtAnyCall_isNoLongerAboutToFinish() throws IOException {
    for (String call : List.of("segments", "list", "folder", "renaming")) {
      failsAt = call;
      assertThrows(IOException.class, writer::commit);
      assertFalse(finishing.any(), call);
    }
    failsAt = "";
    writer.commit();
    assertEquals(1, SegmentInfos.readLatestCommit(directory).totalMaxDoc());
  }

  @Test
  void close_inTheMiddleOfACommit_endsIt() throws IOException {
    try (Directory other = new DeferredSyncDirectory(new ByteBuffersDirectory(), finishing)) {
      other.createOutput("pending_segments_1", IOContext.DEFAULT).close();
      other.sync(List.of("pending_segments_1"));
      other.sync(List.of());
      assertTrue(finishing.any());
    }
    assertFalse(finishing.any());
  }

  /** Notes each call and whether merges leave the disk to it. */
  private final class Recorder extends FilterDirectory {

    Recorder() {
      super(new ByteBuffersDirectory());
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      note(names.stream().allMatch(name -> name.startsWith("pending")) ? "list" : "segments");
      in.sync(names);
    }

    @Override
    public void syncMetaData() throws IOException {
      note("folder");
      in.syncMetaData();
    }

    @Override
    public void rename(String source, String dest) throws IOException {
      note("renaming");
      in.rename(source, dest);
    }

    private void note(String call) throws IOException {
      calls.add(call + ": " + finishing.any());
      if (call.equals(failsAt)) {
        throw new IOException("no " + call);
      }
    }
  }
}
