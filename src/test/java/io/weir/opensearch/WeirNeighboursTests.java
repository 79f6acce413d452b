package io.weir.opensearch;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakScope;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.Test;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexService;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineConfig;
import org.opensearch.index.engine.EngineFactory;
import org.opensearch.index.engine.InternalEngine;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.IndexShardTestCase;
import org.opensearch.plugins.EnginePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.test.OpenSearchSingleNodeTestCase;

/**
 * Weir on a node with a plug-in that brings an engine, as cross-cluster replication does. That is
 * not published, so a plug-in that asks the same setting stands in for it. {@link
 * OpenSearchFrameworkTest} runs it.
 */
@ThreadLeakScope(ThreadLeakScope.Scope.NONE) // Weir's threads are those of the process
public class WeirNeighboursTests extends OpenSearchSingleNodeTestCase {

  private static final Setting<String> LEADER =
      Setting.simpleString(
          "index.plugins.replication.follower.leader_index", Setting.Property.IndexScope);
  private static final Settings FOLLOWS = Settings.builder().put(LEADER.getKey(), "leader").build();
  private static final Settings WEIR =
      Settings.builder()
          .put(IndexModule.INDEX_STORE_TYPE_SETTING.getKey(), WeirSettings.STORE_TYPE)
          .build();
  private static final String REASON =
      "index.store.type: weir does not support the engine of another plug-in, "
          + Follower.class.getName();

  @Override
  protected Collection<Class<? extends Plugin>> getPlugins() {
    return pluginList(WeirPlugin.class, Follower.class);
  }

  @Test
  public void index_withTheEngineOfAnotherPlugin_isRefusedByItsName() {
    IllegalArgumentException refused =
        expectThrows(
            IllegalArgumentException.class,
            () -> createIndex("both", Settings.builder().put(FOLLOWS).put(WEIR).build()));

    assertTrue(refused.getMessage(), refused.getMessage().contains(REASON));
    assertEquals(WeirEngine.class, engine(createIndex("plain", WEIR)));
  }

  @Test
  public void follower_thatIsGivenWeirWhileClosed_isRefusedThenAndOpensWithoutIt() {
    createIndex("follower", FOLLOWS);
    client().prepareIndex("follower").setId("1").setSource("n", 1).get();
    client().admin().indices().prepareClose("follower").get();

    IllegalArgumentException refused =
        expectThrows(
            IllegalArgumentException.class,
            () ->
                client()
                    .admin()
                    .indices()
                    .prepareUpdateSettings("follower")
                    .setSettings(WEIR)
                    .get());

    assertTrue(refused.getMessage(), refused.getMessage().contains(REASON));
    client().admin().indices().prepareOpen("follower").get();
    ensureGreen("follower");
    assertEquals(1, client().prepareSearch("follower").get().getHits().getTotalHits().value());
  }

  @Test
  public void weirDefault_leavesAnIndexWithTheEngineOfAnotherPluginAlone() {
    setDefault("true");
    try {
      assertEquals(FollowingEngine.class, engine(createIndex("follower", FOLLOWS)));
      assertEquals(WeirEngine.class, engine(createIndex("plain")));
    } finally {
      setDefault(null);
    }
  }

  private static Class<?> engine(IndexService index) {
    IndexShard shard = index.getShard(0);
    return IndexShardTestCase.getEngine(shard).getClass();
  }

  private void setDefault(String value) {
    client()
        .admin()
        .cluster()
        .prepareUpdateSettings()
        .setTransientSettings(Settings.builder().put(WeirSettings.DEFAULT.getKey(), value).build())
        .get();
  }

  /** Has an engine for each index that follows another. */
  public static final class Follower extends Plugin implements EnginePlugin {

    @Override
    public List<Setting<?>> getSettings() {
      return List.of(LEADER);
    }

    @Override
    public Optional<EngineFactory> getEngineFactory(IndexSettings index) {
      return LEADER.exists(index.getSettings())
          ? Optional.of(FollowingEngine::new)
          : Optional.empty();
    }
  }

  private static final class FollowingEngine extends InternalEngine {

    FollowingEngine(EngineConfig config) {
      super(config);
    }
  }
}
