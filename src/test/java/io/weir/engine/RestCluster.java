package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.Await;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * A cluster with the REST API that OpenSearch and Elasticsearch share. It has two indexes under
 * Weir, of three shards with a replica each: one that is written all the time, and one with many
 * segments, which are there to be merged.
 */
public abstract class RestCluster implements RollingUpgrade.Cluster {

  private static final String WRITTEN = "written";
  private static final String MANY = "many";
  private static final String BOTH = WRITTEN + "," + MANY;

  /** Each refresh leaves a segment, and no merge begins by itself. */
  private static final String MANY_SEGMENTS =
      "\"index.refresh_interval\": \"-1\", \"index.merge.policy.segments_per_tier\": 100,"
          + " \"index.merge.policy.floor_segment\": \"1kb\"";

  private static final String SETTING = "weir.merge.max_bytes_per_sec";
  private static final int SEGMENTS = 8;
  private static final int SEGMENT_BYTES = 2 << 20;
  private static final int BLOB_BYTES = 6000;

  private static final int MISSING = 404;

  /** What a node answered. */
  public record Answer(int status, JsonNode body) {}

  private final String on;
  private final String off;
  private final Map<String, Long> many = new TreeMap<>();

  /**
   * @param on the setting of an index that turns Weir on
   * @param off and the one that undoes it
   */
  protected RestCluster(String on, String off) {
    this.on = on;
    this.off = off;
  }

  /** Sends a request to a node that runs. */
  protected abstract Answer call(String by, String method, String path, String json)
      throws IOException;

  /** Makes the indexes, turns Weir on in them, and sets the cap. */
  public void fill() throws IOException {
    String by = running().getFirst();
    create(by, WRITTEN, "\"index.refresh_interval\": \"1s\"");
    create(by, MANY, MANY_SEGMENTS);
    Random random = new Random(2);
    byte[] blob = new byte[BLOB_BYTES];
    for (int segment = 0; segment < SEGMENTS; segment++) {
      StringBuilder bulk = new StringBuilder();
      while (bulk.length() < SEGMENT_BYTES * 4 / 3) {
        random.nextBytes(blob);
        long n = many.size();
        String id = Long.toString(n);
        bulk.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n{\"n\":").append(n);
        bulk.append(",\"blob\":\"").append(Base64.getEncoder().encodeToString(blob));
        bulk.append("\"}\n");
        many.put(id, n);
      }
      JsonNode answer = ask(by, "POST", "/" + MANY + "/_bulk?refresh=true", bulk.toString());
      assertEquals("false", answer.get("errors").asText(), answer::toString);
    }
    setCap(by);
    awaitHealth(by, "green");
  }

  private void setCap(String by) throws IOException {
    setCluster(by, SETTING, "\"" + RollingUpgrade.CAP + "b\"");
  }

  private void create(String by, String index, String settings) throws IOException {
    ask(
        by,
        "PUT",
        "/" + index,
        """
        {"settings": {"index.number_of_shards": 3, "index.number_of_replicas": %d, %s, %s},
         "mappings": {"properties": {"n": {"type": "long"}, "text": {"type": "text"},
           "blob": {"type": "keyword", "index": false, "doc_values": false}}}}
        """
            .formatted(replicas(), on, settings));
  }

  private int replicas() {
    return nodes().size() > 1 ? 1 : 0;
  }

  /** What guides say before a node is stopped: replicas stay where they are, and all is flushed. */
  protected void prepareToLeave(String by) throws IOException {
    setCluster(by, "cluster.routing.allocation.enable", "\"primaries\"");
    ask(by, "POST", "/_flush", null);
  }

  /** And when it is back. */
  protected void allocate(String by) throws IOException {
    if (hasPutTheCapAway(by)) {
      setCluster(by, "archived.*", "null");
      setCap(by);
    }
    setCluster(by, "cluster.routing.allocation.enable", "null");
  }

  /** As the engine does when it starts and no node has the plug-in. */
  protected boolean hasPutTheCapAway(String by) throws IOException {
    return ask(by, "GET", "/_cluster/settings?flat_settings=true", null)
        .get("persistent")
        .has("archived." + SETTING);
  }

