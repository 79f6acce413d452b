package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CapturedLog;
import io.weir.merge.MergeLab;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.SimpleFormatter;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.ReferenceManager;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is wired wrongly is refused or said where that happens; what is right is neither. */
@Timeout(60)
class WeirWiringTest {

  @TempDir Path temp;

  private Weir weir;

  /** The first directory of a process says how it writes; not while a test listens. */
  @BeforeEach
  void open() throws IOException {
    weir = Weir.builder().keys(ResidentKeys.of("id")).open(temp.resolve("one"));
  }

  @AfterEach
  void close() throws IOException {
    weir.close();
  }

  @Test
  void configure_whileAWriterIsOpen_isRefusedWithTheRemedy() throws IOException {
    try (IndexWriter first =
        new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig()))) {
      IndexWriterConfig config = new IndexWriterConfig();
      Object before = config.getMergeScheduler();
      IllegalStateException refused =
          assertThrows(IllegalStateException.class, () -> weir.configure(config));
      assertTrue(refused.getMessage().contains("open a Weir of its own"), refused.getMessage());
      assertTrue(refused.getMessage().contains("close"), refused.getMessage());
      assertSame(before, config.getMergeScheduler());
      first.addDocument(MergeLab.document(1));
    }
  }

  /** After a close, a rollback, a constructor that failed, and a configuration never used. */
  @Test
  void configure_whenNoWriterIsOpen_isServed() throws IOException {
    Directory one = weir.directory();
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage())) {
      weir.configure(new IndexWriterConfig());
      assertThrows(
          IOException.class,
          () ->
              new IndexWriter(
                  one,
                  weir.configure(
                      new IndexWriterConfig().setOpenMode(IndexWriterConfig.OpenMode.APPEND))));
      write(one, 1);
      new IndexWriter(one, weir.configure(new IndexWriterConfig())).rollback();
      write(one, 2);
      assertEquals(List.of(), log.messages());
    }
  }

  @Test
  void writerOverAPlainDirectory_firstMerge_isSaidOnce() throws IOException {
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage());
        Directory plain = FSDirectory.open(temp.resolve("one"))) {
      write(plain, 1);
      write(plain, 1);
      assertSaysPlain(log);
    }
  }

  @Test
  void writerOverAPlainDirectory_monitorAttached_isSaidBeforeAnyMerge() throws IOException {
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage());
        Directory plain = FSDirectory.open(temp.resolve("one"));
        IndexWriter writer = new IndexWriter(plain, weir.configure(new IndexWriterConfig()));
        SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory())) {
      weir.attach(searchers).close();
      weir.attach(searchers).close();
      assertSaysPlain(log);
    }
  }

  private static void assertSaysPlain(CapturedLog log) {
    assertEquals(1, log.records().size(), log.messages().toString());
    String said = log.messages().getFirst();
    assertTrue(said.contains("Weir.directory"), said);
    assertTrue(said.contains("keys are read from the disk"), said);
  }

  @Test
  void attach_withoutConfigure_isSaidOnce() throws IOException {
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage());
        IndexWriter writer = new IndexWriter(weir.directory(), new IndexWriterConfig());
        SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory())) {
      weir.attach(searchers).close();
      weir.attach(searchers).close();
      assertEquals(1, log.records().size(), log.messages().toString());
      String said = log.messages().getFirst();
      assertTrue(said.contains("Weir.configure"), said);
      assertTrue(said.contains("no phases"), said);
    }
  }

  @Test
  void keysThatNoDocumentHas_firstSegment_isSaidOnce() throws IOException {
    Weir misspelt = Weir.builder().keys(ResidentKeys.of("ID")).open(temp.resolve("one"));
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage());
        Directory directory = misspelt.directory();
        IndexWriter writer =
            new IndexWriter(directory, misspelt.configure(new IndexWriterConfig()))) {
      writer.commit();
      assertEquals(List.of(), log.messages(), "an empty index");
      for (int i = 0; i < 3; i++) {
        writer.addDocument(MergeLab.document(i));
        writer.flush();
      }
      writer.forceMerge(1);
      assertEquals(1, log.records().size(), log.messages().toString());
      String said = new SimpleFormatter().formatMessage(log.records().getFirst());
      assertTrue(said.contains("ResidentKeys") && said.contains("[ID]"), said);
      assertTrue(said.contains("Case matters"), said);
      assertTrue(said.contains("[id"), said);
      assertTrue(said.contains("read the disk"), said);
    }
  }

  @Test
  void rightWirings_logNothing() throws IOException {
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage())) {
      try (Directory cached = new NRTCachingDirectory(weir.directory(), 1, 1);
          IndexWriter writer = new IndexWriter(cached, weir.configure(new IndexWriterConfig()));
          SearcherManager searchers = new SearcherManager(writer, weir.searcherFactory())) {
        useAndAttach(searchers, writer);
      }
      Weir.Builder withoutKeys = Weir.builder();
      try (Weir written = withoutKeys.open(FSDirectory.open(temp.resolve("two")));
          IndexWriter writer =
              new IndexWriter(written.directory(), written.configure(new IndexWriterConfig()));
          Weir read = withoutKeys.open(temp.resolve("two"))) {
        writer.addDocument(MergeLab.document(1));
        writer.commit();
        try (SearcherManager searchers =
            new SearcherManager(read.directory(), read.searcherFactory())) {
          read.attach(searchers); // no writer, so nothing was to be configured
        }
      }
      assertEquals(List.of(), log.messages());
    }
  }

  private void useAndAttach(SearcherManager searchers, IndexWriter writer) throws IOException {
    try (var reopens = weir.attach(searchers)) {
      for (int i = 0; i < 3; i++) {
        writer.addDocument(MergeLab.document(i));
        reopens.maybeRefresh();
      }
      writer.forceMerge(1);
      writer.commit();
    }
  }

  /** A closed manager is refused by nobody, and must not make this throw. */
  @Test
  void attach_toAManagerThatIsClosed_isNoFailureOfTheCheck() throws IOException {
    try (IndexWriter writer =
        new IndexWriter(weir.directory(), weir.configure(new IndexWriterConfig()))) {
      SearcherManager searchers = new SearcherManager(writer, null);
      searchers.close();
      assertThrows(AlreadyClosedException.class, searchers::acquire);
      ReferenceManager<?> closed = searchers;
      weir.attach(closed).close();
    }
  }

  /** Three segments, and one of them. */
  private void write(Directory directory, int firstKey) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, weir.configure(new IndexWriterConfig()))) {
      for (int i = 0; i < 3; i++) {
        writer.addDocument(MergeLab.document(firstKey + i));
        writer.flush();
      }
      writer.forceMerge(1);
    }
  }
}
