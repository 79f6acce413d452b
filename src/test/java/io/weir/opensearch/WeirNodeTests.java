package io.weir.opensearch;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.weir.engine.ShardAction;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.FSDirectory;
import org.junit.Test;
import org.opensearch.action.admin.indices.forcemerge.ForceMergeResponse;
import org.opensearch.common.action.ActionFuture;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexService;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginsService;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * The plug-in in a whole node of OpenSearch's framework, for versions of which there is no
 * distribution. {@link OpenSearchFrameworkTest} runs it.
 */
@ThreadLeakScope(ThreadLeakScope.Scope.NONE) // Weir's threads are those of the process
public class WeirNodeTests extends OpenSearchSingleNodeTestCase {

  private static final int SEGMENTS = 6;
  private static final int BYTES = 1 << 20;
  private static final long CAP = 2 << 20;
  private static final double BURST_SECONDS = 0.05;
  private static final String CAP_KEY = WeirSettings.MAX_BYTES_PER_SEC.getKey();

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return pluginList(WeirPlugin.class);
  }

  @Test
  public void index_mergedUnderACapBesideRefreshes_keepsTheCapAndStockOpensIt() throws Exception {
    IndexService index =
        createIndex(
            "capped",
            Settings.builder()
                .put("index.store.type", WeirSettings.STORE_TYPE)
                .put("index.number_of_shards", 1)
                .put("index.number_of_replicas", 0)
                .put("index.refresh_interval", "-1")
                .put("index.merge.policy.segments_per_tier", 100)
                .build());
    for (int i = 0; i < SEGMENTS; i++) {
      client().prepareIndex("capped").setId("" + i).setSource("blob", randomText()).get();
      client().admin().indices().prepareFlush("capped").setForce(true).get();
    }
    setCap(CAP + "b");
    long start = System.nanoTime();
    ActionFuture<ForceMergeResponse> merge =
        client().admin().indices().prepareForceMerge("capped").setMaxNumSegments(1).execute();
    int refreshes = 0;
    while (!merge.isDone()) {
      client().admin().indices().prepareRefresh("capped").get();
      refreshes++;
    }
    assertEquals(0, merge.get().getFailedShards());
    double seconds = (System.nanoTime() - start) / 1e9;

    Map<?, ?> forced = forced();
    long written = ((Number) forced.get("written_bytes")).longValue();
    assertEquals(1, ((Number) forced.get("done")).intValue());
    assertTrue(written + " bytes", written >= (long) SEGMENTS * BYTES / 2);
    assertTrue(written + " bytes in " + seconds, written <= CAP * (seconds + BURST_SECONDS));
    assertTrue(refreshes + " refreshes beside the merge", refreshes > 1);
    setCap(null);
    Path files = index.getShard(0).shardPath().resolveIndex();
    client().admin().indices().prepareClose("capped").get();
    try (FSDirectory stock = FSDirectory.open(files);
        DirectoryReader reader = DirectoryReader.open(stock)) {
      assertEquals(SEGMENTS, reader.numDocs());
    }
  }

  @Test
  public void storeType_takenBack_leavesAnIndexWithItsDocuments() {
    createIndex(
        "left", Settings.builder().put("index.store.type", WeirSettings.STORE_TYPE).build());
    client().prepareIndex("left").setId("1").setSource("n", 1).get();
    client().admin().indices().prepareClose("left").get();
    client()
        .admin()
        .indices()
        .prepareUpdateSettings("left")
        .setSettings(Settings.builder().putNull("index.store.type"))
        .get();
    client().admin().indices().prepareOpen("left").get();
    ensureGreen("left");

    client().prepareIndex("left").setId("2").setSource("n", 2).get();
    client().admin().indices().prepareRefresh("left").get();

    assertEquals(2, client().prepareSearch("left").get().getHits().getTotalHits().value());
    assertEquals(Map.of(), plugin().node().answer(ShardAction.STATS).get("indices"));
  }

  private void setCap(String cap) {
    assertTrue(
        client()
            .admin()
            .cluster()
            .prepareUpdateSettings()
            .setTransientSettings(Settings.builder().put(CAP_KEY, cap).build())
            .get()
            .isAcknowledged());
  }

  private Map<?, ?> forced() {
    Object shard = plugin().node().answer(ShardAction.STATS).get("indices");
    for (String key : new String[] {"capped", "0", "merges", "forced"}) {
      shard = ((Map<?, ?>) shard).get(key);
    }
    return (Map<?, ?>) shard;
  }

  private WeirPlugin plugin() {
    return getInstanceFromNode(PluginsService.class).filterPlugins(WeirPlugin.class).get(0);
  }

  private static String randomText() {
    return randomAlphaOfLength(BYTES);
  }
}
