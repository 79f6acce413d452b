package io.weir.elasticsearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.suite.Distribution;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Weir beside what Elasticsearch brings itself: its security, indexes of logs and of time series
 * with synthetic ids, and the engine of x-pack for snapshots of sources. What stands in for engines
 * that are not published is in {@link WeirNeighboursTests}.
 */
@Slow("starts Elasticsearch")
@LongRun("other kinds of index, and security; ElasticsearchPluginIT has ordinary ones")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ElasticsearchNeighboursIT {

  private static final int LAST = Integer.MAX_VALUE;
  private static final int HOSTS = 10;
  private static final int CAP = 200 << 10;

  /** What may pass at once, in seconds of the cap. */
  private static final double BURST_SECONDS = 0.05;

  private static final String SETTINGS =
      "\"index.number_of_replicas\": 0, \"index.refresh_interval\": \"-1\","
          + " \"index.merge.policy.segments_per_tier\": 100,"
          + " \"index.merge.policy.floor_segment\": \"1kb\"";

  private static final String SERIES =
      "\"index.mode\": \"time_series\", \"index.routing_path\": [\"host\"],"
          + " \"index.time_series.start_time\": \"2026-01-01T00:00:00Z\","
          + " \"index.time_series.end_time\": \"2026-12-31T00:00:00Z\"";

  private static ElasticsearchServer server;

  /** The value of each host at each time, by index. */
  private static final Map<String, Map<String, Integer>> written = new TreeMap<>();

  @BeforeAll
  static void installAndStart() throws Exception {
    server = ElasticsearchServer.copied();
    server.plugin("install", "--batch", Distribution.plugIn("elasticsearch").toUri().toString());
    server.addUser("admin", "superuser");
    server.addUser("looker", "looks");
    server.addUser("keeper", "manages");
    server.addUser("guest");
    server.addRole("looks", "monitor");
    server.addRole("manages", "manage");
    server.start("weir.default=true");
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.end();
    }
  }

  @Test
  void plugins_ofTheNode_nameWeirAndItsVersion() throws Exception {
    JsonNode plugins = server.get("/_cat/plugins?format=json");

    assertEquals("weir", plugins.at("/0/component").asText(), plugins::toString);
    assertEquals(
        System.getProperty("weir.version"), plugins.at("/0/version").asText(), plugins::toString);
  }

  @Test
  void actions_ofWeir_needThePrivilegesToMonitorAndToManage() throws Exception {
    for (String look : new String[] {"/_weir/stats", "/_weir/forcemerge", "/_weir/metrics"}) {
      assertStatus(200, "admin", "GET", look);
      assertStatus(200, "looker", "GET", look);
      assertStatus(401, null, "GET", look);
      String denied = assertStatus(403, "guest", "GET", look);
      String action = "cluster:monitor" + look.replace("_", "");
      assertTrue(denied.contains("action [" + action + "] is unauthorized for user"), denied);
      assertFalse(denied.contains("\\tat "), denied);
    }
    String cancel = "/_weir/forcemerge/_cancel";
    assertStatus(200, "admin", "POST", cancel);
    assertStatus(200, "keeper", "POST", cancel);
    for (String user : new String[] {"looker", "guest"}) {
      String denied = assertStatus(403, user, "POST", cancel);
      assertTrue(denied.contains("action [cluster:admin/weir/forcemerge/cancel]"), denied);
    }
  }

  private static String assertStatus(int status, String user, String method, String path)
      throws IOException {
    ElasticsearchServer.Answer answer = server.sendAs(Optional.ofNullable(user), method, path, "");
    assertEquals(status, answer.status(), () -> user + ": " + answer.text());
    return answer.text();
  }

  @Test
  void logs_updatedDeletedAndMergedUnderACap_keepTheirDocuments() throws Exception {
    create("logs", "\"index.mode\": \"logsdb\"", "");
    fill("logs", true);

    mergeUnderACap("logs");
  }

  @Test
  void timeSeries_overwrittenDeletedAndMergedUnderACap_keepTheirDocuments() throws Exception {
    create("series", SERIES, "\"time_series_dimension\": true");
    fill("series", false);

    mergeUnderACap("series");
  }

  /** Their ids are no terms: the dictionary that Weir holds in memory is empty. */
  @Test
  void timeSeries_withSyntheticIds_keepTheirDocuments() throws Exception {
    if (createIfKnown(
        "ids", "index.mapping.synthetic_id", SERIES, "\"time_series_dimension\": true")) {
      fill("ids", false);
      mergeUnderACap("ids");
      assertEquals(0, shard("ids").at("/resident_keys/files").asInt());
    }
  }

  @Test
  void ordinaryIndex_withColumnsOfTimeSeries_keepsItsDocuments() throws Exception {
    String standard = "\"index.mode\": \"standard\"";
    if (createIfKnown("columns", "index.use_time_series_doc_values_format", standard, "")) {
      fill("columns", true);
      mergeUnderACap("columns");
    }
  }

  /** Only an older version than that of the build may not know the setting. */
  private static boolean createIfKnown(String index, String setting, String settings, String host)
      throws IOException {
    ElasticsearchServer.Answer made =
        server.send("PUT", "/" + index, index(settings + ", \"" + setting + "\": true", host));
    if (made.text().contains("unknown setting [" + setting + "]")) {
      assertFalse(Distribution.isThatOfTheBuild("elasticsearch"), made.text());
      return false;
    }
    assertEquals(200, made.status(), made::text);
    written.put(index, new TreeMap<>());
    return true;
  }

  /** The engine of x-pack for such an index is there, so Weir leaves it alone. */
  @Test
  void sourceOnlySnapshot_restored_worksWithoutWeir_andTheAnswerSaysWhy() throws Exception {
    create("kept", "\"index.mode\": \"standard\"", "");
    fill("kept", true);
    server.ask(
        "PUT",
        "/_snapshot/sources",
        "{\"type\": \"source\", \"settings\": {\"delegate_type\": \"fs\", \"location\": \""
            + server.snapshots()
            + "\"}}");
    server.ask("PUT", "/_snapshot/sources/one?wait_for_completion=true", "{\"indices\": \"kept\"}");

    JsonNode restored = restore("restored", "");
    assertEquals(1, restored.at("/snapshot/shards/successful").asInt(), restored::toString);
    JsonNode stats = node();
    assertTrue(stats.at("/indices/restored").isMissingNode(), stats::toString);
    assertTrue(
        stats.at("/left_out/restored").asText().contains("the engine of another plug-in"),
        stats::toString);
    assertEquals(
        written.get("kept").size(),
        server
            .get("/restored/_search?size=0&track_total_hits=true")
            .at("/hits/total/value")
            .asInt());

    restore("refused", ", \"index_settings\": {\"index.weir.enabled\": true}");
    String why =
        server
            .ask(
                "GET",
                "/_cluster/allocation/explain",
                "{\"index\": \"refused\", \"shard\": 0, \"primary\": true}")
            .toString();
    assertTrue(why.contains("index.weir.enabled: true does not support the engine"), why);
    server.ask("DELETE", "/refused", "");
  }

  private static JsonNode restore(String index, String more) throws IOException {
    return server.ask(
        "POST",
        "/_snapshot/sources/one/_restore?wait_for_completion=true",
        "{\"rename_pattern\": \"kept\", \"rename_replacement\": \"" + index + "\"" + more + "}");
  }

  @Test
  @Order(LAST)
  void plugin_removed_leavesIndexesThatStockChecksAndMerges() throws Exception {
    server.stop();
    server.plugin("remove", "weir");
    server.start();

    for (Map.Entry<String, Map<String, Integer>> index : written.entrySet()) {
      String name = "/" + index.getKey();
      awaitGreen(name);
      assertEquals(index.getValue(), documents(index.getKey()), name);
      // The engine runs Lucene's CheckIndex, with codecs that work in a server only.
      server.ask("POST", name + "/_close", "");
      server.ask("PUT", name + "/_settings", "{\"index.shard.check_on_startup\": \"true\"}");
      server.ask("POST", name + "/_open", "");
      awaitGreen(name);
      server.ask("POST", name + "/_forcemerge?max_num_segments=1", "");
      assertEquals(index.getValue(), documents(index.getKey()), name);
    }
  }

  private static void awaitGreen(String index) throws IOException {
    JsonNode health = server.get("/_cluster/health" + index + "?wait_for_status=green&timeout=30s");
    assertEquals("green", health.get("status").asText(), health::toString);
  }

  private static void create(String index, String settings, String host) throws IOException {
    server.ask("PUT", "/" + index, index(settings, host));
    written.put(index, new TreeMap<>());
  }

  private static String index(String settings, String host) {
    boolean series = !host.isEmpty();
    return "{\"settings\": {"
        + SETTINGS
        + ", "
        + settings
        + "}, \"mappings\": {\"properties\": {\"@timestamp\": {\"type\": \"date\"},"
        + " \"host\": {\"type\": \"keyword\""
        + (series ? ", " + host : "")
        + "}, \"blob\": {\"type\": \"keyword\"}, \"n\": {\"type\": \"long\""
        + (series ? ", \"time_series_metric\": \"gauge\"" : "")
        + "}}}}";
  }

  /**
   * Adds documents, a refresh for each round. Each round changes and deletes some of before: by id,
   * or, of a time series, by host and time.
   */
  private static void fill(String index, boolean hasIds) throws IOException {
    Random random = new Random(42);
    Map<String, String> ids = new TreeMap<>();
    for (int round = 0; round < 6; round++) {
      StringBuilder bulk = new StringBuilder();
      TreeMap<String, Integer> documents = new TreeMap<>();
      for (int i = 0; i < 600; i++) {
        int at = i < 100 && round > 0 ? (round - 1) * 600 + 100 + i : round * 600 + i;
        String time = "2026-06-01T%02d:%02d:%02d.000Z".formatted(at / 3600, at / 60 % 60, at % 60);
        String host = "host" + at % HOSTS;
        byte[] blob = new byte[150];
        random.nextBytes(blob);
        bulk.append(hasIds ? "{\"index\":{\"_id\":\"%d\"}}\n".formatted(at) : "{\"index\":{}}\n");
        bulk.append(
            "{\"@timestamp\":\"%s\",\"host\":\"%s\",\"n\":%d,\"blob\":\"%s\"}\n"
                .formatted(
                    time, host, round * 10_000 + i, Base64.getEncoder().encodeToString(blob)));
        documents.put(time + " " + host, round * 10_000 + i);
      }
      JsonNode answer = server.ask("POST", "/" + index + "/_bulk?refresh=true", bulk.toString());
      assertFalse(answer.get("errors").asBoolean(), answer::toString);
      written.get(index).putAll(documents);
      delete(index, ids, answer, documents, round);
    }
    assertEquals(written.get(index), documents(index), index);
  }

  /** Deletes some of an earlier round by the ids that it answered with. */
  private static void delete(
      String index,
      Map<String, String> ids,
      JsonNode answer,
      TreeMap<String, Integer> documents,
      int round)
      throws IOException {
    StringBuilder bulk = new StringBuilder();
    for (Map.Entry<String, String> old : ids.entrySet()) {
      if (!documents.containsKey(old.getKey())) {
        bulk.append("{\"delete\":{\"_id\":\"%s\"}}\n".formatted(old.getValue()));
        written.get(index).remove(old.getKey());
      }
    }
    if (!bulk.isEmpty()) {
      JsonNode deleted = server.ask("POST", "/" + index + "/_bulk?refresh=true", bulk.toString());
      deleted
          .get("items")
          .forEach(item -> assertEquals("deleted", item.at("/delete/result").asText()));
    }
    ids.clear();
    int i = 0;
    for (JsonNode item : answer.get("items")) {
      int at = round * 600 + i;
      if (i >= 300 && i < 320) {
        String time = "2026-06-01T%02d:%02d:%02d.000Z".formatted(at / 3600, at / 60 % 60, at % 60);
        ids.put(time + " host" + at % HOSTS, item.at("/index/_id").asText());
      }
      i++;
    }
  }

  /** All documents of an index, from their source, which may be put together from columns. */
  private static Map<String, Integer> documents(String index) throws IOException {
    Map<String, Integer> documents = new TreeMap<>();
    server
        .get("/" + index + "/_search?size=10000")
        .at("/hits/hits")
        .forEach(
            hit ->
                documents.put(
                    hit.at("/_source/@timestamp").asText() + " " + hit.at("/_source/host").asText(),
                    hit.at("/_source/n").asInt()));
    return documents;
  }

  /** Beside the merge a refresh finds what is added. */
  private static void mergeUnderACap(String index) throws IOException {
    setCap("\"" + CAP + "b\"");
    try {
      server.ask(
          "POST", "/" + index + "/_forcemerge?max_num_segments=1&wait_for_completion=false", "");
      await(() -> shard(index).at("/merges/running/0/written_bytes").asLong() > 0);
      long startNanos = System.nanoTime();
      long before = node().at("/merge/charged_bytes").asLong();
      server.ask(
          "POST",
          "/" + index + "/_doc?refresh=true",
          "{\"@timestamp\":\"2026-07-01T00:00:00.000Z\",\"host\":\"late\",\"n\":7,\"blob\":\"\"}");
      written.get(index).put("2026-07-01T00:00:00.000Z late", 7);
      assertEquals(written.get(index), documents(index), index);
      await(
          () -> {
            long now = node().at("/merge/charged_bytes").asLong();
            return now - before > CAP / 2;
          });
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      long charged = node().at("/merge/charged_bytes").asLong() - before;
      double spent = (System.nanoTime() - startNanos) / 1e9;
      assertTrue(
          charged <= CAP * (spent + BURST_SECONDS), () -> charged + " bytes in " + seconds + " s");
    } finally {
      setCap("null");
    }
    await(() -> shard(index).at("/merges/forced/done").asInt() == 1);
    server.ask("POST", "/" + index + "/_forcemerge?max_num_segments=1", "");
    assertEquals(written.get(index), documents(index), index);
    JsonNode shard = shard(index);
    assertEquals(0, shard.at("/merges/forced/failed").asInt(), shard::toString);
    for (JsonNode layer : shard.get("layers")) {
      boolean older = layer.get("layer").asText().equals("small_files");
      assertTrue(older || layer.get("active").asBoolean(), shard::toString);
    }
  }

  private static void setCap(String cap) throws IOException {
    server.ask(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\": {\"weir.merge.max_bytes_per_sec\": " + cap + "}}");
  }

  private static JsonNode node() {
    try {
      return server.get("/_weir/stats").get("nodes").elements().next();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode shard(String index) {
    return node().at("/indices/" + index + "/0");
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "waited 30 s in vain");
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
