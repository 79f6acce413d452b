package io.weir.opensearch;

import com.carrotsearch.randomizedtesting.annotations.Repeat;
import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.weir.engine.EngineNode;
import io.weir.engine.ShardAction;
import io.weir.rate.Rate;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.util.Version;
import org.junit.Test;
import org.opensearch.common.UUIDs;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.DocIdSeqNoAndSource;
import org.opensearch.index.engine.Engine;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.engine.EngineTestCase;
import org.opensearch.index.engine.InternalEngine;
import org.opensearch.index.seqno.SequenceNumbers;
import org.opensearch.index.store.Store;
import org.opensearch.index.translog.Translog;
import org.opensearch.test.IndexSettingsModule;

/**
 * The plug-in's engine on its directory, in OpenSearch's framework for engines: random histories of
 * a shard on several threads. {@link OpenSearchFrameworkTest} runs it.
 */
@ThreadLeakScope(ThreadLeakScope.Scope.NONE) // Weir's threads are those of the process
public class WeirEngineTests extends EngineTestCase {

  private static final int HISTORIES = 4;

  private final AtomicLong globalCheckpoint =
      new AtomicLong(SequenceNumbers.NO_OPS_PERFORMED); // what the engine may keep history from

  @Test
  @Repeat(iterations = HISTORIES)
  public void history_mergedToOneSegment_isTheSameThereAndInStock() throws Exception {
    IndexSettings settings =
        IndexSettingsModule.newIndexSettings(
            "test",
            Settings.builder()
                .put(defaultSettings.getSettings())
                .put("index.store.type", WeirSettings.STORE_TYPE)
                .put("index.weir.merge.weight", 3)
                .build(),
            WeirSettings.MERGE_WEIGHT);
    try (EngineNode node =
            new EngineNode(
                Rate.UNLIMITED, ZoneOffset.UTC, Duration.ofMillis(1), Optional.of(WeirStore.KEYS));
        Store store = createStore(directory(node, settings))) {
      EngineConfig config =
          config(
              settings,
              store,
              createTempDir(),
              newMergePolicy(),
              null,
              null,
              globalCheckpoint::get);
      store.createEmpty(Version.LATEST);
      store.associateIndexWithNewTranslog(
          Translog.createEmptyTranslog(
              config.getTranslogConfig().getTranslogPath(),
              SequenceNumbers.NO_OPS_PERFORMED,
              shardId,
              primaryTerm.get()));
      List<DocIdSeqNoAndSource> documents;
      try (InternalEngine engine = (InternalEngine) WeirEngine.open(config, node)) {
        documents = applyAndMerge(engine, node);
      }
      assertEquals("{indices={}}", node.answer(ShardAction.FORCED_MERGES).toString());
      try (InternalEngine stock = new InternalEngine(config)) {
        recover(stock);
        assertEquals(documents, getDocIds(stock, true));
      }
    }
  }

  private List<DocIdSeqNoAndSource> applyAndMerge(InternalEngine engine, EngineNode node)
      throws Exception {
    recover(engine);
    List<Engine.Operation> history =
        generateHistoryOnReplica(between(200, 400), false, randomBoolean(), true);
    engine.advanceMaxSeqNoOfUpdatesOrDeletes(history.size() * 10L);
    concurrentlyApplyOps(history, engine);
    engine.refresh("history");
    List<DocIdSeqNoAndSource> documents = getDocIds(engine, true);
    assertConsistentHistoryBetweenTranslogAndLuceneIndex(engine);
    engine.translogManager().syncTranslog();
    globalCheckpoint.set(engine.getPersistedLocalCheckpoint());
    engine.flush();
    engine.forceMerge(true, 1, false, false, false, UUIDs.randomBase64UUID());
    engine.refresh("merged");
    assertEquals(documents, getDocIds(engine, true));
    assertConsistentHistoryBetweenTranslogAndLuceneIndex(engine);
    assertMaxSeqNoInCommitUserData(engine);
    assertTrue(figures(node).toString(), figures(node).containsKey("layers"));
    Map<?, ?> external = (Map<?, ?>) ((Map<?, ?>) figures(node).get("refresh")).get("external");
    // The framework's history may be of operations that write nothing.
    boolean writes =
        history.stream()
            .anyMatch(
                operation ->
                    operation.origin() == Engine.Operation.Origin.REPLICA
                        && operation.operationType() != Engine.Operation.TYPE.NO_OP);
    assertEquals(external.toString(), writes, external.containsKey("max_visible_millis"));
    if (writes) {
      double visible = (double) external.get("max_visible_millis");
      assertTrue(external.toString(), visible > 0 && visible < 600_000);
    }
    return documents;
  }

  private void recover(InternalEngine engine) throws Exception {
    engine
        .translogManager()
        .recoverFromTranslog(translogHandler, engine.getProcessedLocalCheckpoint(), Long.MAX_VALUE);
  }

  private Directory directory(EngineNode node, IndexSettings settings) throws Exception {
    return new WeirStore(node)
        .newFSDirectory(createTempDir(), FSLockFactory.getDefault(), settings);
  }

  /** What the node says about the shard. */
  private static Map<?, ?> figures(EngineNode node) {
    Map<?, ?> indices = (Map<?, ?>) node.answer(ShardAction.STATS).get("indices");
    return (Map<?, ?>) ((Map<?, ?>) indices.values().iterator().next()).get("0");
  }
}
