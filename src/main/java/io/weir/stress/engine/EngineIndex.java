package io.weir.stress.engine;

import io.weir.stress.plan.EngineApi;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSettings;
import java.io.IOException;
import java.util.Optional;

/**
 * The index of a run, by the calls of its engine's public interface. What these calls are is all
 * that a load, a fill and an arm do not know of an engine.
 *
 * <p><b>Threads:</b> any, but {@link #prepare} is before the load. <b>Failure:</b> as {@link
 * EngineClient}.
 */
interface EngineIndex {

  /** The name of an index in a server of the run's own. */
  String DEFAULT_NAME = "weir-stress";

  /** In a cluster that the run has not started. */
  static EngineIndex inCluster(EngineApi api, EngineClient client, String name) {
    return switch (api) {
      case REST -> RestIndex.inCluster(client, name);
      case SOLR -> SolrIndex.inCluster(client, name);
    };
  }

  /** The engine with its version, such as {@code opensearch 3.8.0}; a cluster may have several. */
  String version() throws IOException, InterruptedException;

  /** The garbage collections of all nodes until now. */
  EngineCollections collections() throws IOException, InterruptedException;

  /**
   * What a run filled it with; empty if the run has to make it, or to fill it.
   *
   * @throws EngineException if it has documents that no run gave it
   */
  Optional<EngineStamp> stamp() throws IOException, InterruptedException;

  /** Makes it as far as the engine leaves that to a run, and marks it as one that is not filled. */
  void create(EngineStamp stamp) throws IOException, InterruptedException;

  /** Writes all its documents to the disk, checks their number, and records what they are. */
  void recordFilled(EngineStamp stamp) throws IOException, InterruptedException;

  /** Takes back what {@link #create} and a fill have done. */
  void delete() throws IOException, InterruptedException;

  /** Waits until it can be searched. */
  void awaitHealth() throws IOException, InterruptedException;

  /** Brings it into the state that an arm asks for. */
  void prepare(ArmSettings arm) throws IOException, InterruptedException;

  /** How many shards and segments it has. */
  EngineShape shape() throws IOException, InterruptedException;

  /** How many documents can be found. */
  long documents() throws IOException, InterruptedException;

  /** An empty bulk. */
  EngineBulk bulk();

  /** How many hits of at most {@code size} a query has. */
  int search(SearchQuery query, int size) throws IOException, InterruptedException;

  /** What Weir's plug-in says about it; empty without one, and in a collection of Solr. */
  Optional<PluginFigures> pluginFigures() throws IOException, InterruptedException;

  /** Makes visible what was confirmed before. */
  void refresh() throws IOException, InterruptedException;

  /** Makes durable what was confirmed before. */
  void flush() throws IOException, InterruptedException;

  /** Merges each shard to one segment; returns when all of them are. */
  void forceMerge() throws IOException, InterruptedException;

  /** What a natural merge is done by; empty for an engine that has none. */
  Optional<NaturalMerges> naturalMerges();
}
