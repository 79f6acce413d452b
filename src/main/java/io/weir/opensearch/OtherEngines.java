package io.weir.opensearch;

import java.util.List;
import java.util.Optional;
import org.opensearch.Version;
import org.opensearch.cluster.metadata.IndexMetadata;
import org.opensearch.common.settings.Settings;
import org.opensearch.index.IndexSettings;
import org.opensearch.plugins.EnginePlugin;

/**
 * The plug-ins of a node that bring engines of their own. OpenSearch opens no index for which two
 * plug-ins have one, and its message says not what to do. Codecs of other plug-ins are no obstacle:
 * {@link WeirEngine.KeyCodecs} is around them.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> one for each node.
 */
final class OtherEngines {

  /** None before the node has all its parts. */
  private volatile List<EnginePlugin> plugins = List.of();

  /** Takes the plug-ins of the node, before it makes its first index. */
  void set(List<EnginePlugin> all) {
    plugins = all.stream().filter(plugin -> !(plugin instanceof WeirPlugin)).toList();
  }

  /** What an index is that another plug-in has an engine for; empty if none has. */
  Optional<String> kind(IndexSettings index) {
    return plugins.stream()
        .filter(plugin -> plugin.getEngineFactory(index).isPresent())
        .map(plugin -> "the engine of another plug-in, " + plugin.getClass().getName())
        .findFirst();
  }

  /**
   * The same for an index that will have these settings.
   *
   * @param settings may have those of the node too, some of which are secure and cannot be copied
   */
  Optional<String> kind(String name, Settings settings, Settings ofNode) {
    Settings.Builder all =
        Settings.builder()
            .put(IndexMetadata.SETTING_VERSION_CREATED, Version.CURRENT)
            .put(IndexMetadata.SETTING_NUMBER_OF_SHARDS, 1)
            .put(IndexMetadata.SETTING_NUMBER_OF_REPLICAS, 0);
    settings.keySet().stream()
        .filter(key -> key.startsWith(IndexMetadata.INDEX_SETTING_PREFIX))
        .forEach(key -> all.copy(key, settings));
    return kind(new IndexSettings(IndexMetadata.builder(name).settings(all).build(), ofNode));
  }
}
