package io.weir.elasticsearch;

import static org.elasticsearch.test.hamcrest.ElasticsearchAssertions.assertHitCount;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import io.weir.engine.ShardAction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.lucene.store.FSDirectory;
import org.elasticsearch.cluster.metadata.IndexMetadata;
import org.elasticsearch.common.Strings;
import org.elasticsearch.common.settings.Setting;
import org.elasticsearch.common.settings.Setting.Property;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.IndexModule;
import org.elasticsearch.index.IndexService;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.IndexVersion;
import org.elasticsearch.index.engine.Engine;
import org.elasticsearch.index.engine.EngineConfig;
import org.elasticsearch.index.engine.EngineFactory;
import org.elasticsearch.index.engine.InternalEngine;
import org.elasticsearch.index.engine.ReadOnlyEngine;
import org.elasticsearch.index.shard.IndexShard;
import org.elasticsearch.index.shard.IndexShardTestCase;
import org.elasticsearch.index.translog.TranslogStats;
import org.elasticsearch.indices.IndicesService;
import org.elasticsearch.plugins.EnginePlugin;
import org.elasticsearch.plugins.IndexStorePlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.test.ESSingleNodeTestCase;
import org.junit.Test;

/**
 * Weir on a node with plug-ins that have engines of their own, as x-pack's modules have. Most of
 * those are not published, so each is stood in for by a plug-in that asks the same setting and
 * gives an engine of the same kind. {@link ElasticsearchFrameworkTest} runs it.
 */
@ThreadLeakScope(ThreadLeakScope.Scope.NONE) // Weir's threads are those of the process
public class WeirNeighboursTests extends ESSingleNodeTestCase {

