package io.weir.elasticsearch;

import io.weir.engine.EngineNode;
import io.weir.engine.NodeMeters;
import io.weir.engine.ShardAction;
import io.weir.store.ResidentKeys;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.elasticsearch.cluster.metadata.IndexNameExpressionResolver;
import org.elasticsearch.cluster.node.DiscoveryNodes;
import org.elasticsearch.common.io.stream.NamedWriteableRegistry;
import org.elasticsearch.common.settings.ClusterSettings;
import org.elasticsearch.common.settings.IndexScopedSettings;
import org.elasticsearch.common.settings.Setting;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.settings.SettingsFilter;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.index.IndexModule;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.engine.EngineFactory;
import org.elasticsearch.index.mapper.IdFieldMapper;
import org.elasticsearch.plugins.ActionPlugin;
import org.elasticsearch.plugins.EnginePlugin;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.rest.RestController;
import org.elasticsearch.rest.RestHandler;

/**
 * Connects Weir to Elasticsearch. Only indexes that {@link IndexChoice} admits are touched.
 *
 * <p><b>Threads:</b> those of Elasticsearch. <b>Ownership:</b> Elasticsearch creates one for each
 * node, and closes it after the shards.
 */
public final class WeirPlugin extends Plugin implements EnginePlugin, ActionPlugin {

  /** The documents' keys, which updates and deletes look up. */
  private static final ResidentKeys KEYS = ResidentKeys.of(IdFieldMapper.NAME);

  private final EngineNode node;
  private final NodeMeters meters;
  private final IndexChoice choice = new IndexChoice();

  /** For a node with these settings. */
  public WeirPlugin(Settings settings) {
    this.node =
        new EngineNode(
            WeirSettings.rate(WeirSettings.MAX_BYTES_PER_SEC.get(settings)),
            WeirSettings.TIME_ZONE.get(settings),
            Duration.ofMillis(WeirSettings.SLOW_REFRESH.get(settings).millis()),
            Optional.of(KEYS));
    node.setCountsReads(WeirSettings.COUNT_READS.get(settings));
    node.setIdleClass(WeirSettings.IDLE_CLASS.get(settings));
    node.setCores(WeirSettings.CPU.get(settings));
    node.cap().setSchedule(WeirSettings.SCHEDULE.get(settings));
    this.meters = node.startMeters();
  }

  @Override
  public List<Setting<?>> getSettings() {
    return WeirSettings.all();
  }

  @Override
  public Collection<?> createComponents(PluginServices services) {
    ClusterSettings settings = services.clusterService().getClusterSettings();
    settings.addSettingsUpdateConsumer(
        WeirSettings.MAX_BYTES_PER_SEC,
        cap -> node.cap().setCap(WeirSettings.rate(cap)),
        WeirSettings::rate);
    settings.addSettingsUpdateConsumer(WeirSettings.SCHEDULE, node.cap()::setSchedule);
    settings.addSettingsUpdateConsumer(WeirSettings.COUNT_READS, node::setCountsReads);
    settings.addSettingsUpdateConsumer(WeirSettings.IDLE_CLASS, node::setIdleClass);
    settings.addSettingsUpdateConsumer(WeirSettings.CPU, node::setCores);
    return List.of(node, meters, choice);
  }

  /** Called when an index is created, opened or changed, so a refusal reaches the user. */
  @Override
  public void onIndexModule(IndexModule module) {
    if (!choice.admits(module.indexSettings())) {
      return;
    }
    // The engine's own directory maps most files and reads the others: all of them unchanged.
    module.setDirectoryWrapper((files, shard) -> node.directory(files));
    String index = module.getIndex().getUUID();
    module.addSettingsUpdateConsumer(
        WeirSettings.MERGE_WEIGHT, weight -> node.setShareWeight(index, weight));
  }

  /** Called before {@link #onIndexModule}, so it gives no engine where that refuses. */
  @Override
  public Optional<EngineFactory> getEngineFactory(IndexSettings settings) {
    return choice.hasWeir(settings)
        ? Optional.of(config -> WeirEngine.open(config, node))
        : Optional.empty();
  }

  @Override
  public Collection<ActionHandler> getActions() {
    return List.of(
        new ActionHandler(WeirResponse.type(ShardAction.STATS), TransportWeirAction.Stats.class),
        new ActionHandler(
            WeirResponse.type(ShardAction.FORCED_MERGES), TransportWeirAction.ForcedMerges.class),
        new ActionHandler(WeirResponse.type(ShardAction.CANCEL), TransportWeirAction.Cancel.class),
        new ActionHandler(TransportMetricsAction.TYPE, TransportMetricsAction.class));
  }

  @Override
  public Collection<RestHandler> getRestHandlers(
      RestHandlersServices services,
      Supplier<DiscoveryNodes> nodesInCluster,
      Predicate<NodeFeature> clusterSupportsFeature) {
    return restHandlers();
  }

  /** Elasticsearch before 9.5 calls this one, and has not the other; so it overrides nothing. */
  public Collection<RestHandler> getRestHandlers(
      Settings settings,
      NamedWriteableRegistry namedWriteableRegistry,
      RestController restController,
      ClusterSettings clusterSettings,
      IndexScopedSettings indexScopedSettings,
      SettingsFilter settingsFilter,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<DiscoveryNodes> nodesInCluster,
      Predicate<NodeFeature> clusterSupportsFeature) {
    return restHandlers();
  }

  private static Collection<RestHandler> restHandlers() {
    return Stream.<RestHandler>concat(
            Stream.of(ShardAction.values()).map(TransportWeirAction.Rest::new),
            Stream.of(new TransportMetricsAction.Rest()))
        .toList();
  }

  /** For tests. */
  EngineNode node() {
    return node;
  }

  @Override
  public void close() throws IOException {
    node.close();
  }
}
