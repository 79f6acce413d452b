package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.FailingLog;
import io.weir.merge.MergeLab;
import io.weir.store.DeferredUnmapDirectory;
import io.weir.store.DirectoryPlan;
import io.weir.store.ResidentMemory;
import io.weir.stress.Await;
import io.weir.suite.Alone;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log that throws, as one on a full disk may. What Weir has to say must not cost a document. */
@Alone("a process logs each of these faults once, and another test may have met it before")
@Timeout(60)
class FailingLogTest {

  private final FailingLog log = FailingLog.of(Weir.class.getPackage());

  @TempDir private Path temp;

  @AfterEach
  void restoreLog() {
    log.close();
  }

  @Test
  void flush_withoutRoomInMemory_goesToTheDisk() throws Exception {
    long before = ResidentMemory.ofFlushedFiles().maxBytes();
    Weir weir = Weir.builder().open(temp);
    try (Directory directory = weir.directory()) {
      try (IndexWriter writer =
          new IndexWriter(directory, weir.configure(new IndexWriterConfig()))) {
        writer.addDocument(MergeLab.document(1));
        ResidentMemory.ofFlushedFiles().setMaxBytes(0);
        writer.commit();
      }
      MergeLab.check(directory, 1);
    } finally {
      ResidentMemory.ofFlushedFiles().setMaxBytes(before);
    }
  }

  @Test
  void merge_whosePrefetchFails_isDone() throws Exception {
    try (Directory plain = FSDirectory.open(temp)) {
      MergeLab.build(plain, 3, 100, MergeLab::source);
    }
    Directory files =
        new FilterDirectory(FSDirectory.open(temp)) {
          @Override
          public IndexInput openInput(String name, IOContext context) throws IOException {
            if (isPrefetch()) {
              throw new IOException("on purpose");
            }
            return super.openInput(name, context);
          }
        };
    Weir weir = Weir.builder().open(files);
    try (Directory directory = weir.directory()) {
      try (IndexWriter writer =
          new IndexWriter(directory, weir.configure(new IndexWriterConfig()))) {
        writer.forceMerge(1);
      }
      assertTrue(log.calls() > 0);
      MergeLab.check(directory, 300);
    }
  }

  private static boolean isPrefetch() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(
                    frame ->
                        frame.getClassName().endsWith(".PrefetchDirectory")
                            && frame.getMethodName().equals("fetch")));
  }

  @Test
  void unmapping_afterAFileThatFailed_goesOn() throws Exception {
    AtomicBoolean fail = new AtomicBoolean(true);
    Directory files =
        new FilterDirectory(FSDirectory.open(temp)) {
          @Override
          public IndexInput openInput(String name, IOContext context) throws IOException {
            return new FilterIndexInput(name, super.openInput(name, context)) {
              @Override
              public void close() throws IOException {
                super.close();
                if (fail.getAndSet(false)) {
                  throw new IOException("on purpose");
                }
              }
            };
          }
        };
    try (Directory directory = Weir.builder().open(files).directory()) {
      try (IndexOutput output = directory.createOutput("a", IOContext.DEFAULT)) {
        output.writeInt(1);
      }
      DeferredUnmapDirectory unmapping =
          DirectoryPlan.find(directory, DeferredUnmapDirectory.class).orElseThrow();
      for (int i = 1; i <= 3; i++) {
        directory.openInput("a", IOContext.DEFAULT).close();
        Await.until("a file is unmapped", () -> unmapping.snapshot().pendingFiles() == 0);
      }
      assertEquals(3, unmapping.snapshot().deferredFiles());
      assertEquals(1, unmapping.snapshot().failures());
    }
  }
}
