package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.opensearch.OpenSearchServer.Answer;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged plug-in in a real OpenSearch. All tests share one server; the last one removes the
 * plug-in and starts the server again.
 */
@Slow("starts OpenSearch twice")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OpenSearchPluginIT {

  private static final String WEIR = "\"index.store.type\":\"weir\"";
  private static final int METRICS_PORT = OpenSearchServer.freePort();

  /** A feature that Weir does not support; the engine knows the setting only with this. */
  private static final String CONTEXT_AWARE =
      "opensearch.experimental.feature.context_aware.migration.enabled";

  private OpenSearchServer server;
  private final Map<String, Map<String, Long>> expected = new TreeMap<>(); // index, id, number

  @BeforeAll
  void install(@TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER) Path directory)
      throws Exception {
    server = OpenSearchServer.copiedTo(directory);
    server.plugin("install", "--batch", "file://" + zip());
    server.start(
        "weir.metrics.port=" + METRICS_PORT,
        "weir.slow_refresh.threshold=1ms",
        CONTEXT_AWARE + "=true");
  }

  @AfterAll
  void end() throws Exception {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void install_ofTheZip_loadsThePlugin() throws Exception {
    JsonNode plugins = server.get("/_cat/plugins?format=json");

    assertEquals("weir", plugins.get(0).get("component").asText());
    assertEquals(System.getProperty("weir.version"), plugins.get(0).get("version").asText());
  }

  @Test
  void documents_ofAnIndexWithWeir_areThoseOfOneWithout() throws Exception {
    create("with", WEIR, "");
    create("without", "\"index.number_of_routing_shards\":2", "");
    for (String index : new String[] {"with", "without"}) {
      change(index, new Random(3));
      server.post("/" + index + "/_forcemerge?max_num_segments=1", null);
      change(index, new Random(4));
    }

    assertEquals(expected.get("with"), documents("with"));
    assertEquals(documents("without"), documents("with"));
    assertEquals(
        1,
        server
            .post("/with/_search", "{\"query\":{\"ids\":{\"values\":[\"7\"]}}}")
            .at("/hits/total/value")
            .asInt());
  }

  @Test
  void stats_ofAnIndex_nameAllLayersAsActive() throws Exception {
    create("layers", WEIR, "");
    change("layers", new Random(5));

    JsonNode shard = shard("layers");

    for (JsonNode layer : shard.get("layers")) {
      assertTrue(layer.get("active").asBoolean(), layer::toString);
    }
    assertEquals(8 - 1, shard.get("layers").size(), shard::toString); // all but the instrument
    assertTrue(shard.at("/refresh/external/recent/p99_millis").asDouble() > 0, shard::toString);
    assertTrue(shard.at("/slow_refreshes/count").asInt() > 0, shard::toString);
    assertTrue(node().at("/readers_first/active").asBoolean(), () -> "" + safeNode());
    assertFalse(server.output().contains("denied"), server::output);
  }

  @Test
  void stats_ofSomeIndexes_haveThoseOnly() throws Exception {
    create("one", WEIR, "");
    create("other", WEIR, "");

    JsonNode indices = only(server.get("/on*/_weir/stats").get("nodes")).get("indices");

    assertEquals(1, indices.size(), indices::toString);
    assertEquals(404, server.call("GET", "/nope/_weir/stats", null).status());
    assertRefused(server.call("GET", "/_weir/stats?colour=red", null), "colour");
  }

  @Test
  void cap_overAForcedMerge_isKept() throws Exception {
    create("capped", WEIR, "");
    fill("capped", 12, 1 << 20);
    long before = node().at("/merge/charged_bytes").asLong();
    cap("2mb");
    try {
      long start = System.nanoTime();
      server.post("/capped/_forcemerge?max_num_segments=1", null);
      double seconds = (System.nanoTime() - start) / 1e9;
      long charged = node().at("/merge/charged_bytes").asLong() - before;

      double burst = 2 * 1024 * 1024 * 0.05;
      assertTrue(charged > 8 << 20, () -> charged + " bytes");
      assertTrue(charged <= 2 * 1024 * 1024 * seconds + burst, charged + " in " + seconds);
      assertEquals(1, (charged - burst) / seconds / (2 * 1024 * 1024), 0.1);
      JsonNode forced = shard("capped").at("/merges/forced");
      assertEquals(charged, forced.get("written_bytes").asLong(), forced::toString);
      assertEquals(1, forced.get("done").asInt(), forced::toString);
    } finally {
      cap("-1");
    }
  }

  @Test
  void cap_changedDuringAForcedMerge_actsAtOnce() throws Exception {
    create("live", WEIR, "");
    fill("live", 6, 1 << 20);
    cap("1kb");
    CompletableFuture<JsonNode> merge = forceMerge("live");
    try {
      JsonNode progress = progress("live");
      assertEquals(1, progress.get("merges").asInt(), progress::toString);
      assertTrue(progress.get("estimated_bytes").asLong() > 4 << 20, progress::toString);
    } finally {
      cap("-1");
    }
    merge.get(60, TimeUnit.SECONDS);

    assertEquals(1, segments("live"));
  }

  @Test
  void cancel_ofAForcedMerge_endsItAndKeepsTheIndex() throws Exception {
    create("cancelled", WEIR, "");
    fill("cancelled", 6, 1 << 20);
    cap("1kb");
    try {
      CompletableFuture<JsonNode> merge = forceMerge("cancelled");
      progress("cancelled");

      JsonNode answer = server.post("/cancelled/_weir/forcemerge/_cancel", null);
      merge.handle((result, failure) -> null).get(30, TimeUnit.SECONDS);

      assertEquals(
          1,
          only(answer.get("nodes")).at("/indices/cancelled/0/cancelled").asInt(),
          answer::toString);
    } finally {
      cap("-1");
    }
    assertEquals(
        "green",
        server.get("/_cluster/health/cancelled?wait_for_status=green").get("status").asText());
    change("cancelled", new Random(6));
    assertEquals(expected.get("cancelled"), documents("cancelled"));
    assertTrue(shard("cancelled").at("/merges/forced/aborted").asInt() >= 1);
    assertTrue(segments("cancelled") > 1);
  }

  @Test
  void close_whileAForcedMergeIsPaced_isQuick() throws Exception {
    create("closed", WEIR, "");
    fill("closed", 6, 1 << 20);
    cap("1kb");
    try {
      CompletableFuture<JsonNode> merge = forceMerge("closed");
      progress("closed");

      long start = System.nanoTime();
      server.post("/closed/_close", null);

      assertTrue(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start) < 10);
      merge.handle((result, failure) -> null).get(30, TimeUnit.SECONDS);
    } finally {
      cap("-1");
    }
    server.post("/closed/_open?wait_for_active_shards=1", null);
    assertEquals(expected.get("closed"), documents("closed"));
  }

  @Test
  void cap_ofZero_isRefusedByName() throws Exception {
    assertRefused(
        server.call(
            "PUT",
            "/_cluster/settings",
            "{\"transient\":{\"weir.merge.max_bytes_per_sec\":\"0b\"}}"),
        "weir.merge.max_bytes_per_sec must be at least 1 byte");
    assertRefused(
        server.call("PUT", "/heavy", "{\"settings\":{" + WEIR + ",\"index.weir.merge.weight\":0}}"),
        "index.weir.merge.weight");
  }

  @Test
  void weight_ofAnIndex_canBeChanged() throws Exception {
    create("weighty", WEIR + ",\"index.weir.merge.weight\":2", "");

    server.put("/weighty/_settings", "{\"index.weir.merge.weight\":5}");
    change("weighty", new Random(7));

    assertEquals(expected.get("weighty"), documents("weighty"));
  }

  @Test
  void storeType_switchedOnAndOff_keepsTheDocuments() throws Exception {
    create("switched", "\"index.store.type\":\"fs\"", "");
    change("switched", new Random(8));
    switchTo("switched", "\"weir\"");
    assertTrue(shard("switched").has("layers"));
    change("switched", new Random(9));
    server.post("/switched/_forcemerge?max_num_segments=1", null);
    assertEquals(expected.get("switched"), documents("switched"));

    switchTo("switched", "null");

    assertTrue(
        only(server.get("/_weir/stats").get("nodes")).at("/indices/switched").isMissingNode());
    change("switched", new Random(10));
    assertEquals(expected.get("switched"), documents("switched"));
  }

  @Test
  void weirDefault_ofTheCluster_isTheTypeOfNewIndexes() throws Exception {
    server.put("/_cluster/settings", "{\"transient\":{\"weir.default\":true}}");
    try {
      server.put("/defaulted", "{\"settings\":{\"number_of_replicas\":0}}");
      server.put(
          "/chosen", "{\"settings\":{\"number_of_replicas\":0,\"index.store.type\":\"niofs\"}}");
    } finally {
      server.put("/_cluster/settings", "{\"transient\":{\"weir.default\":null}}");
    }

    JsonNode indices = node().get("indices");
    assertTrue(indices.has("defaulted"), indices::toString);
    assertFalse(indices.has("chosen"), indices::toString);
  }

  @Test
  void sortedIndexWithNestedDocuments_works() throws Exception {
    create("sorted", WEIR + ",\"index.sort.field\":\"n\",\"index.sort.order\":\"desc\"", "");
    create("nested", WEIR, ",\"parts\":{\"type\":\"nested\"}");
    for (String index : new String[] {"sorted", "nested"}) {
      change(index, new Random(11));
      server.post("/" + index + "/_forcemerge?max_num_segments=1", null);
      change(index, new Random(12));
      assertEquals(expected.get(index), documents(index));
    }
    assertTrue(
        server
                .post(
                    "/nested/_count",
                    "{\"query\":{\"nested\":{\"path\":\"parts\",\"query\":{\"match_all\":{}}}}}")
                .get("count")
                .asInt()
            > 0);
  }

  @Test
  void shrinkSplitAndClone_keepTheDocuments() throws Exception {
    create("two", WEIR + ",\"index.number_of_shards\":2,\"index.number_of_routing_shards\":8", "");
    change("two", new Random(13));
    server.put("/two/_settings", "{\"index.blocks.write\":true}");
    for (String[] change :
        new String[][] {
          {"_shrink", "shrunk", "1"}, {"_split", "split", "4"}, {"_clone", "cloned", "2"}
        }) {
      server.put(
          "/two/" + change[0] + "/" + change[1],
          "{\"settings\":{\"index.number_of_replicas\":0,\"index.blocks.write\":null,"
              + "\"index.number_of_shards\":"
              + change[2]
              + "}}");
      server.get("/_cluster/health/" + change[1] + "?wait_for_status=green&timeout=60s");
      assertEquals(expected.get("two"), documents(change[1]));
      assertTrue(node().at("/indices/" + change[1]).size() > 0);
      server.post("/" + change[1] + "/_forcemerge?max_num_segments=1", null);
      assertEquals(expected.get("two"), documents(change[1]));
    }
  }

  @Test
  void snapshot_restored_hasTheDocuments() throws Exception {
    create("kept", WEIR, "");
    change("kept", new Random(14));
    server.put(
        "/_snapshot/r",
        "{\"type\":\"fs\",\"settings\":{\"location\":\""
            + server.directory().resolve("repository")
            + "\"}}");
    server.put("/_snapshot/r/s?wait_for_completion=true", "{\"indices\":\"kept\"}");

    server.post(
        "/_snapshot/r/s/_restore?wait_for_completion=true",
        "{\"rename_pattern\":\"kept\",\"rename_replacement\":\"restored\"}");
    server.post(
        "/_snapshot/r/s/_restore?wait_for_completion=true",
        "{\"rename_pattern\":\"kept\",\"rename_replacement\":\"plain\","
            + "\"index_settings\":{\"index.store.type\":\"fs\"}}");

    assertEquals(expected.get("kept"), documents("restored"));
    assertEquals(expected.get("kept"), documents("plain"));
    JsonNode indices = node().get("indices");
    assertTrue(indices.has("restored") && !indices.has("plain"), indices::toString);
  }

  @Test
  void readOnlyIndex_canBeSearchedAndMerged() throws Exception {
    create("readonly", WEIR, "");
    change("readonly", new Random(15));
    server.put("/readonly/_settings", "{\"index.blocks.write\":true}");

    server.post("/readonly/_forcemerge?max_num_segments=1", null);

    assertEquals(expected.get("readonly"), documents("readonly"));
    assertEquals(1, segments("readonly"));
  }

  @Test
  void unsupportedIndex_isRefusedWithTheReason() throws Exception {
    String contextAware = "\"index.context_aware.enabled\":true";
    assertRefused(
        server.call("PUT", "/aware", "{\"settings\":{" + WEIR + "," + contextAware + "}}"),
        "index.store.type: weir does not support context-aware segments");
    create("later", contextAware, "");
    server.post("/later/_close", null);
    assertRefused(
        server.call("PUT", "/later/_settings", "{" + WEIR + "}"),
        "index.store.type: weir does not support context-aware segments");
    server.call("DELETE", "/later", null);
  }

  @Test
  void exporter_onItsPort_hasTheMetersOfEachShard() throws Exception {
    create("metered", WEIR, "");
    change("metered", new Random(16));

    String metrics = server.text(METRICS_PORT, "/metrics");

    for (String meter :
        new String[] {
          "lucene_refresh_seconds_count{index=\"metered\"",
          "lucene_merge_written_bytes_total{index=\"metered\"",
          "lucene_merge_rate_limit_bytes_per_second{budget=\"node\"} +Inf",
          "system_memory_linux_dirty_bytes"
        }) {
      assertTrue(metrics.contains(meter), () -> meter + " in " + metrics);
    }
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void removal_afterSwitchingBack_leavesIndexesThatStockOpens() throws Exception {
    create("left", WEIR, "");
    change("left", new Random(17));
    server.post("/left/_forcemerge?max_num_segments=1", null);
    change("left", new Random(18));
    String all =
        String.join(
            ",", node().get("indices").properties().stream().map(Map.Entry::getKey).toList());
    server.put("/" + all + "/_settings", "{\"index.blocks.write\":null}");
    switchTo(all, "null");
    server.put("/" + all + "/_settings", "{\"index.weir.merge.weight\":null}");
    server.stop();
    server.plugin("remove", "weir");

    server.start();

    assertEquals(0, server.get("/_cat/plugins?format=json").size());
    assertEquals(
        "green",
        server.get("/_cluster/health?wait_for_status=green&timeout=60s").get("status").asText());
    assertEquals(expected.get("left"), documents("left"));
    change("left", new Random(19));
    assertEquals(expected.get("left"), documents("left"));
  }

  private void create(String index, String settings, String properties) throws IOException {
    server.put(
        "/" + index,
        """
        {"settings": {"index.number_of_replicas": 0, "index.refresh_interval": "-1", %s},
         "mappings": {"properties": {"n": {"type": "long"}, "text": {"type": "text"} %s}}}
        """
            .formatted(settings, properties));
    expected.put(index, new TreeMap<>());
  }

  /** Indexes, updates and deletes documents, with refreshes in between. */
  private void change(String index, Random random) throws IOException {
    Map<String, Long> now = expected.get(index);
    for (int round = 0; round < 5; round++) {
      StringBuilder bulk = new StringBuilder();
      for (int i = 0; i < 100; i++) {
        String id = Integer.toString(random.nextInt(300));
        if (random.nextInt(5) == 0 && !id.equals("7")) {
          bulk.append("{\"delete\":{\"_id\":\"%s\"}}\n".formatted(id));
          now.remove(id);
        } else {
          long number = random.nextInt(1 << 30);
          bulk.append("{\"index\":{\"_id\":\"%s\"}}\n".formatted(id))
              .append(
                  "{\"n\":%d,\"text\":\"a word\",\"parts\":[{\"p\":1},{\"p\":2}]}\n"
                      .formatted(number));
          now.put(id, number);
        }
      }
      long number = random.nextInt(1 << 30);
      bulk.append("{\"index\":{\"_id\":\"7\"}}\n{\"n\":%d,\"parts\":[]}\n".formatted(number));
      now.put("7", number);
      bulk(index, bulk.toString());
    }
  }

  /** Adds segments of incompressible text. */
  private void fill(String index, int segments, int bytes) throws IOException {
    Random random = new Random(1);
    int id = 1000;
    for (int i = 0; i < segments; i++) {
      StringBuilder bulk = new StringBuilder();
      while (bulk.length() < bytes) {
        byte[] noise = new byte[3000];
        random.nextBytes(noise);
        long number = random.nextInt(1 << 30);
        bulk.append("{\"index\":{\"_id\":\"%d\"}}\n".formatted(id))
            .append(
                "{\"n\":%d,\"blob\":\"%s\"}\n"
                    .formatted(number, java.util.HexFormat.of().formatHex(noise)));
        expected.get(index).put(Integer.toString(id++), number);
      }
      bulk(index, bulk.toString());
    }
  }

  private void bulk(String index, String lines) throws IOException {
    JsonNode answer = server.post("/" + index + "/_bulk?refresh=true", lines);
    for (JsonNode item : answer.get("items")) {
      int status = only(item).get("status").asInt();
      assertTrue(status < 300 || status == 404, item::toString); // 404: nothing to delete
    }
  }

  /** The numbers of all documents by id, read by search and by id. */
  private Map<String, Long> documents(String index) throws IOException {
    server.post("/" + index + "/_refresh", null);
    JsonNode hits =
        server.post(
            "/" + index + "/_search",
            "{\"size\":10000,\"query\":{\"match_all\":{}},\"_source\":[\"n\"],\"track_total_hits\":true}");
    Map<String, Long> found = new TreeMap<>();
    for (JsonNode hit : hits.at("/hits/hits")) {
      found.put(hit.get("_id").asText(), hit.at("/_source/n").asLong());
    }
    assertEquals(hits.at("/hits/total/value").asInt(), found.size());
    for (String id : new String[] {"7", "1000"}) {
      if (found.containsKey(id)) {
        assertEquals(
            found.get(id), server.get("/" + index + "/_doc/" + id).at("/_source/n").asLong());
      }
    }
    return found;
  }

  private void switchTo(String indexes, String type) throws IOException {
    server.post("/" + indexes + "/_close", null);
    server.put("/" + indexes + "/_settings", "{\"index.store.type\":" + type + "}");
    server.post("/" + indexes + "/_open", null);
    JsonNode health =
        server.get("/_cluster/health/" + indexes + "?wait_for_status=green&timeout=60s");
    assertEquals("green", health.get("status").asText(), server::output);
  }

  private void cap(String cap) throws IOException {
    server.put(
        "/_cluster/settings", "{\"transient\":{\"weir.merge.max_bytes_per_sec\":\"" + cap + "\"}}");
  }

  private CompletableFuture<JsonNode> forceMerge(String index) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return server
                .call("POST", "/" + index + "/_forcemerge?max_num_segments=1", null)
                .body();
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        });
  }

  /** The progress of the forced merge, once it runs. */
  private JsonNode progress(String index) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      JsonNode progress =
          only(server.get("/" + index + "/_weir/forcemerge").get("nodes"))
              .at("/indices/" + index + "/0");
      if (!progress.isMissingNode() && progress.has("estimated_bytes")) {
        return progress;
      }
      assertTrue(System.nanoTime() < end, "no forced merge runs");
    }
  }

  private int segments(String index) throws IOException {
    server.post("/" + index + "/_refresh", null);
    return server
        .get("/" + index + "/_segments")
        .at("/indices/" + index + "/shards/0/0/segments")
        .size();
  }

  private JsonNode node() throws IOException {
    return only(server.get("/_weir/stats").get("nodes"));
  }

  private Object safeNode() {
    try {
      return node();
    } catch (IOException e) {
      return e;
    }
  }

  private JsonNode shard(String index) throws IOException {
    return node().at("/indices/" + index + "/0");
  }

  private static JsonNode only(JsonNode object) {
    assertEquals(1, ((ObjectNode) object).size(), object::toString);
    return object.elements().next();
  }

  private static void assertRefused(Answer answer, String reason) {
    assertEquals(400, answer.status(), answer::toString);
    assertTrue(answer.body().toString().contains(reason), answer::toString);
  }

  private static Path zip() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("weir-opensearch-"))
          .filter(file -> file.toString().endsWith(".zip"))
          .findFirst()
          .orElseThrow()
          .toAbsolutePath();
    }
  }
}
