package io.weir.agent.process;

import java.util.Arrays;
import java.util.Optional;

/**
 * An engine that Weir has a plug-in for. The agent leaves it alone: the engine guards its own files
 * and threads, and the plug-in does more.
 */
enum KnownEngine {
  OPENSEARCH("OpenSearch", "org/opensearch/index/engine/Engine.class", "weir-opensearch"),
  ELASTICSEARCH(
      "Elasticsearch", "org/elasticsearch/index/engine/Engine.class", "weir-elasticsearch"),
  SOLR("Solr", "org/apache/solr/core/SolrCore.class", "weir-solr");

  private final String label;
  private final String resource;
  private final String plugin;

  KnownEngine(String label, String resource, String plugin) {
    this.label = label;
    this.resource = resource;
    this.plugin = plugin;
  }

  /** The engine whose classes {@code loader} finds, if any. */
  static Optional<KnownEngine> in(ClassLoader loader) {
    return Arrays.stream(values())
        .filter(engine -> loader.getResource(engine.resource) != null)
        .findFirst();
  }

  /** Why the agent does nothing here. */
  String refusal() {
    return "this is %s: use Weir's plug-in for it, %s (docs/%s.md)"
        .formatted(label, plugin, name());
  }
}
