package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.TargetLoad;
import io.weir.opensearch.OpenSearchServer.Answer;
import io.weir.suite.Distribution;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Weir beside plug-ins of OpenSearch that are published: each in a server of its own version, with
 * an index that has both. Of SQL and of index management no zip is published, so the calls that
 * they make stand in for them.
 */
@Slow("starts OpenSearch with other plug-ins")
@LongRun("other plug-ins; OpenSearchPluginIT has Weir alone")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenSearchNeighboursIT {

  private static final String WEIR = "\"index.store.type\":\"weir\"";
  private static final String PASSWORD = "Weir-and-Water-9"; // one that the plug-in finds strong
  private static final long CAP = 1 << 20;

  @TempDir(cleanup = CleanupMode.NEVER)
  Path directory;

  private OpenSearchHome home;
  private OpenSearchServer server;
  private Documents documents;

  private void install(String version, String... others) throws Exception {
    home =
        OpenSearchHome.copiedTo(
            directory,
            "home",
            Distribution.of("opensearch", version),
            Distribution.plugIn("opensearch", version));
    home.installWeir();
    for (String other : others) {
      home.installOther(other, version + ".0");
    }
    server = new OpenSearchServer("node", home);
    documents = new Documents(() -> server);
  }

  @AfterEach
  void end() throws Exception {
    if (server != null) {
      server.close();
    }
    if (home != null) {
      home.close();
    }
  }

  /** Roles that see some documents and fields of an index, or Weir's figures, or neither. */
  @Test
  void securityAndJobScheduler_besideWeir_permitByRole() throws Exception {
    Path withRules = Distribution.of("opensearch", "3.5.0");
    String version = "3.4.0"; // whose distribution lacks a part that the plug-in needs
    install(version);
    home.addModule("rule-framework", withRules, version);
    home.installOther("opensearch-security", "3.4.0.0");
    home.installOther("opensearch-job-scheduler", "3.4.0.0");
    home.configureSecurity(PASSWORD);
    server.setUser("admin", PASSWORD);
    server.start(home, "plugins.security.ssl.http.enabled=false");
    assertEquals(
        Map.of(
            "opensearch-job-scheduler", "3.4.0.0",
            "opensearch-security", "3.4.0.0",
            "rule-framework", "3.4.0",
            "weir", System.getProperty("weir.version")),
        plugins());

    documents.create("guarded", WEIR, "");
    documents.fill("guarded", 6, 1 << 19); // fewer segments than a natural merge takes
    assertCapHolds("guarded");
    documents.change("guarded", new Random(1));
    assertEquals(documents.expected("guarded"), documents.found("guarded"));
    assertAllLayersAreActive("guarded");

    long limit = 1 << 29;
    role(
        "reader",
        "\"index_permissions\":[{\"index_patterns\":[\"guarded\"],\"allowed_actions\":[\"read\"],"
            + "\"fls\":[\"~text\"],\"dls\":\"{\\\"range\\\":{\\\"n\\\":{\\\"lt\\\":"
            + limit
            + "}}}\"}]");
    role(
        "watcher",
        "\"cluster_permissions\":"
            + "[\"cluster:monitor/weir/stats\",\"cluster:monitor/weir/forcemerge\"]");
    Map<String, Long> permitted = new TreeMap<>(documents.expected("guarded"));
    permitted.values().removeIf(number -> number >= limit);
    int all = documents.expected("guarded").size();
    assertTrue(permitted.size() > 50 && permitted.size() < all - 50, permitted::toString);

    server.setUser("reader", PASSWORD);
    JsonNode hits =
        server.post("/guarded/_search", "{\"size\":10000,\"track_total_hits\":true}").get("hits");
    assertEquals(permitted, numbers(hits));
    assertTrue(hits.findValues("text").isEmpty(), hits::toString);
    assertDenied("GET", "/_weir/stats", "cluster:monitor/weir/stats");
    assertDenied("GET", "/guarded/_weir/stats", "cluster:monitor/weir/stats");
    assertDenied("GET", "/_weir/forcemerge", "cluster:monitor/weir/forcemerge");
    assertDenied("POST", "/_weir/forcemerge/_cancel", "cluster:admin/weir/forcemerge/cancel");

    server.setUser("watcher", PASSWORD);
    assertTrue(shard("guarded").has("layers"));
    server.get("/_weir/forcemerge");
    assertDenied("POST", "/_weir/forcemerge/_cancel", "cluster:admin/weir/forcemerge/cancel");

    server.setUser("admin", PASSWORD);
    server.post("/_weir/forcemerge/_cancel", null);
  }

  /**
   * The plug-in writes by a codec of its own, around which is the one that separates keys. Its zip
   * lacks the libraries of its native engines.
   */
  @Test
  void vectors_inAnIndexWithWeir_areFoundAsInOneWithout_andOthersCallsWork() throws Exception {
    install("3.5.0", "opensearch-knn");
    server.start(home);
    assertEquals(
        Map.of("opensearch-knn", "3.5.0.0", "weir", System.getProperty("weir.version")), plugins());
    String vectors =
        ",\"v\":{\"type\":\"knn_vector\",\"dimension\":2,"
            + "\"method\":{\"name\":\"hnsw\",\"engine\":\"lucene\",\"space_type\":\"l2\"}}";
    documents.create("with", WEIR + ",\"index.knn\":true", vectors);
    documents.create("without", "\"index.knn\":true", vectors);
    for (String index : new String[] {"with", "without"}) {
      for (int round = 0; round < 4; round++) {
        index(index, round * 100, 400 + round * 100);
      }
      server.post(
          "/" + index + "/_delete_by_query?refresh=true", "{\"query\":{\"term\":{\"n\":201}}}");
    }
    List<String> nearest = List.of("200", "199", "202", "198", "203");
    assertEquals(nearest, near("with", 200.2));
    assertCapHolds("with");
    server.post("/without/_forcemerge?max_num_segments=1", null);
    assertEquals(nearest, near("with", 200.2));
    assertEquals(nearest, near("without", 200.2));
    assertEquals(near("without", 512.7), near("with", 512.7));
    assertAllLayersAreActive("with");
    assertTrue(shard("with").at("/resident_keys/bytes").asLong() > 0);

    server.put("/_cluster/settings", "{\"transient\":{\"weir.default\":true}}");
    documents.create("defaulted", "\"index.knn\":true", vectors);
    assertTrue(shard("defaulted").has("layers"));
    assertCallsOfIndexManagementWork();
    assertCallsOfSqlWork("with");
    TargetLoad.findNeighbours(
        Files.createDirectory(directory.resolve("run")), server.url().toString(), "of-a-run");
    assertTrue(shard("of-a-run").has("layers"));

    switchTo("with", "null");
    assertFalse(node().get("indices").has("with"));
    index("with", 800, 900);
    assertEquals(nearest, near("with", 200.2));
    switchTo("without", "\"weir\"");
    index("without", 800, 900);
    assertEquals(near("with", 812.7), near("without", 812.7));
    assertFalse(server.output().contains("denied"), server::output);
  }

  /** The steps of its policies; OpenSearchPluginIT has shrink and snapshot. */
  private void assertCallsOfIndexManagementWork() throws IOException {
    server.put(
        "/logs-000001",
        "{\"settings\":{\"number_of_replicas\":0},\"aliases\":{\"logs\":{\"is_write_index\":true}}}");
    server.post("/logs/_doc?refresh=true", "{\"n\":1}");
    JsonNode rolled =
        server.post(
            "/logs/_rollover",
            "{\"conditions\":{\"max_docs\":1},\"settings\":{\"number_of_replicas\":0}}");
    assertTrue(rolled.get("rolled_over").asBoolean(), rolled::toString);
    server.post("/logs/_doc?refresh=true", "{\"n\":2}");

    server.put("/logs-000001/_settings", "{\"index.blocks.write\":true,\"index.priority\":1}");
    server.post("/logs-000001/_forcemerge?max_num_segments=1", null);
    server.put("/logs-000001/_settings", "{\"index.number_of_replicas\":1}");
    server.put("/logs-000001/_settings", "{\"index.number_of_replicas\":0}");
    server.post("/logs-000001/_close", null);
    server.post("/logs-000001/_open", null);
    server.get("/_cluster/health/logs-*?wait_for_status=green&timeout=60s");

    JsonNode indices = node().get("indices");
    assertTrue(indices.has("logs-000001") && indices.has("logs-000002"), indices::toString);
    assertEquals(2, server.get("/logs/_count").get("count").asInt());
    assertEquals(200, server.call("DELETE", "/logs-000001", null).status());
    assertFalse(node().get("indices").has("logs-000001"));
  }

  /** It reads mappings, and pages by a point in time or by composite aggregations. */
  private void assertCallsOfSqlWork(String index) throws IOException {
    server.get("/" + index + "/_mapping");
    String point =
        server
            .post("/" + index + "/_search/point_in_time?keep_alive=1m", null)
            .get("pit_id")
            .asText();
    index(index, 700, 800); // which the point in time does not see
    server.post("/" + index + "/_forcemerge?max_num_segments=1", null);
    JsonNode page =
        server.post(
            "/_search",
            "{\"size\":1000,\"pit\":{\"id\":\"%s\"},\"sort\":[{\"n\":\"asc\"}]}".formatted(point));
    assertEquals(699, page.at("/hits/hits").size(), page::toString);
    assertEquals(
        200,
        server
            .call("DELETE", "/_search/point_in_time", "{\"pit_id\":[\"" + point + "\"]}")
            .status());
    JsonNode groups =
        server.post(
            "/" + index + "/_search?size=0",
            "{\"aggs\":{\"g\":{\"composite\":{\"size\":1000,"
                + "\"sources\":[{\"n\":{\"terms\":{\"field\":\"n\"}}}]}}}}");
    assertEquals(799, groups.at("/aggregations/g/buckets").size());
  }

  /** Documents whose number is their id and their place on a line. */
  private void index(String index, int from, int to) throws IOException {
    StringBuilder bulk = new StringBuilder();
    for (int i = from; i < to; i++) {
      bulk.append("{\"index\":{\"_id\":\"%d\"}}\n{\"n\":%d,\"v\":[%d,0]}\n".formatted(i, i, i));
    }
    JsonNode answer = server.post("/" + index + "/_bulk?refresh=true", bulk.toString());
    assertFalse(answer.get("errors").asBoolean(), answer::toString);
  }

  /** The ids of the nearest vectors, in their order. */
  private List<String> near(String index, double place) throws IOException {
    JsonNode answer =
        server.post(
            "/" + index + "/_search?size=5",
            "{\"query\":{\"knn\":{\"v\":{\"vector\":[%s,0],\"k\":50}}}}".formatted(place));
    return answer.at("/hits/hits").findValuesAsText("_id");
  }

  /** Merges to one segment under a cap, beside refreshes. */
  private void assertCapHolds(String index) throws Exception {
    cap("\"" + CAP + "b\"");
    try {
      long start = System.nanoTime();
      CompletableFuture<Answer> merge =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return server.call("POST", "/" + index + "/_forcemerge?max_num_segments=1", null);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      int refreshes = 0;
      do {
        server.post("/" + index + "/_refresh", null);
        refreshes++;
      } while (!merge.isDone());
      double seconds = (System.nanoTime() - start) / 1e9;

      assertEquals(0, merge.get().body().at("/_shards/failed").asInt(), () -> "" + merge.join());
      assertTrue(refreshes > 0);
      JsonNode forced = shard(index).at("/merges/forced");
      assertEquals(1, forced.get("done").asInt(), forced::toString);
      double allowed = CAP * (seconds + 0.05); // the burst
      assertTrue(forced.get("written_bytes").asLong() <= allowed, () -> forced + " " + allowed);
    } finally {
      cap("null");
    }
  }

  private void cap(String cap) throws IOException {
    server.put(
        "/_cluster/settings", "{\"transient\":{\"weir.merge.max_bytes_per_sec\":" + cap + "}}");
  }

  private void assertAllLayersAreActive(String index) throws IOException {
    JsonNode layers = shard(index).get("layers");
    for (JsonNode layer : layers) {
      assertTrue(layer.get("active").asBoolean(), layer::toString);
    }
    assertEquals(10 - 1, layers.size(), layers::toString); // all but the instrument
  }

  private void switchTo(String index, String type) throws IOException {
    server.post("/" + index + "/_close", null);
    server.put("/" + index + "/_settings", "{\"index.store.type\":" + type + "}");
    server.post("/" + index + "/_open", null);
    server.get("/_cluster/health/" + index + "?wait_for_status=green&timeout=60s");
  }

  /** A role, and a user of the same name who has it. */
  private void role(String name, String permissions) throws IOException {
    String security = "/_plugins/_security/api/";
    server.put(security + "roles/" + name, "{" + permissions + "}");
    server.put(
        security + "internalusers/" + name,
        "{\"password\":\"%s\",\"opendistro_security_roles\":[\"%s\"]}".formatted(PASSWORD, name));
  }

  private void assertDenied(String method, String path, String action) throws IOException {
    Answer answer = server.call(method, path, null);
    assertEquals(403, answer.status(), answer::toString);
    assertTrue(answer.body().toString().contains(action), answer::toString);
  }

  private Map<String, String> plugins() throws IOException {
    return StreamSupport.stream(server.get("/_cat/plugins?format=json").spliterator(), false)
        .collect(
            Collectors.toMap(
                plugin -> plugin.get("component").asText(),
                plugin -> plugin.get("version").asText()));
  }

  private JsonNode node() throws IOException {
    JsonNode nodes = server.get("/_weir/stats").get("nodes");
    assertEquals(1, nodes.size(), nodes::toString);
    return nodes.elements().next();
  }

  private JsonNode shard(String index) throws IOException {
    return node().at("/indices/" + index + "/0");
  }

  private static Map<String, Long> numbers(JsonNode hits) {
    Map<String, Long> numbers = new TreeMap<>();
    for (JsonNode hit : hits.get("hits")) {
      numbers.put(hit.get("_id").asText(), hit.at("/_source/n").asLong());
    }
    return numbers;
  }
}
