package io.weir.elasticsearch;

import com.carrotsearch.randomizedtesting.annotations.Repeat;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.weir.engine.EngineNode;
import io.weir.engine.ShardAction;
import io.weir.rate.Rate;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.elasticsearch.cluster.metadata.IndexMetadata;
import org.elasticsearch.common.UUIDs;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.MergeSchedulerConfig;
import org.elasticsearch.index.engine.DocIdSeqNoAndSource;
import org.elasticsearch.index.engine.Engine;
import org.elasticsearch.index.engine.EngineConfig;
import org.elasticsearch.index.engine.EngineTestCase;
import org.elasticsearch.index.engine.InternalEngine;
import org.elasticsearch.index.engine.MergeMetrics;
import org.elasticsearch.index.seqno.SequenceNumbers;
import org.elasticsearch.index.store.Store;
import org.elasticsearch.index.translog.Translog;
import org.elasticsearch.telemetry.metric.MeterRegistry;
import org.elasticsearch.test.IndexSettingsModule;
import org.junit.Test;

/**
 * The plug-in's engine on Weir's layers, in Elasticsearch's framework for engines: random histories
 * of a shard on several threads. {@link ElasticsearchFrameworkTest} runs it.
 */
@ThreadLeakScope(ThreadLeakScope.Scope.NONE) // Weir's threads are those of the process
public class WeirEngineTests extends EngineTestCase {

  private static final int HISTORIES = 4;
  private static final int MOST_SEGMENTS = 200;

  private final AtomicLong globalCheckpoint =
      new AtomicLong(SequenceNumbers.NO_OPS_PERFORMED); // what the engine may keep history from

  @Test
  @Repeat(iterations = HISTORIES)
  public void history_mergedToOneSegment_isTheSameThereAndInStock() throws Exception {
    IndexSettings settings = settings();
    try (EngineNode node =
            new EngineNode(Rate.UNLIMITED, ZoneOffset.UTC, Duration.ofMillis(1), Optional.empty());
        Store store =
            createStore(
                settings, node.directory(WeirStoreTests.Stock.directory(createTempDir())))) {
      EngineConfig config = config(settings, store, newMergePolicy());
      List<DocIdSeqNoAndSource> documents;
      try (InternalEngine engine = (InternalEngine) WeirEngine.open(config, node)) {
        documents = applyAndMerge(engine, node);
      }
      assertEquals("{indices={}}", node.answer(ShardAction.FORCED_MERGES).toString());
      try (InternalEngine stock = new InternalEngine(config)) {
        recoverFromTranslog(stock, translogHandler, Long.MAX_VALUE);
        assertEquals(documents, getDocIds(stock, true));
      }
    }
  }

  /**
   * The scheduler is one of ours, so it must tell the engine. Lucene's writer closes itself, but
   * the engine, which then asks it for nothing, would know only when the next document comes.
   */
  @Test
  public void naturalMerge_thatFails_failsTheEngineAtOnce() throws Exception {
    FailingMerges files = new FailingMerges(WeirStoreTests.Stock.directory(createTempDir()));
    IndexSettings settings = settings();
    try (EngineNode node =
            new EngineNode(Rate.UNLIMITED, ZoneOffset.UTC, Duration.ofMillis(1), Optional.empty());
        Store store = createStore(settings, node.directory(files));
        InternalEngine engine =
            (InternalEngine)
                WeirEngine.open(
                    config(settings, store, new TieredMergePolicy().setSegmentsPerTier(2)), node)) {
      recoverFromTranslog(engine, translogHandler, Long.MAX_VALUE);
      for (int i = 0; files.reached.getCount() > 0 && i < MOST_SEGMENTS; i++) {
        engine.index(indexForDoc(createParsedDoc(Integer.toString(i), null)));
        engine.refresh("a segment of its own");
      }
      assertTrue("no merge began", files.reached.await(10, TimeUnit.SECONDS));
      engine.acquireSearcher("still open").close();

      files.mayFail.countDown();

      assertBusy(
          () ->
              expectThrows(
                  AlreadyClosedException.class, () -> engine.acquireSearcher("failed").close()));
    }
  }

  /** Files that a large merge has replaced stay until a commit, so the engine asks for one. */
  @Test
  public void largeMerge_makesTheEngineWantAFlush() throws Exception {
    IndexSettings settings = settings();
    settings.updateIndexMetadata(
        IndexMetadata.builder(settings.getIndexMetadata())
            .settings(
                Settings.builder().put(settings.getSettings()).put("index.flush_after_merge", "1b"))
            .build());
    try (EngineNode node =
            new EngineNode(Rate.UNLIMITED, ZoneOffset.UTC, Duration.ofMillis(1), Optional.empty());
        Store store =
            createStore(settings, node.directory(WeirStoreTests.Stock.directory(createTempDir())));
        InternalEngine engine =
            (InternalEngine)
                WeirEngine.open(config(settings, store, new TieredMergePolicy()), node)) {
      recoverFromTranslog(engine, translogHandler, Long.MAX_VALUE);
      for (int i = 0; i < 3; i++) {
        engine.index(indexForDoc(createParsedDoc(Integer.toString(i), null)));
        engine.refresh("a segment of its own");
      }
      assertFalse(engine.shouldPeriodicallyFlush());

      engine.forceMerge(false, 1, false, UUIDs.randomBase64UUID());

      assertBusy(() -> assertTrue(engine.shouldPeriodicallyFlush()));
    }
  }

