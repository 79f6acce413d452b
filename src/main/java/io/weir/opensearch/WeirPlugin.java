package io.weir.opensearch;

import io.weir.engine.EngineNode;
import io.weir.engine.NodeCap.Schedule;
import io.weir.engine.ShardAction;
import io.weir.exporter.MetricsServer;
import io.weir.exporter.MetricsServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.opensearch.action.ActionRequest;
import org.opensearch.cluster.metadata.IndexNameExpressionResolver;
import org.opensearch.cluster.metadata.MetadataCreateIndexService;
import org.opensearch.cluster.node.DiscoveryNodes;
import org.opensearch.cluster.routing.allocation.decider.AllocationDecider;
import org.opensearch.cluster.service.ClusterService;
import org.opensearch.common.settings.ClusterSettings;
import org.opensearch.common.settings.IndexScopedSettings;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.settings.SettingsFilter;
import org.opensearch.core.action.ActionResponse;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.xcontent.NamedXContentRegistry;
import org.opensearch.env.Environment;
import org.opensearch.env.NodeEnvironment;
import org.opensearch.index.IndexModule;
import org.opensearch.index.IndexSettings;
import org.opensearch.index.engine.EngineFactory;
import org.opensearch.index.shard.IndexSettingProvider;
import org.opensearch.node.Node;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.ClusterPlugin;
import org.opensearch.plugins.EnginePlugin;
import org.opensearch.plugins.IndexStorePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.TelemetryAwarePlugin;
import org.opensearch.repositories.RepositoriesService;
import org.opensearch.rest.RestController;
import org.opensearch.rest.RestHandler;
import org.opensearch.script.ScriptService;
import org.opensearch.telemetry.metrics.MetricsRegistry;
import org.opensearch.telemetry.metrics.noop.NoopMetricsRegistry;
import org.opensearch.telemetry.tracing.Tracer;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.client.Client;
import org.opensearch.watcher.ResourceWatcherService;

/**
 * Connects Weir to OpenSearch. Only indexes with {@code index.store.type: weir} are touched.
 *
 * <p><b>Threads:</b> those of OpenSearch. <b>Ownership:</b> OpenSearch creates one for each node,
 * and closes it after the shards.
 */