  private void setCluster(String by, String name, String json) throws IOException {
    ask(by, "PUT", "/_cluster/settings", "{\"persistent\":{\"" + name + "\":" + json + "}}");
  }

  /** Waits until the health of all indexes is as wished, and all shards have found their nodes. */
  protected void awaitHealth(String by, String status) throws IOException {
    JsonNode health =
        ask(
            by,
            "GET",
            "/_cluster/health?timeout=90s&wait_for_no_relocating_shards=true&wait_for_no_initializing_shards=true&wait_for_status="
                + status,
            null);
    assertEquals(status, health.get("status").asText(), () -> health + explain(by));
  }

  /** Waits until a shard has no place for some reason, and the health is what comes of it. */
  protected void awaitReason(String by, String status, String reason) throws IOException {
    Await.until(reason, () -> explain(by).contains(reason));
    awaitHealth(by, status);
  }

  /** What the elected manager says of a shard that has no place. */
  private String explain(String by) {
    try {
      return call(by, "GET", "/_cluster/allocation/explain", null).body().toString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** A call that must succeed. */
  protected JsonNode ask(String by, String method, String path, String json) throws IOException {
    Answer answer = call(by, method, path, json);
    assertTrue(answer.status() < 300, () -> by + ": " + method + " " + path + ": " + answer);
    return answer.body();
  }

  @Override
  public boolean write(String by, Map<String, Optional<Long>> documents) throws IOException {
    StringBuilder bulk = new StringBuilder();
    documents.forEach(
        (id, number) -> {
          bulk.append(number.isPresent() ? "{\"index\"" : "{\"delete\"");
          bulk.append(":{\"_id\":\"").append(id).append("\"}}\n");
          number.ifPresent(
              n -> bulk.append("{\"n\":").append(n).append(",\"text\":\"the number ").append(n));
          number.ifPresent(n -> bulk.append("\"}\n"));
        });
    Answer answer = call(by, "POST", "/" + WRITTEN + "/_bulk", bulk.toString());
    boolean written = answer.status() == 200;
    for (JsonNode item : answer.body().path("items")) {
      int status = item.elements().next().get("status").asInt();
      written &= status < 300 || status == MISSING; // there is nothing to delete
    }
    return written;
  }

  @Override
  public Optional<String> red(String by) throws IOException {
    Answer answer = call(by, "GET", "/_cluster/health?level=shards&timeout=1s", null);
    if (answer.status() >= 500) {
      throw new IOException("no elected manager: " + answer); // so there is no health
    }
    boolean isRed = answer.body().path("status").asText().equals("red");
    return isRed ? Optional.of(answer.body().toString()) : Optional.empty();
  }

  @Override
  public Map<String, RollingUpgrade.Merges> merges(String by) throws IOException {
    Map<String, RollingUpgrade.Merges> found = new TreeMap<>();
    for (JsonNode node : ask(by, "GET", "/_weir/stats", null).get("nodes")) {
      JsonNode merge = node.get("merge");
      int forced = 0;
      for (JsonNode shard : node.at("/indices/" + MANY)) {
        forced += shard.at("/merges/forced/running").asInt();
      }
      found.put(
          node.get("name").asText(),
          new RollingUpgrade.Merges(
              merge.get("max_bytes_per_sec").asLong(),
              merge.get("charged_bytes").asLong(),
              merge.get("wait_millis").asLong(),
              forced));
    }
    return found;
  }

  @Override
  public Map<String, String> versions(String by) throws IOException {
    Map<String, String> versions = new TreeMap<>();
    for (JsonNode node : ask(by, "GET", "/_cat/nodes?format=json&h=name,version", null)) {
      versions.put(node.get("name").asText(), node.get("version").asText());
    }
    List<String> having =
        ask(by, "GET", "/_cat/plugins?format=json&h=name,component", null)
            .valueStream()
            .filter(plugin -> plugin.get("component").asText().equals("weir"))
            .map(plugin -> plugin.get("name").asText())
            .toList();
    versions.keySet().retainAll(having);
    return versions;
  }

  @Override
  public void forceMerge(String by) throws IOException {
    call(by, "POST", "/" + MANY + "/_forcemerge?max_num_segments=1", null);
  }

  @Override
  public void cancelForcedMerges(String by) throws IOException {
    JsonNode answer = ask(by, "POST", "/_weir/forcemerge/_cancel", null);
    assertEquals(nodes().size(), answer.at("/_nodes/successful").asInt(), answer::toString);
  }

  @Override
  public void assertDocuments(Map<String, Long> expected) throws IOException {
    String by = running().getFirst();
    assertEquals(2 * 3 * (1 + replicas()), shardsUnderWeir(by));
    assertCopies(by, WRITTEN, expected);
    assertCopies(by, MANY, many);
    setCluster(by, SETTING, "null");
    assertTrue(
        call(by, "POST", "/" + MANY + "/_forcemerge?max_num_segments=1", null).status() < 300);
    undo(by);
    assertCopies(by, WRITTEN, expected);
    assertCopies(by, MANY, many);
  }

  /** Back to a stock index, which the engine is to check, as CheckIndex does, when it opens it. */
  private void undo(String by) throws IOException {
    ask(by, "POST", "/" + BOTH + "/_close", null);
    ask(
        by,
        "PUT",
        "/" + BOTH + "/_settings",
        "{" + off + ",\"index.shard.check_on_startup\":\"true\"}");
    ask(by, "POST", "/" + BOTH + "/_open?wait_for_active_shards=all", null);
    awaitHealth(by, "green");
    assertEquals(0, shardsUnderWeir(by));
    int checked = 0;
    JsonNode recoveries = ask(by, "GET", "/" + BOTH + "/_recovery", null);
    for (JsonNode index : recoveries) {
      for (JsonNode shard : index.get("shards")) {
        boolean isChecked = shard.at("/verify_index/check_index_time_in_millis").asLong() > 0;
        checked += isChecked ? 1 : 0;
        assertTrue(isChecked || !shard.get("primary").asBoolean(), shard::toString);
      }
    }
    assertTrue(checked >= 2 * 3, recoveries::toString);
  }

  private int shardsUnderWeir(String by) throws IOException {
    int shards = 0;
    for (JsonNode node : ask(by, "GET", "/_weir/stats", null).get("nodes")) {
      for (JsonNode index : node.get("indices")) {
        shards += index.size();
      }
    }
    return shards;
  }

  /** Searches each copy of each shard by itself. */
  private void assertCopies(String by, String index, Map<String, Long> expected)
      throws IOException {
    ask(by, "POST", "/" + index + "/_refresh", null);
    Map<String, Map<String, Long>> primaries = new TreeMap<>();
    Map<String, Map<String, Long>> replicas = new TreeMap<>();
    for (JsonNode copy :
        ask(by, "GET", "/_cat/shards/" + index + "?format=json&h=shard,prirep,id", null)) {
      String shard = copy.get("shard").asText();
      String only = "_shards:" + shard + "%7C_only_nodes:" + copy.get("id").asText();
      Map<String, Map<String, Long>> copies =
          copy.get("prirep").asText().equals("p") ? primaries : replicas;
      copies.put(shard, found(by, index, only));
    }
    assertEquals(3, primaries.size(), index);
    assertTrue(replicas() == 0 || primaries.equals(replicas), index);
    Map<String, Long> all = new TreeMap<>();
    primaries.values().forEach(all::putAll);
    assertEquals(expected, all, index);
  }

  private Map<String, Long> found(String by, String index, String preference) throws IOException {
    JsonNode hits =
        ask(
            by,
            "POST",
            "/" + index + "/_search?preference=" + preference,
            "{\"size\":10000,\"_source\":[\"n\"],\"track_total_hits\":true}");
    assertEquals(0, hits.at("/_shards/failed").asInt(), hits::toString);
    Map<String, Long> found = new TreeMap<>();
    for (JsonNode hit : hits.at("/hits/hits")) {
      found.put(hit.get("_id").asText(), hit.at("/_source/n").asLong());
    }
    assertEquals(hits.at("/hits/total/value").asInt(), found.size());
    return found;
  }
}