  /** The value of an index holds, also one that comes later; the default is not below two. */
  @Test
  public void merges_ofAShard_mayBeTwoUnlessTheIndexSaysOtherwise() throws Exception {
    String key = MergeSchedulerConfig.MAX_THREAD_COUNT_SETTING.getKey();
    IndexSettings settings = settings();
    try (WeirMergeScheduler scheduler =
        new WeirMergeScheduler(
            shardId,
            settings,
            threadPoolMergeExecutorService,
            merge -> 0,
            new MergeMetrics(MeterRegistry.NOOP),
            new WeirMergeScheduler.Hooks(() -> {}, () -> {}, merge -> {}, failure -> {}))) {
      int ofProcessors = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
      assertEquals(Math.max(2, ofProcessors), scheduler.getMaxThreadCount());

      settings.updateIndexMetadata(
          IndexMetadata.builder(settings.getIndexMetadata())
              .settings(Settings.builder().put(settings.getSettings()).put(key, 1))
              .build());

      assertEquals(1, scheduler.getMaxThreadCount());
    }
  }

  private IndexSettings settings() {
    return IndexSettingsModule.newIndexSettings(
        "test",
        Settings.builder()
            .put(defaultSettings.getSettings())
            .put("index.weir.enabled", true)
            .put("index.weir.merge.weight", 3)
            .build(),
        WeirSettings.INDEX_ENABLED,
        WeirSettings.MERGE_WEIGHT);
  }

  /** Of a new shard. */
  private EngineConfig config(IndexSettings settings, Store store, MergePolicy policy)
      throws IOException {
    EngineConfig config =
        config(settings, store, createTempDir(), policy, null, null, globalCheckpoint::get);
    store.createEmpty();
    store.associateIndexWithNewTranslog(
        Translog.createEmptyTranslog(
            config.getTranslogConfig().getTranslogPath(),
            SequenceNumbers.NO_OPS_PERFORMED,
            shardId,
            primaryTerm.get()));
    return config;
  }

  /** A disk that is full when merges write. */
  private static final class FailingMerges extends FilterDirectory {

    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch mayFail = new CountDownLatch(1);

    FailingMerges(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (context.context() == IOContext.Context.MERGE) {
        reached.countDown();
        try {
          mayFail.await();
        } catch (InterruptedException e) {
          throw new InterruptedIOException();
        }
        throw new IOException("no space left, says the test");
      }
      return super.createOutput(name, context);
    }
  }

  private List<DocIdSeqNoAndSource> applyAndMerge(InternalEngine engine, EngineNode node)
      throws Exception {
    recoverFromTranslog(engine, translogHandler, Long.MAX_VALUE);
    List<Engine.Operation> history =
        generateHistoryOnReplica(between(200, 400), false, randomBoolean(), true);
    engine.advanceMaxSeqNoOfUpdatesOrDeletes(history.size() * 10L);
    concurrentlyApplyOps(history, engine);
    engine.refresh("history");
    List<DocIdSeqNoAndSource> documents = getDocIds(engine, true);
    assertConsistentHistoryBetweenTranslogAndLuceneIndex(engine);
    engine.syncTranslog();
    globalCheckpoint.set(engine.getPersistedLocalCheckpoint());
    engine.flush();
    engine.forceMerge(true, 1, false, UUIDs.randomBase64UUID());
    engine.refresh("merged");
    assertEquals(documents, getDocIds(engine, true));
    assertConsistentHistoryBetweenTranslogAndLuceneIndex(engine);
    assertMaxSeqNoInCommitUserData(engine);
    assertTrue(figures(node).toString(), figures(node).containsKey("layers"));
    Map<?, ?> refreshes = (Map<?, ?>) figures(node).get("refresh");
    double visible = (double) ((Map<?, ?>) refreshes.get("external")).get("max_visible_millis");
    assertTrue(refreshes.toString(), visible > 0 && visible < 600_000);
    return documents;
  }

  /** What the node says about the shard. */
  private static Map<?, ?> figures(EngineNode node) {
    Map<?, ?> indices = (Map<?, ?>) node.answer(ShardAction.STATS).get("indices");
    return (Map<?, ?>) ((Map<?, ?>) indices.values().iterator().next()).get("0");
  }
}
