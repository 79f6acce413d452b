package io.weir.stress.engine;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.run.ArmFigures;
import io.weir.run.Values;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.VectorRecall;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.EngineApi;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.VectorFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The index of a run, by the calls of its engine's public interface. What these calls are is all
 * that a load, a fill and an arm do not know of an engine.
 *
 * <p><b>Threads:</b> any, but {@link #prepare} is before the load. <b>Failure:</b> as {@link
 * EngineClient}.
 */
interface EngineIndex extends VectorRecall.Neighbours<String> {

  /** How many documents are read at once: with the longest vectors 3 MB. */
  int PAGE = 250;

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
  Collections collections() throws IOException, InterruptedException;

  /**
   * What a run filled it with; empty if the run has to make it, or to fill it.
   *
   * @throws EngineException if it has documents that no run gave it
   */
  Optional<EngineStamp> stamp() throws IOException, InterruptedException;

  /**
   * Refuses an index that cannot hold vectors; changes nothing.
   *
   * @param dims of each
   * @param format how they are to be searched
   * @throws EngineException with what is missing, and how it comes there
   */
  void requireVectors(int dims, VectorFormat format) throws IOException, InterruptedException;

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
  Shape shape() throws IOException, InterruptedException;

  /** How many documents can be found. */
  long documents() throws IOException, InterruptedException;

  /** An empty bulk. */
  Bulk bulk();

  /** Finds out what searches must know of one that the run has not made; changes nothing. */
  default void look() throws IOException, InterruptedException {}

  /**
   * The body of a search.
   *
   * @param vectors not asked for queries of text
   * @param size the most hits
   */
  Map<String, Object> request(SearchQuery query, DocumentVectors vectors, int size)
      throws IOException, InterruptedException;

  /** How many hits of at most {@code size} a query has. */
  int search(SearchQuery query, DocumentVectors vectors, int size)
      throws IOException, InterruptedException;

  /** The keys of what a search finds. */
  @Override
  List<String> nearest(float[] vector) throws IOException, InterruptedException;

  /** What can be found, by key. */
  @Override
  void forEachVector(VectorRecall.VectorConsumer<String> consumer)
      throws IOException, InterruptedException;

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

  /** The numbers of an array; empty if it is none. */
  static Optional<float[]> vector(JsonNode array) {
    if (!array.isArray() || array.isEmpty()) {
      return Optional.empty();
    }
    float[] vector = new float[array.size()];
    for (int i = 0; i < vector.length; i++) {
      vector[i] = array.get(i).floatValue();
    }
    return Optional.of(vector);
  }

  /** Documents that go to the engine in one request. <b>Threads:</b> one. */
  interface Bulk {

    /** Indexes a document, or replaces the one with its key, when this is sent. */
    void add(Updater.Update document);

    /** About how long the request would be now. */
    int bytes();

    /**
     * Sends the documents, and is empty again; each of them must succeed.
     *
     * @throws EngineException with the first failure
     */
    void send() throws IOException, InterruptedException;
  }

  /** The merges that the policy chooses, as an engine lets a run see and cause them. */
  interface NaturalMerges {

    /** Has the policy merge its large segments too, once; may return while that runs. */
    void begin() throws IOException, InterruptedException;

    /** The segments of all copies of the shards. */
    Set<Segment> segments() throws IOException, InterruptedException;

    /** How many merges of all copies of the shards have ended since their nodes began. */
    long ended() throws IOException, InterruptedException;
  }

  /**
   * A segment in one copy of a shard.
   *
   * @param shard its number
   * @param node that holds the copy
   * @param primary whether that copy is the primary one
   * @param merging whether a merge reads it now
   */
  record Segment(String shard, String node, boolean primary, String name, boolean merging) {

    /** The same segment while a merge reads it. */
    Segment asMerging() {
      return new Segment(shard, node, primary, name, true);
    }
  }

  /**
   * The parts of an index, without further copies of them.
   *
   * @param segments of all shards together
   */
  record Shape(int shards, int segments) {

    /** Whether a forced merge would find nothing to do. */
    boolean isMerged() {
      return segments <= shards;
    }
  }

  /**
   * The garbage collections of all nodes up to one moment; their pauses are not reported.
   *
   * @param millis their time
   * @param collectors their names
   */
  record Collections(long count, long millis, List<String> collectors) {

    static final Collections NONE = new Collections(0, 0, List.of());

    /** These, and those of one collector of one node. */
    Collections plus(String collector, long itsCount, long itsMillis) {
      List<String> names = new ArrayList<>(collectors);
      if (!names.contains(collector)) {
        names.add(collector);
      }
      return new Collections(count + itsCount, millis + itsMillis, List.copyOf(names));
    }

    Values since(Collections start) {
      return Values.builder()
          .put(ArmFigures.GC_COLLECTIONS, count - start.count)
          .put(ArmFigures.GC_SECONDS, (millis - start.millis) / 1e3)
          .put(ArmFigures.GC_COLLECTORS, String.join(", ", collectors))
          .build();
    }
  }
}