  private static final String FOLLOWS = "index.xpack.ccr.following_index";
  private static final String READ_ONLY = "index.neighbour.read_only";
  private static final String STORE = IndexModule.INDEX_STORE_TYPE_SETTING.getKey();
  private static final String ENABLED = WeirSettings.INDEX_ENABLED.getKey();

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return List.of(WeirPlugin.class, Follower.class, ReadOnly.class, Mounted.class);
  }

  @Override
  protected Settings nodeSettings() {
    return Settings.builder().put(super.nodeSettings()).put("weir.default", true).build();
  }

  @Override
  protected boolean forbidPrivateIndexSettings() {
    return false;
  }

  @Override
  protected boolean randomizeColumnarIdMode() {
    return false; // a template with other settings would say nothing about neighbours
  }

  @Test
  public void index_thatNoOtherPluginHasAnEngineFor_hasWeir() {
    assertEquals(WeirEngine.class, engine(createIndex("plain")).getClass());
    assertFalse(stats(), stats().contains("left_out"));
  }

  @Test
  public void follower_worksWithoutWeir_andTheAnswerSaysWhy() {
    IndexService follower = createIndex("follower", Settings.builder().put(FOLLOWS, true).build());
    createIndex("plain");

    assertEquals(InternalEngine.class, engine(follower).getClass());
    prepareIndex("follower").setId("1").setSource("n", 1).get();
    indicesAdmin().prepareRefresh("follower").get();
    assertHitCount(client().prepareSearch("follower"), 1);
    assertTrue(
        stats(),
        stats()
            .contains(
                "\"left_out\":{\"follower\":\"Weir does not support the engine of another"
                    + " plug-in, "
                    + Follower.class.getName()
                    + "\"}"));
    assertFalse(stats("plain"), stats("plain").contains("left_out"));

    indicesAdmin().prepareDelete("follower").get();
    assertFalse(stats(), stats().contains("left_out"));
  }

  @Test
  public void mountedSnapshot_worksWithoutWeir_andTheAnswerSaysWhy() {
    IndexService mounted =
        createIndex("mounted", Settings.builder().put(STORE, "snapshot").build());

    assertEquals(InternalEngine.class, engine(mounted).getClass());
    assertTrue(
        stats(),
        stats().contains("{\"mounted\":\"Weir does not support index.store.type: snapshot\"}"));
  }

  @Test
  public void weir_askedForOnAnIndexWithAnotherEngine_isRefusedWithTheReason() {
    for (Map.Entry<String, String> other :
        Map.of(
                FOLLOWS,
                "the engine of another plug-in, " + Follower.class.getName(),
                READ_ONLY,
                "the engine of another plug-in, " + ReadOnly.class.getName())
            .entrySet()) {
      IllegalArgumentException refused =
          expectThrows(
              IllegalArgumentException.class,
              () ->
                  createIndex(
                      "refused",
                      Settings.builder().put(ENABLED, true).put(other.getKey(), true).build()));
      assertEquals(
          ENABLED + ": true does not support " + other.getValue() + "; set it to false",
          refused.getMessage());
    }
  }

  /**
   * A frozen index, like one with a block on a tier for old data, is closed, changed and opened.
   */
  @Test
  public void index_thatAnotherPluginOnlyReads_losesWeirAndGetsItBack() {
    createIndex("cooling");
    prepareIndex("cooling").setId("1").setSource("n", 1).get();

    reopenWith(Settings.builder().put(READ_ONLY, true));
    assertEquals(ReadOnlyEngine.class, engine(service("cooling")).getClass());
    assertHitCount(client().prepareSearch("cooling"), 1);
    assertTrue(stats(), stats().contains("{\"cooling\":\"Weir does not support the engine"));

    reopenWith(Settings.builder().putNull(READ_ONLY));
    assertEquals(WeirEngine.class, engine(service("cooling")).getClass());
    assertHitCount(client().prepareSearch("cooling"), 1);
  }

  /** The engine opens such an index for reading only, with an engine of its own. */
  @Test
  public void index_thatIsTooOldToBeWritten_isLeftOut_andRefusedByName() {
    IndexChoice choice = new IndexChoice();
    assertFalse(choice.hasWeir(old(Settings.EMPTY)));
    assertFalse(choice.admits(old(Settings.EMPTY)));
    assertEquals(
        Optional.of("an index that this Elasticsearch only reads, created by 7.17.0"),
        choice.whyLeftOut(old(Settings.EMPTY)));
    IllegalArgumentException refused =
        expectThrows(
            IllegalArgumentException.class,
            () -> choice.admits(old(Settings.builder().put(ENABLED, true).build())));
    assertTrue(refused.getMessage(), refused.getMessage().contains("created by 7.17.0"));
  }

  private IndexSettings old(Settings settings) {
    return new IndexSettings(
        IndexMetadata.builder("old")
            .settings(indexSettings(IndexVersion.fromId(7_17_00_99), 1, 0).put(settings).build())
            .build(),
        nodeSettings());
  }

  private void reopenWith(Settings.Builder settings) {
    indicesAdmin().prepareClose("cooling").get();
    indicesAdmin().prepareUpdateSettings("cooling").setSettings(settings).get();
    indicesAdmin().prepareOpen("cooling").get();
    ensureGreen("cooling");
  }

  private IndexService service(String index) {
    return getInstanceFromNode(IndicesService.class).indexServiceSafe(resolveIndex(index));
  }

  private static Engine engine(IndexService index) {
    IndexShard shard = index.getShard(0);
    return IndexShardTestCase.getEngine(shard);
  }

  private String stats(String... indexes) {
    return Strings.toString(
        client()
            .execute(WeirResponse.type(ShardAction.STATS), new WeirRequest(indexes))
            .actionGet());
  }

  /** Stands in for cross-cluster replication. */
  public static final class Follower extends Plugin implements EnginePlugin {

    private static final Setting<Boolean> SETTING =
        Setting.boolSetting(FOLLOWS, false, Property.IndexScope, Property.InternalIndex);

    @Override
    public List<Setting<?>> getSettings() {
      return List.of(SETTING);
    }

    @Override
    public Optional<EngineFactory> getEngineFactory(IndexSettings index) {
      return SETTING.get(index.getSettings()) ? Optional.of(InternalEngine::new) : Optional.empty();
    }
  }

  /** Stands in for frozen indexes, and others that are only read. */
  public static final class ReadOnly extends Plugin implements EnginePlugin {

    private static final Setting<Boolean> SETTING =
        Setting.boolSetting(READ_ONLY, false, Property.IndexScope);

    @Override
    public List<Setting<?>> getSettings() {
      return List.of(SETTING);
    }

    @Override
    public Optional<EngineFactory> getEngineFactory(IndexSettings index) {
      return SETTING.get(index.getSettings()) ? Optional.of(ReadOnly::open) : Optional.empty();
    }

    private static Engine open(EngineConfig config) {
      return new ReadOnlyEngine(
          config, null, new TranslogStats(), true, Function.identity(), true, false);
    }
  }

  /** Stands in for searchable snapshots: a store and an engine. */
  public static final class Mounted extends Plugin implements EnginePlugin, IndexStorePlugin {

    @Override
    public Map<String, DirectoryFactory> getDirectoryFactories() {
      return Map.of("snapshot", (index, path) -> FSDirectory.open(path.resolveIndex()));
    }

    @Override
    public Optional<EngineFactory> getEngineFactory(IndexSettings index) {
      return "snapshot".equals(IndexModule.INDEX_STORE_TYPE_SETTING.get(index.getSettings()))
          ? Optional.of(InternalEngine::new)
          : Optional.empty();
    }
  }
}