public final class WeirPlugin extends Plugin
    implements IndexStorePlugin, EnginePlugin, ActionPlugin, ClusterPlugin, TelemetryAwarePlugin {

  private final EngineNode node;
  private final Optional<MetricsServer> exporter;
  private final OtherEngines otherEngines = new OtherEngines();
  private Optional<WeirTelemetry> telemetry = Optional.empty(); // set once, before shards open
  private volatile boolean isDefault;
  private ClusterService cluster; // set once, before indexes are created

  /** For a node with these settings. */
  public WeirPlugin(Settings settings) {
    this.node =
        Privileged.call(
            () ->
                new EngineNode(
                    WeirSettings.rate(WeirSettings.MAX_BYTES_PER_SEC.get(settings)),
                    WeirSettings.TIME_ZONE.get(settings),
                    Duration.ofMillis(WeirSettings.SLOW_REFRESH.get(settings).millis()),
                    Optional.of(WeirStore.KEYS)));
    node.setCountsReads(WeirSettings.COUNT_READS.get(settings));
    node.setIdleClass(WeirSettings.IDLE_CLASS.get(settings));
    node.setCores(WeirSettings.CPU.get(settings));
    setSchedule(WeirSettings.SCHEDULE.get(settings));
    int port = WeirSettings.METRICS_PORT.get(settings);
    this.exporter =
        port < 0
            ? Optional.empty()
            : Optional.of(serve(WeirSettings.METRICS_HOST.get(settings), port, node));
    this.isDefault = WeirSettings.DEFAULT.get(settings);
  }

  /**
   * Serves the meters of the node and its shards for Prometheus, on a port of their own.
   *
   * @throws IllegalArgumentException if it cannot listen on that address; that ends the start of
   *     the node, as a port of the engine would
   */
  private static MetricsServer serve(String host, int port, EngineNode node) {
    InetSocketAddress address = new InetSocketAddress(host, port);
    try {
      return Privileged.call(() -> listen(address, node));
    } catch (UncheckedIOException e) {
      throw new IllegalArgumentException(
          WeirSettings.METRICS_HOST.getKey()
              + " and "
              + WeirSettings.METRICS_PORT.getKey()
              + " must be an address of this node and a free port: "
              + address,
          e);
    }
  }

  private static MetricsServer listen(InetSocketAddress address, EngineNode node) {
    try {
      return MetricsServer.start(
          MetricsServerOptions.local(0).withAddress(address), node.startMeters().registry());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Marks the node, so that the cluster manager knows that it has the plug-in. */
  @Override
  public Settings additionalSettings() {
    return Settings.builder()
        .put(Node.NODE_ATTRIBUTES.getKey() + PluginDecider.ATTRIBUTE, true)
        .build();
  }

  @Override
  public Collection<AllocationDecider> createAllocationDeciders(
      Settings settings, ClusterSettings clusterSettings) {
    return List.of(new PluginDecider());
  }

  @Override
  public List<Setting<?>> getSettings() {
    return WeirSettings.all();
  }

  @Override
  public Collection<Object> createComponents(
      Client client,
      ClusterService clusterService,
      ThreadPool threadPool,
      ResourceWatcherService resourceWatcherService,
      ScriptService scriptService,
      NamedXContentRegistry xContentRegistry,
      Environment environment,
      NodeEnvironment nodeEnvironment,
      NamedWriteableRegistry namedWriteableRegistry,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<RepositoriesService> repositoriesServiceSupplier) {
    cluster = clusterService;
    ClusterSettings settings = clusterService.getClusterSettings();
    settings.addSettingsUpdateConsumer(
        WeirSettings.MAX_BYTES_PER_SEC,
        cap -> node.cap().setCap(WeirSettings.rate(cap)),
        WeirSettings::rate);
    settings.addSettingsUpdateConsumer(WeirSettings.SCHEDULE, this::setSchedule);
    settings.addSettingsUpdateConsumer(WeirSettings.COUNT_READS, node::setCountsReads);
    settings.addSettingsUpdateConsumer(WeirSettings.IDLE_CLASS, node::setIdleClass);
    settings.addSettingsUpdateConsumer(WeirSettings.CPU, node::setCores);
    settings.addSettingsUpdateConsumer(WeirSettings.DEFAULT, value -> isDefault = value);
    return List.of(node, otherEngines);
  }

  /** The first schedule starts a thread. */
  private void setSchedule(Schedule schedule) {
    Privileged.run(() -> node.cap().setSchedule(schedule));
  }

  /** Called after the other method of that name; the registry does nothing without telemetry. */
  @Override
  public Collection<Object> createComponents(
      Client client,
      ClusterService clusterService,
      ThreadPool threadPool,
      ResourceWatcherService resourceWatcherService,
      ScriptService scriptService,
      NamedXContentRegistry xContentRegistry,
      Environment environment,
      NodeEnvironment nodeEnvironment,
      NamedWriteableRegistry namedWriteableRegistry,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<RepositoriesService> repositoriesServiceSupplier,
      Tracer tracer,
      MetricsRegistry metricsRegistry) {
    if (!(metricsRegistry instanceof NoopMetricsRegistry)) {
      telemetry =
          Optional.of(
              new WeirTelemetry(metricsRegistry, Privileged.call(node::startMeters))
                  .start(threadPool));
    }
    return List.of();
  }

  /**
   * Makes Weir's store the default. Indexes that Weir does not support keep the engine's default;
   * so do system indexes, whose names begin with a dot.
   */
  @Override
  public Collection<IndexSettingProvider> getAdditionalIndexSettingProviders() {
    return List.of(
        new IndexSettingProvider() {
          @Override
          public Settings getAdditionalIndexSettings(
              String index, boolean isDataStream, Settings given) {
            return isDefault
                    && (isDataStream || !index.startsWith("."))
                    && unsupported(index, withDefaults(index, given)).isEmpty()
                ? Settings.builder()
                    .put(IndexModule.INDEX_STORE_TYPE_SETTING.getKey(), WeirSettings.STORE_TYPE)
                    .build()
                : Settings.EMPTY;
          }
        });
  }

  private Optional<String> unsupported(String index, Settings settings) {
    return WeirSettings.unsupported(settings)
        .or(() -> otherEngines.kind(index, settings, cluster.getSettings()));
  }

  /**
   * The settings of a new index with those that the engine adds after its plug-ins: where the
   * cluster has a remote store, or another format of data.
   *
   * <p>Source: OpenSearch 3.8.0, {@code MetadataCreateIndexService.aggregateIndexSettings}.
   */
  private Settings withDefaults(String index, Settings given) {
    Settings.Builder all = Settings.builder().put(given);
    ClusterSettings ofCluster = cluster.getClusterSettings();
    MetadataCreateIndexService.updateRemoteStoreSettings(
        all, cluster.state(), ofCluster, cluster.getSettings(), index);
    EngineVersions.addDataFormat(all, ofCluster, index);
    return all.build();
  }

  /** Called when an index is created, opened or changed, so a refusal reaches the user. */
  @Override
  public void onIndexModule(IndexModule module) {
    Settings settings = module.getSettings();
    if (WeirSettings.isOn(settings)) {
      WeirSettings.refuse(unsupported(module.getIndex().getName(), settings));
      String index = module.getIndex().getUUID();
      module.addSettingsUpdateConsumer(
          WeirSettings.MERGE_WEIGHT, weight -> node.setShareWeight(index, weight));
    }
  }

  @Override
  public Map<String, DirectoryFactory> getDirectoryFactories() {
    return Map.of(WeirSettings.STORE_TYPE, new WeirStore(node));
  }

  /** Called before {@link #onIndexModule}, unless the index is closed. */
  @Override
  public Optional<EngineFactory> getEngineFactory(IndexSettings settings) {
    if (!WeirSettings.isOn(settings.getSettings())) {
      return Optional.empty();
    }
    WeirSettings.refuse(otherEngines.kind(settings));
    return Optional.of(config -> WeirEngine.open(config, node));
  }

  @Override
  public List<ActionHandler<? extends ActionRequest, ? extends ActionResponse>> getActions() {
    return List.of(
        new ActionHandler<>(WeirResponse.type(ShardAction.STATS), TransportWeirAction.Stats.class),
        new ActionHandler<>(
            WeirResponse.type(ShardAction.FORCED_MERGES), TransportWeirAction.ForcedMerges.class),
        new ActionHandler<>(
            WeirResponse.type(ShardAction.CANCEL), TransportWeirAction.Cancel.class));
  }

  @Override
  public List<RestHandler> getRestHandlers(
      Settings settings,
      RestController restController,
      ClusterSettings clusterSettings,
      IndexScopedSettings indexScopedSettings,
      SettingsFilter settingsFilter,
      IndexNameExpressionResolver indexNameExpressionResolver,
      Supplier<DiscoveryNodes> nodesInCluster) {
    return Arrays.stream(ShardAction.values())
        .<RestHandler>map(TransportWeirAction.Rest::new)
        .toList();
  }

  /** For tests. */
  EngineNode node() {
    return node;
  }

  @Override
  public void close() throws IOException {
    telemetry.ifPresent(WeirTelemetry::close);
    exporter.ifPresent(MetricsServer::close);
    node.close();
  }
}
