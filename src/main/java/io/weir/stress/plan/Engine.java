package io.weir.stress.plan;

import java.util.Locale;

/** A search engine that the stress test can start. */
public enum Engine {
  OPENSEARCH(EngineApi.REST, "the zip of weir-opensearch"),
  ELASTICSEARCH(EngineApi.REST, "the zip of weir-elasticsearch"),
  SOLR(EngineApi.SOLR, "the jar weir-solr");

  private final EngineApi api;
  private final String plugin;

  Engine(EngineApi api, String plugin) {
    this.api = api;
    this.plugin = plugin;
  }

  /** As the command line and its scripts spell it: {@code opensearch}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How a run speaks to it. */
  public EngineApi api() {
    return api;
  }

  /** The file of Weir's plug-in for it, in words. */
  String plugin() {
    return plugin;
  }
}
