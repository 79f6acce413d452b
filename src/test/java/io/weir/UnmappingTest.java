package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.ReadOnceHint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mapped files of an application's own readers are closed where no lock of Lucene's is held.
 * Before, a refresh waited for the monitor of {@code SegmentDocValues} while another thread
 * unmapped a file under it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UnmappingTest {

  private static final String SOFT_DELETES = "soft-deletes";

  @TempDir Path temp;

  @Test
  void close_ofAnyReaderOrMerge_unmapsOnNoThreadThatIsInLucene() throws Exception {
    WatchedFiles files = new WatchedFiles(temp);
    Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(files);
    try (Directory directory = weir.directory()) {
      updateSoftlyAndMerge(weir, directory);
    }

    assertTrue(files.closed.size() > 20, files.closed.size() + " inputs were closed");
    assertEquals(List.of(), files.closedInLucene);
    assertEquals(Set.of(), files.open, "a closed directory leaves no file mapped");
    try (FSDirectory stock = FSDirectory.open(temp);
        CheckIndex check = new CheckIndex(stock)) {
      assertTrue(check.checkIndex().clean);
    }
  }

  @Test
  void reopen_whileAnUnmappingStandsStill_doesNotWait() throws Exception {
    WatchedFiles files = new WatchedFiles(temp);
    Weir weir = Weir.builder().keys(ResidentKeys.of("id")).open(files);
    try (Directory directory = weir.directory()) {
      files.gate = new CountDownLatch(1);
      try {
        updateSoftlyAndMerge(weir, directory);
        assertTrue(files.waiting.getCount() == 0, "an unmapping stands still");
      } finally {
        files.gate.countDown();
      }
    }
    assertEquals(Set.of(), files.open);
  }

  @Test
  void sliceAndClone_ofAnOpenFile_areTheFileSystemsOwn() throws Exception {
    Weir weir = Weir.builder().open(temp);
    try (Directory directory = weir.directory();
        MMapDirectory stock = new MMapDirectory(temp)) {
      try (var output = directory.createOutput("_0.pos", IOContext.DEFAULT)) {
        output.writeBytes(new byte[100_000], 100_000);
      }
      try (IndexInput ours = directory.openInput("_0.pos", IOContext.DEFAULT);
          IndexInput stocks = stock.openInput("_0.pos", IOContext.DEFAULT)) {
        assertSame(stocks.clone().getClass(), ours.clone().getClass());
        assertSame(stocks.slice("s", 0, 9).getClass(), ours.slice("s", 0, 9).getClass());
      }
    }
  }

  private static void updateSoftlyAndMerge(Weir weir, Directory directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig().setSoftDeletesField(SOFT_DELETES);
    config.getMergePolicy().setNoCFSRatio(0);
    try (IndexWriter writer = new IndexWriter(directory, weir.configure(config))) {
      SearcherManager searchers =
          new SearcherManager(
              new SoftDeletesDirectoryReaderWrapper(DirectoryReader.open(writer), SOFT_DELETES),
              weir.searcherFactory());
      for (int round = 0; round < 12; round++) {
        for (int id = 0; id < 40; id++) {
          update(writer, round % 3 == 0 ? id + 100 * round : id);
        }
        searchers.maybeRefreshBlocking();
        if (round % 3 == 2) {
          writer.forceMerge(1); // the files of flushes are in memory, and not mapped
        }
      }
      writer.commit();
      searchers.maybeRefreshBlocking();
      searchers.close();
    }
  }

  private static void update(IndexWriter writer, int id) throws IOException {
    Document document = new Document();
    document.add(new StringField("id", "" + id, Field.Store.YES));
    document.add(new NumericDocValuesField("number", id));
    writer.softUpdateDocument(
        new Term("id", "" + id), document, new NumericDocValuesField(SOFT_DELETES, 1));
  }

  /** Mapped files that tell where they are closed, and can be made to stand still there. */
  private static final class WatchedFiles extends FilterDirectory {

    final Set<IndexInput> open = ConcurrentHashMap.newKeySet();
    final List<String> closed = new CopyOnWriteArrayList<>();
    final List<String> closedInLucene = new CopyOnWriteArrayList<>();
    final CountDownLatch waiting = new CountDownLatch(1);
    volatile CountDownLatch gate = new CountDownLatch(0);

    WatchedFiles(Path path) throws IOException {
      super(new MMapDirectory(path));
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      IndexInput input = in.openInput(name, context);
      return context.hints().contains(ReadOnceHint.INSTANCE) ? input : new Watched(name, input);
    }

    private final class Watched extends FilterIndexInput {

      private final String name;

      Watched(String name, IndexInput in) {
        super(name, in);
        this.name = name;
        open.add(this);
      }

      @Override
      public IndexInput clone() {
        return in.clone();
      }

      @Override
      public void close() throws IOException {
        closed.add(name);
        boolean inLucene =
            Stream.of(Thread.currentThread().getStackTrace())
                .anyMatch(frame -> frame.getClassName().startsWith("org.apache.lucene.index."));
        if (inLucene) {
          closedInLucene.add(name + " by " + Thread.currentThread().getName());
        }
        try {
          waiting.countDown();
          gate.await();
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        in.close();
        open.remove(this);
      }
    }
  }
}
