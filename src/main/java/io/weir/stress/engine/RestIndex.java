package io.weir.stress.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.result.RunJson;
import io.weir.stress.setting.CompoundFiles;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The index of a run in an engine. Its mapping says that it is one, and what it was filled with: no
 * other index is ever written to.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> as {@link EngineClient}.
 */
final class RestIndex {

  static final String TITLE = "title";
  static final String BODY = "body";
  static final String DATE = "date";

  /** In the mapping's {@code _meta}. */
  private static final String STAMP = "weir-stress";

  /** The name of an index in a server of the run's own. */
  static final String DEFAULT_NAME = "weir-stress";

  /**
   * More than the run's large segments, so that the engine leaves them to the large merge; its
   * default of 10 would merge them while the load begins.
   */
  private static final int SEGMENTS_PER_TIER = 20;

  /** The fewest that engines take. */
  private static final int FEW_SEGMENTS_PER_TIER = 2;

  private static final int NOT_FOUND = 404;

  private final EngineClient client;
  private final String name;

  RestIndex(EngineClient client, String name) {
    this.client = client;
    this.name = name;
  }

  /** Makes it, empty. */
  void create(EngineStamp stamp) throws IOException, InterruptedException {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("number_of_shards", stamp.shards());
    if (stamp.engine().isPresent()) { // a server of the run's own
      settings.put("number_of_replicas", 0);
    }
    settings.put("refresh_interval", -1); // the load refreshes, at its times
    settings.put("merge.policy.segments_per_tier", SEGMENTS_PER_TIER);
    settings.put("translog.durability", "async");
    if (stamp.compound() != CompoundFiles.DEFAULT) {
      settings.put("compound_format", stamp.compound() == CompoundFiles.ALWAYS);
    }
    Map<String, Object> fields =
        Map.of(
            TITLE, Map.of("type", "text"),
            BODY, Map.of("type", "text"),
            DATE, Map.of("type", "date", "format", "epoch_millis"));
    client.put(
        path(""),
        Map.of(
            "settings", settings, "mappings", Map.of("_meta", meta(stamp), "properties", fields)));
  }

  private static Map<String, Object> meta(EngineStamp stamp) {
    return Map.of(STAMP, stamp);
  }

  /** Writes all its documents to the disk, and records in its mapping what they are. */
  void recordFilled(EngineStamp stamp) throws IOException, InterruptedException {
    client.post(path("/_flush?wait_if_ongoing=true"));
    client.put(path("/_settings"), Map.of("index.translog.durability", "request"));
    client.put(path("/_mapping"), Map.of("_meta", meta(stamp)));
    client.post(path("/_refresh"));
    long found = documents();
    if (found != stamp.documents()) {
      throw new EngineException(
          "the index must hold the %d documents that it was given: %d"
              .formatted(stamp.documents(), found));
    }
  }

