package io.weir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.CapturedLog;
import io.weir.merge.MergeLab;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.logging.Level;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.util.InfoStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that replaces what configure has set is told so at first use. */
class WeirConfigureTest {

  @TempDir Path temp;

  private Weir weir;

  /** The first directory of a process says how it writes; not while a test listens. */
  @BeforeEach
  void open() throws IOException {
    weir = Weir.builder().keys(ResidentKeys.of("id")).open(temp);
  }

  @AfterEach
  void close() throws IOException {
    weir.close();
  }

  /** As applications do that keep the codec of a former writer. */
  @Test
  void configure_withItsOwnCodec_isAsWithTheOneBelow() throws IOException {
    Codec first = weir.configure(new IndexWriterConfig().setCodec(new Lucene104Codec())).getCodec();
    IndexWriterConfig again = weir.configure(new IndexWriterConfig().setCodec(first));
    try (IndexWriter writer = new IndexWriter(weir.directory(), again)) {
      writer.addDocument(MergeLab.document(1));
    }
    MergeLab.check(weir.directory(), 1);
  }

  @Test
  void codecSetAfterwards_firstMerge_isSaid() throws IOException {
    String said = saidOnce(config -> config.setCodec(new Lucene104Codec()));
    assertTrue(said.contains("another codec ("), said);
    assertTrue(said.contains("keys of new segments are not resident"), said);
    assertTrue(said.contains("call Weir.configure last"), said);
  }

  @Test
  void schedulerSetAfterwards_firstMerge_isSaid() throws IOException {
    String said = saidOnce(config -> config.setMergeScheduler(new ConcurrentMergeScheduler()));
    assertTrue(said.contains("another merge scheduler ("), said);
  }

  @Test
  void everythingSetAfterwards_firstMerge_isSaidInOneWarning() throws IOException {
    String said =
        saidOnce(
            config ->
                config
                    .setMergeScheduler(new ConcurrentMergeScheduler())
                    .setCodec(new Lucene104Codec())
                    .setMaxFullFlushMergeWaitMillis(500)
                    .setInfoStream(InfoStream.NO_OUTPUT)
                    .setMergedSegmentWarmer(reader -> {}));
    for (String lost :
        List.of(
            "merge scheduler", "codec", "info stream", "maxFullFlush", "merged-segment warmer")) {
      assertTrue(said.contains("another " + lost), said);
    }
  }

  @Test
  void writerThatWasNotConfigured_firstMerge_isSaid() throws IOException {
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage())) {
      merge(new IndexWriterConfig());
      merge(new IndexWriterConfig());
      assertEquals(1, log.records().size(), log.messages().toString());
      assertTrue(log.messages().get(0).contains("configuration to Weir.configure"));
    }
  }

  @Test
  void settingReplaced_monitorAttached_isSaidBeforeAnyMerge() throws IOException {
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage());
        IndexWriter writer =
            new IndexWriter(
                weir.directory(),
                weir.configure(new IndexWriterConfig()).setInfoStream(InfoStream.NO_OUTPUT));
        SearcherManager searchers = new SearcherManager(writer, null)) {
      weir.attach(searchers).close();
      assertEquals(1, log.records().size(), log.messages().toString());
      assertTrue(log.messages().get(0).contains("reopens have no phases"));
    }
  }

  @Test
  void nothingReplaced_isNotSaid() throws IOException {
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage())) {
      merge(weir.configure(new IndexWriterConfig()));
      assertEquals(List.of(), log.messages());
    }
  }

  /** As Lucene's replicator sets one of its own, which an application puts into Weir's again. */
  @Test
  void warmerReplacedByWeirsAroundAnother_isNotSaid() throws IOException {
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage())) {
      IndexWriterConfig config = weir.configure(new IndexWriterConfig());
      config.setMergedSegmentWarmer(new MergedSegmentWarmer(config.getMergedSegmentWarmer()));
      merge(config);
      assertEquals(List.of(), log.messages());
    }
  }

  private String saidOnce(Consumer<IndexWriterConfig> replace) throws IOException {
    try (CapturedLog log = CapturedLog.of(Weir.class.getPackage())) {
      IndexWriterConfig config = weir.configure(new IndexWriterConfig());
      replace.accept(config);
      merge(config);
      assertEquals(1, log.records().size(), log.messages().toString());
      assertEquals(Level.WARNING, log.records().get(0).getLevel());
      return log.messages().get(0);
    }
  }

  /** Two merges. */
  private void merge(IndexWriterConfig config) throws IOException {
    try (IndexWriter writer = new IndexWriter(weir.directory(), config)) {
      for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++) {
          writer.addDocument(MergeLab.document(i));
          writer.flush();
        }
        writer.forceMerge(1);
      }
    }
  }
}
