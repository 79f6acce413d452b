package io.weir.elasticsearch;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.elasticsearch.cluster.metadata.IndexMetadataVerifier;
import org.elasticsearch.index.IndexModule;
import org.elasticsearch.index.IndexSettings;
import org.elasticsearch.index.IndexVersions;
import org.elasticsearch.plugins.EnginePlugin;

/**
 * Which indexes of a node have Weir, and why others have not, although the node's default is on.
 *
 * <p>Elasticsearch opens no index for which two plug-ins have an engine. So an index that has the
 * engine of another plug-in (it follows another cluster's, is mounted from a snapshot, or has its
 * source only) works without Weir. So does one whose files are not Lucene's on a disk of the node,
 * or that the engine may only read. Who asks for Weir on such an index by its setting is refused.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> one for each node.
 */
final class IndexChoice {

  /** Store types whose files are on a disk of the node; empty is the engine's default. */
  private static final Set<String> DISK_STORES = Set.of("", "fs", "hybridfs", "mmapfs", "niofs");

  /** The other plug-ins that have engines; none before the node has all its parts. */
  private volatile List<EnginePlugin> others = List.of();

  /** Takes the plug-ins of the node, before it opens its first index. */
  void setPlugins(Stream<EnginePlugin> plugins) {
    others = plugins.filter(plugin -> !(plugin instanceof WeirPlugin)).toList();
  }

  /** Whether an index has Weir. */
  boolean hasWeir(IndexSettings index) {
    return WeirSettings.isOn(index) && obstacle(index).isEmpty();
  }

  /**
   * Checks an index that is created, opened or changed.
   *
   * @return whether it has Weir
   * @throws IllegalArgumentException if its own setting asks for Weir, which does not support it
   */
  boolean admits(IndexSettings index) {
    if (!WeirSettings.isOn(index)) {
      return false;
    }
    Optional<String> obstacle = obstacle(index);
    if (obstacle.isPresent() && WeirSettings.INDEX_ENABLED.exists(index.getSettings())) {
      throw new IllegalArgumentException(
          WeirSettings.INDEX_ENABLED.getKey()
              + ": true does not support "
              + obstacle.get()
              + "; set it to false");
    }
    return obstacle.isEmpty();
  }

  /** Why an index is left out that would have Weir, if it is. */
  Optional<String> whyLeftOut(IndexSettings index) {
    return WeirSettings.isOn(index) ? obstacle(index) : Optional.empty();
  }

  /** Why an index cannot have Weir. */
  private Optional<String> obstacle(IndexSettings index) {
    String store = IndexModule.INDEX_STORE_TYPE_SETTING.get(index.getSettings());
    if (!DISK_STORES.contains(store)) {
      return Optional.of(IndexModule.INDEX_STORE_TYPE_SETTING.getKey() + ": " + store);
    }
    if (!IndexMetadataVerifier.isFullySupportedVersion(
        index.getIndexMetadata(), IndexVersions.MINIMUM_COMPATIBLE)) {
      return Optional.of(
          "an index that this Elasticsearch only reads, created by "
              + index.getIndexVersionCreated().toReleaseVersion());
    }
    return others.stream()
        .filter(plugin -> plugin.getEngineFactory(index).isPresent())
        .map(plugin -> "the engine of another plug-in, " + plugin.getClass().getName())
        .findFirst();
  }
}