  /**
   * What a run filled it with; empty if there is no such index.
   *
   * @throws EngineException if there is one that no run made
   */
  Optional<EngineStamp> stamp() throws IOException, InterruptedException {
    JsonNode mappings;
    try {
      mappings = client.get(path("/_mapping"));
    } catch (EngineException e) {
      if (e.status() == NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
    JsonNode stamp = mappings.path(name).path("mappings").path("_meta").path(STAMP);
    if (stamp.isMissingNode()) {
      throw new EngineException(
          "the index must be one that weir stress made, because a run changes documents: " + name);
    }
    try {
      return Optional.of(RunJson.ofTree(stamp, EngineStamp.class));
    } catch (JsonProcessingException e) {
      throw new EngineException(
          "the index must be one that this version of weir stress made; delete it: " + name, e);
    }
  }

  /** Deletes it, with all that it holds. */
  void delete() throws IOException, InterruptedException {
    client.delete(path(""));
  }

  /** Gives it other settings while it is closed. */
  void reopenWith(Map<String, String> settings) throws IOException, InterruptedException {
    client.post(path("/_close"));
    client.put(path("/_settings"), settings);
    client.post(path("/_open"));
    awaitHealth();
  }

  /** Waits until each primary shard is there. */
  void awaitHealth() throws IOException, InterruptedException {
    client.get("/_cluster/health/" + name + "?wait_for_status=yellow&timeout=120s");
  }

  void refresh() throws IOException, InterruptedException {
    JsonNode shards = client.post(path("/_refresh")).path("_shards");
    requireNoneFailed("refresh", shards);
  }

  void flush() throws IOException, InterruptedException {
    requireNoneFailed("flush", client.post(path("/_flush")).path("_shards"));
  }

  /** Merges each shard to one segment; returns when all of them are. */
  void forceMerge() throws IOException, InterruptedException {
    JsonNode answer = client.postAndWait(path("/_forcemerge?max_num_segments=1"));
    requireNoneFailed("forced merge", answer.path("_shards"));
  }

  /** Merges what the policy chooses now; may return while that runs. */
  void maybeMerge() throws IOException, InterruptedException {
    JsonNode answer = client.postAndWait(path("/_forcemerge?flush=false"));
    requireNoneFailed("merge", answer.path("_shards"));
  }

  /** Lets the policy merge its large segments too. */
  void allowFewSegments() throws IOException, InterruptedException {
    setSegmentsPerTier(FEW_SEGMENTS_PER_TIER);
  }

  /** Lets the policy leave the large segments alone. */
  void allowUsualSegments() throws IOException, InterruptedException {
    setSegmentsPerTier(SEGMENTS_PER_TIER);
  }

  private void setSegmentsPerTier(int count) throws IOException, InterruptedException {
    client.put(path("/_settings"), Map.of("index.merge.policy.segments_per_tier", count));
  }

  private static void requireNoneFailed(String what, JsonNode shards) throws EngineException {
    if (shards.path("failed").asInt() > 0) {
      throw new EngineException(
          "a %s failed on %d of %d shards: %s"
              .formatted(
                  what,
                  shards.path("failed").asInt(),
                  shards.path("total").asInt(),
                  shards.path("failures")));
    }
  }

  /** Sends the lines of a bulk of index operations; each of them must succeed. */
  void bulk(String lines) throws IOException, InterruptedException {
    JsonNode answer = client.bulk(path("/_bulk?filter_path=errors,items.*.error"), lines);
    if (answer.path("errors").asBoolean()) {
      throw new EngineException("a bulk failed: " + answer.path("items").path(0));
    }
  }

  /** How many hits of at most {@code size} a query has. */
  int search(Object query, int size) throws IOException, InterruptedException {
    JsonNode answer = client.post(path("/_search"), Map.of("query", query, "size", size));
    requireNoneFailed("search", answer.path("_shards"));
    return answer.path("hits").path("hits").size();
  }

  /** How many documents can be found. */
  long documents() throws IOException, InterruptedException {
    return client.get(path("/_count")).path("count").asLong();
  }

  /** The segments of all copies of its shards. */
  Set<EngineSegment> segments() throws IOException, InterruptedException {
    Set<EngineSegment> segments = new HashSet<>();
    JsonNode shards = client.get(path("/_segments")).path("indices").path(name).path("shards");
    for (Map.Entry<String, JsonNode> shard : shards.properties()) {
      for (JsonNode copy : shard.getValue()) {
        JsonNode routing = copy.path("routing");
        for (Map.Entry<String, JsonNode> segment : copy.path("segments").properties()) {
          segments.add(
              new EngineSegment(
                  shard.getKey(),
                  routing.path("node").asText(),
                  routing.path("primary").asBoolean(),
                  segment.getKey(),
                  segment.getValue().has("merge_id")));
        }
      }
    }
    return segments;
  }

  /** How many merges of all copies of its shards have ended since their nodes began. */
  long mergesEnded() throws IOException, InterruptedException {
    return client
        .get(path("/_stats/merge"))
        .path("_all")
        .path("total")
        .path("merges")
        .path("total")
        .asLong();
  }

  private String path(String rest) {
    return "/" + name + rest;
  }
}
