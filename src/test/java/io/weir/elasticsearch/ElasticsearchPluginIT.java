package io.weir.elasticsearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.TargetLoad;
import io.weir.cli.TargetWhy;
import io.weir.suite.ColdFiles;
import io.weir.suite.Distribution;
import io.weir.suite.IdleThreads;
import io.weir.suite.Slow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plug-in from its zip, in a real Elasticsearch, until it is removed again. */
@Slow("starts Elasticsearch")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ElasticsearchPluginIT {

  private static final int LAST = Integer.MAX_VALUE;
  private static final String WEIR = "\"index.weir.enabled\": true";

  /** What may pass at once, in seconds of the cap. */
  private static final double BURST_SECONDS = 0.05;

  /** Each refresh leaves a segment, and no merge begins by itself. */
  private static final String MANY_SEGMENTS =
      "\"index.refresh_interval\": \"-1\", \"index.merge.policy.segments_per_tier\": 100,"
          + " \"index.merge.policy.floor_segment\": \"1kb\"";

  private static ElasticsearchServer server;

  /** What the tests wrote under Weir, to be found again without it. */
  private static final Map<String, Map<String, Integer>> written = new TreeMap<>();

  @BeforeAll
  static void installAndStart() throws Exception {
    server = ElasticsearchServer.copied();
    server.plugin("install", "--batch", Distribution.plugIn("elasticsearch").toUri().toString());
    server.start(
        "weir.default=true",
        "weir.slow_refresh.threshold=1ms",
        "thread_pool.force_merge.size=2"); // so that two indexes share the cap
  }

  @AfterAll
  static void stop() throws Exception {
    if (server != null) {
      server.end();
    }
  }

  @Test
  void index_updatedDeletedAndMerged_hasItsDocumentsAndFigures() throws Exception {
    create("docs", WEIR, MANY_SEGMENTS);
    fill("docs", 600);

    server.ask("POST", "/docs/_forcemerge?max_num_segments=1", "");

    assertEquals(written.get("docs"), documents("docs"));
    JsonNode shard = shard("docs");
    assertEquals(1, shard.at("/merges/forced/done").asInt(), shard::toString);
    assertTrue(shard.at("/merges/forced/written_bytes").asLong() > 10_000, shard::toString);
    assertEquals(0, shard.at("/merges/forced/failed").asInt(), shard::toString);
    assertTrue(shard.at("/refresh/external/recent/p99_millis").asDouble() > 0, shard::toString);
    double visible = shard.at("/refresh/external/max_visible_millis").asDouble();
    assertTrue(visible > 0 && visible < 600_000, shard::toString);
    assertTrue(shard.at("/refresh/internal/changed").asLong() >= 6, shard::toString);
    assertTrue(shard.at("/slow_refreshes/count").asLong() > 0, shard::toString);
  }

  @Test
  void cluster_askedByWeirWhy_answersWithItsVersion(@TempDir Path temp) throws Exception {
    assertEquals(
        server.get("/_nodes").findValue("version").asText(),
        TargetWhy.version(temp, server.url().toString(), "elasticsearch"));
  }

  @Test
  void index_searchedByWeirLoad_isOnlyRead(@TempDir Path temp) throws Exception {
    create("searched", WEIR, MANY_SEGMENTS);
    fill("searched", 200);

    long answered =
        TargetLoad.search(
            temp, server.url() + "/searched/_search?size=1", "number", "text:\"the number\"");

    JsonNode total = server.get("/searched/_stats/search").at("/_all/total/search");
    assertTrue(total.get("query_total").asLong() >= answered, total::toString);
    assertEquals(written.get("searched"), documents("searched"));
  }

  @Test
  void index_ofWeirStressInACluster_hasVectorsThatAreFound(@TempDir Path temp) throws Exception {
    TargetLoad.findNeighbours(temp, server.url().toString(), "neighbours");

    server.ask("DELETE", "/neighbours", "");
  }

  @Test
  void layers_ofAnIndex_areActiveDespiteEntitlements() throws Exception {
    create("layers", MANY_SEGMENTS);
    fill("layers", 1000);
    server.ask("POST", "/layers/_forcemerge?max_num_segments=1", "");

    Map<String, Boolean> active = new TreeMap<>();
    JsonNode layers = shard("layers").get("layers");
    layers.forEach(
        layer -> active.put(layer.get("layer").asText(), layer.get("active").asBoolean()));

    assertEquals(
        Map.of(
            "small_files", true,
            "deferred_unmap", true,
            "merge_reads", true,
            "writeback", true,
            "flushed_files", true,
            "deferred_sync", true,
            "rate_limit", true,
            "resident_keys", true,
            "prefetch", true),
        active,
        layers::toString);
    assertTrue(
        layers.toString().contains("leave readers what they have in the page cache"),
        layers::toString);
    JsonNode readers = node().get("readers_first");
    assertTrue(readers.get("active").asBoolean(), readers::toString);
    assertFalse(server.logText().contains("NotEntitledException"), server::logText);
  }

  /**
   * Elasticsearch asks a Bloom filter before the dictionary: three files of each segment. Compound
   * or not.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void keys_areHeldWithTheirFilters(boolean compound) throws Exception {
    String index = compound ? "keys-compound" : "keys";
    create(index, WEIR, MANY_SEGMENTS, "\"index.compound_format\": " + compound);
    fill(index, 200);
    awaitHeld(index);

    server.ask("POST", "/" + index + "/_forcemerge?max_num_segments=1", "");
    fill(index, 1); // an update, which looks its id up
    awaitHeld(index);

    assertEquals(written.get(index), documents(index));
  }

  private static void awaitHeld(String index) throws IOException {
    server.ask("POST", "/" + index + "/_refresh", "");
    int segments =
        server.get("/" + index + "/_stats/segments").at("/_all/total/segments/count").asInt();
    assertTrue(segments > 0, index);
    await(() -> shards(index).at("/0/resident_keys/files").asInt() == 3 * segments);
    assertEquals(0, shards(index).at("/0/resident_keys/faults").asInt());
  }

  @Test
  void index_closedSetAndOpened_getsWeirAndLosesItAgain() throws Exception {
    create("switched", "\"index.weir.enabled\": false", MANY_SEGMENTS);
    fill("switched", 200);
    assertTrue(shards("switched").isEmpty());

    reopenWith("switched", "{\"index.weir.enabled\": true}");
    fill("switched", 300);
    server.ask("POST", "/switched/_forcemerge?max_num_segments=1", "");
    assertEquals(1, shard("switched").at("/merges/forced/done").asInt());
    assertEquals(written.get("switched"), documents("switched"));

    reopenWith("switched", "{\"index.weir.enabled\": false}");
    assertTrue(shards("switched").isEmpty());
    assertEquals(written.get("switched"), documents("switched"));
    reopenWith("switched", "{\"index.weir.enabled\": true}");
  }

  @Test
  void countReads_turnedOnLive_chargesWhatAForcedMergeReads() throws Exception {
    create("counted", WEIR, MANY_SEGMENTS);
    blobs("counted", 6, 2 << 20);
    server.ask("POST", "/counted/_flush", "");
    String uuid = server.get("/counted/_settings").at("/counted/settings/index/uuid").asText();
    long bytes =
        ColdFiles.drop(server.data().resolve("indices").resolve(uuid).resolve("0/index"), 0.25);
    setCountReads("true");
    try {
      long before = chargedBytes();

      server.ask("POST", "/counted/_forcemerge?max_num_segments=1", "");

      assertTrue(node().at("/merge/count_reads").asBoolean());
      long written = shard("counted").at("/merges/forced/written_bytes").asLong();
      long read = chargedBytes() - before - written;
      assertTrue(written > bytes / 2, () -> written + " of " + bytes);
      assertTrue(read > bytes / 2, () -> read + " of " + bytes);
    } finally {
      setCountReads("null");
    }
    assertFalse(node().at("/merge/count_reads").asBoolean());
    assertEquals(written.get("counted"), documents("counted"));
  }

  /** The class is the process's affair, so the kernel is asked. */
  @Test
  void idleClass_turnedOnLive_isEnteredByAMergeAndLeftAgain() throws Exception {
    create("idle", WEIR, MANY_SEGMENTS);
    blobs("idle", 6, 1 << 20);
    setIdleClass("true");
    setCap("\"1kb\"");
    try {
      server.ask("POST", "/idle/_forcemerge?max_num_segments=1&wait_for_completion=false", "");
      await(() -> !node().at("/idle_class/reason").asText().contains("no merge has asked for it"));
      JsonNode idle = node().get("idle_class");
      if (idle.get("reason").asText().contains("need Java 22")) {
        assertFalse(idle.get("active").asBoolean(), idle::toString);
      } else if (IdleThreads.isGiven()) {
        assertTrue(idle.get("active").asBoolean(), idle::toString);
        await(() -> IdleThreads.count(server.process()) > 0);
      } else {
        assertTrue(idle.get("reason").asText().contains("LimitNICE"), idle::toString);
      }
      setCap("null");
      await(() -> shards("idle").at("/0/merges/forced/done").asInt() == 1);
      await(() -> IdleThreads.count(server.process()) == 0);
    } finally {
      setCap("null");
      setIdleClass("null");
    }
    assertEquals("weir.merge.idle_class is false", node().at("/idle_class/reason").asText());
    assertFalse(server.logText().contains("NotEntitledException"), server::logText);
    assertEquals(written.get("idle"), documents("idle"));
  }

  /** The plug-in reads the processor time of merges with the entitlements of the server. */
  @Test
  void mergeCpu_setLive_holdsAForcedMerge_andAWrongOneIsRefused() throws Exception {
    create("cpu", WEIR, MANY_SEGMENTS);
    blobs("cpu", 6, 1 << 20);
    setMergeCpu("0.01");
    try {
      server.ask("POST", "/cpu/_forcemerge?max_num_segments=1&wait_for_completion=false", "");
      await(() -> node().at("/processors/wait_millis").asLong() > 0);
      assertEquals(0.01, node().at("/processors/max_cores").asDouble());
      refused(
          "PUT",
          "/_cluster/settings",
          "{\"persistent\": {\"weir.merge.cpu\": 0}}",
          "weir.merge.cpu must be a number of cores from 0.01 to 16384, such as 1.5, or -1");
      setMergeCpu("-1");
      await(() -> shards("cpu").at("/0/merges/forced/done").asInt() == 1);
    } finally {
      setMergeCpu("null");
    }
    assertTrue(node().at("/processors/max_cores").isMissingNode());
    assertFalse(server.logText().contains("NotEntitledException"), server::logText);
    assertEquals(written.get("cpu"), documents("cpu"));
  }

  private static void setMergeCpu(String value) throws IOException {
    server.ask(
        "PUT", "/_cluster/settings", "{\"persistent\": {\"weir.merge.cpu\": " + value + "}}");
  }

  private static void setIdleClass(String value) throws IOException {
    server.ask(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\": {\"weir.merge.idle_class\": " + value + "}}");
  }

  private static void setCountReads(String value) throws IOException {
    server.ask(
        "PUT",
        "/_cluster/settings",
        "{\"persistent\": {\"weir.merge.count_reads\": " + value + "}}");
  }

  @Test
  void schedule_changedLive_isTheCapInItsHours() throws Exception {
    setSchedule("\"00:00-24:00 10mb\"");
    try {
      assertEquals(10 << 20, node().at("/merge/max_bytes_per_sec").asLong());
      assertEquals("00:00-24:00 10mb", node().at("/merge/schedule").asText());
    } finally {
      setSchedule("null");
    }
    assertEquals(-1, node().at("/merge/max_bytes_per_sec").asLong());
    assertEquals("", node().at("/merge/schedule").asText());
  }

  private static void setSchedule(String value) throws IOException {
    server.ask(
        "PUT", "/_cluster/settings", "{\"persistent\": {\"weir.merge.schedule\": " + value + "}}");
  }

  @Test
  void cap_changedLiveDuringAForcedMerge_isHeld_andTheMergeIsCancelled() throws Exception {
    create("capped", WEIR, MANY_SEGMENTS);
    blobs("capped", 10, 5 << 20);
    setCap("\"2mb\"");
    try {
      server.ask("POST", "/capped/_forcemerge?max_num_segments=1&wait_for_completion=false", "");
      await(() -> forcedMerge("capped").has("done_bytes"));

      assertCharged(2 << 20);
      server.ask("POST", "/capped/_refresh", "");
      setCap("\"5mb\"");
      assertCharged(5 << 20);

      JsonNode progress = forcedMerge("capped");
      assertTrue(progress.get("done_percent").asDouble() > 0, progress::toString);
      assertTrue(progress.get("remaining_seconds").asLong() > 0, progress::toString);
      JsonNode cancelled = server.ask("POST", "/capped/_weir/forcemerge/_cancel", "");
      assertEquals(1, first(cancelled, "capped").get("cancelled").asInt(), cancelled::toString);
      await(
          () ->
              shards("capped").at("/0/merges/forced/aborted").asInt() == 1); // its thread has ended
      assertTrue(forcedMerge("capped").isMissingNode());
    } finally {
      setCap("null");
    }

    assertEquals(1, shard("capped").at("/merges/forced/aborted").asInt());
    assertEquals("green", server.get("/_cluster/health/capped").get("status").asText());
    assertEquals(written.get("capped"), documents("capped"));
    server.ask("POST", "/capped/_forcemerge?max_num_segments=1", "");
    assertEquals(written.get("capped"), documents("capped"));
  }

  @Test
  void weight_changedDuringForcedMerges_isTheShareOfTheCap() throws Exception {
    for (String index : new String[] {"light", "heavy"}) {
      create(index, WEIR, MANY_SEGMENTS);
      blobs(index, 4, 2 << 20);
    }
    setCap("\"1mb\"");
    try {
      for (String index : new String[] {"light", "heavy"}) {
        server.ask(
            "POST", "/" + index + "/_forcemerge?max_num_segments=1&wait_for_completion=false", "");
      }
      await(() -> mergedBytes()[0] > 0 && mergedBytes()[1] > 0);
      assertEquals(0.5, shareOfHeavy(1 << 20), 0.1);

      server.ask("PUT", "/heavy/_settings", "{\"index.weir.merge.weight\": 4}");

      assertEquals(0.8, shareOfHeavy(2 << 20), 0.1);
      assertEquals(4, shards("heavy").at("/0/weight").asInt());
      assertEquals(1, shards("light").at("/0/weight").asInt());
    } finally {
      setCap("null");
    }
    await(() -> shards("heavy").at("/0/merges/forced/done").asInt() == 1);
    assertEquals(written.get("heavy"), documents("heavy"));
  }

  /** Of the next {@code bytes} that both merges write together. */
  private static double shareOfHeavy(long bytes) {
    long[] before = mergedBytes();
    long[] now = new long[2];
    await(
        () -> {
          System.arraycopy(mergedBytes(), 0, now, 0, 2);
          return now[0] + now[1] >= before[0] + before[1] + bytes;
        });
    double more = now[1] - before[1];
    return more / (more + now[0] - before[0]);
  }

  /** What the merges of light and of heavy have written, by one answer. */
  private static long[] mergedBytes() {
    JsonNode indices = node().get("indices");
    return new long[] {
      indices.at("/light/0/merges/running/0/written_bytes").asLong(),
      indices.at("/heavy/0/merges/running/0/written_bytes").asLong()
    };
  }

  @Test
  void index_deletedDuringAPausedMerge_isGoneAtOnce() throws Exception {
    create("deleted", WEIR, MANY_SEGMENTS);
    blobs("deleted", 2, 2 << 20);
    setCap("\"1kb\"");
    server.ask("POST", "/deleted/_forcemerge?max_num_segments=1&wait_for_completion=false", "");
    await(() -> forcedMerge("deleted").has("done_bytes"));

    long start = System.nanoTime();
    server.ask("DELETE", "/deleted", "");
    long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
    setCap("null");
    written.remove("deleted");

    assertTrue(millis < 5_000, millis + " ms");
    await(() -> shards("deleted").isEmpty());
  }

  @Test
  void merges_behindWhichIndexingIsThrottled_areNotHeldByTheCap() throws Exception {
    create(
        "throttled",
        MANY_SEGMENTS.replace("100", "4"),
        "\"index.merge.scheduler.auto_throttle\": false", // or indexing would be throttled later
        "\"index.merge.scheduler.max_thread_count\": 1",
        "\"index.merge.scheduler.max_merge_count\": 1");
    blobs("throttled", 4, 40_000);
    setCap("\"1kb\"");
    try {
      server.ask("POST", "/throttled/_forcemerge?max_num_segments=1&wait_for_completion=false", "");
      await(() -> forcedMerge("throttled").has("done_bytes"));
      blobs("throttled", 16, 40_000); // a second merge waits for the first, of three minutes
      await(() -> shards("throttled").at("/0/merges/forced/done").asInt() == 1);
    } finally {
      setCap("null");
    }
    assertEquals(written.get("throttled"), documents("throttled"));
  }

  /** On two or three processors Elasticsearch lets a shard run one merge. */
  @Test
  void naturalMerges_whileAForcedOneRuns_areDone() throws Exception {
    create("beside", MANY_SEGMENTS.replace("100", "4"));
    blobs("beside", 4, 4 << 20);
    await(() -> shards("beside").at("/0/merges/running").isEmpty());
    int done = shards("beside").at("/0/merges/natural/done").asInt();
    setCap("\"500kb\"");
    try {
      server.ask("POST", "/beside/_forcemerge?max_num_segments=1&wait_for_completion=false", "");
      await(() -> forcedMerge("beside").has("done_bytes"));
      blobs("beside", 40, 20_000); // more than the policy allows beside the large ones

      await(() -> shards("beside").at("/0/merges/natural/done").asInt() > done);
      assertTrue(forcedMerge("beside").has("done_bytes"), "the forced merge still runs");
    } finally {
      setCap("null");
    }
    await(() -> shards("beside").at("/0/merges/forced/done").asInt() == 1);
    assertEquals(written.get("beside"), documents("beside"));
  }

  @Test
  void zip_hasNoClassOfTheEngineOrOfLucene() throws Exception {
    List<String> jars = new ArrayList<>();
    try (ZipFile plugin = new ZipFile(Distribution.plugIn("elasticsearch").toFile())) {
      for (ZipEntry file : Collections.list(plugin.entries())) {
        if (file.getName().endsWith(".jar")) {
          jars.add(file.getName());
          try (ZipInputStream jar = new ZipInputStream(plugin.getInputStream(file))) {
            for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
              assertFalse(
                  entry.getName().matches("org/(elasticsearch|opensearch|apache)/.*"),
                  entry.getName());
            }
          }
        }
      }
    }
    assertTrue(jars.size() > 2, jars::toString);
  }

  @Test
  void indexes_ofEveryKind_workWithWeir() throws Exception {
    create("sorted", WEIR, MANY_SEGMENTS, "\"index.sort.field\": \"n\"");
    fill("sorted", 200);
    server.ask("POST", "/sorted/_forcemerge?max_num_segments=1", "");
    assertEquals(written.get("sorted"), documents("sorted"));

    create("two", WEIR, MANY_SEGMENTS, "\"index.number_of_shards\": 2");
    fill("two", 200);
    server.ask("PUT", "/two/_settings", "{\"index.blocks.write\": true}");
    for (String how : new String[] {"shrink", "split", "clone"}) {
      String target = "two-" + how;
      int shards = Map.of("shrink", 1, "split", 4, "clone", 2).get(how);
      server.ask(
          "POST",
          "/two/_" + how + "/" + target + "?wait_for_active_shards=1",
          "{\"settings\": {\"index.number_of_replicas\": 0, \"index.number_of_shards\": "
              + shards
              + ", "
              + WEIR
              + "}}");
      written.put(target, written.get("two"));
      assertEquals(written.get("two"), documents(target), how);
    }
  }

  @Test
  void snapshot_ofAnIndexWithWeir_isRestored() throws Exception {
    create("kept", WEIR, MANY_SEGMENTS);
    fill("kept", 200);
    server.ask(
        "PUT",
        "/_snapshot/disk",
        "{\"type\": \"fs\", \"settings\": {\"location\": \"" + server.snapshots() + "\"}}");
    server.ask("PUT", "/_snapshot/disk/one?wait_for_completion=true", "{\"indices\": \"kept\"}");

    server.ask(
        "POST",
        "/_snapshot/disk/one/_restore?wait_for_completion=true",
        "{\"rename_pattern\": \"kept\", \"rename_replacement\": \"restored\"}");

    written.put("restored", written.get("kept"));
    assertEquals(written.get("kept"), documents("restored"));
    assertFalse(shards("restored").isEmpty());
  }

  @Test
  void metrics_ofTheNode_areTextForPrometheus() throws Exception {
    create("measured", WEIR, MANY_SEGMENTS);
    fill("measured", 300);
    server.ask("POST", "/measured/_forcemerge?max_num_segments=1", "");

    String text = server.send("GET", "/_weir/metrics", "").text();

    Matcher merged =
        Pattern.compile(
                "lucene_merge_written_bytes_total\\{index=\"measured\",kind=\"forced\",shard=\"0\"\\} ([0-9.E]+)")
            .matcher(text);
    assertTrue(merged.find(), text);
    assertTrue(Double.parseDouble(merged.group(1)) > 1000, merged::group);
    assertTrue(text.contains("lucene_refresh_seconds"), text);
  }

  @Test
  void badValues_areRefusedByName() throws Exception {
    refused("PUT", "/_cluster/settings", capBody("\"0b\""), "weir.merge.max_bytes_per_sec must be");
    refused(
        "PUT",
        "/bad",
        "{\"settings\": {" + WEIR + ", \"index.store.type\": \"snapshot\"}}",
        "index.weir.enabled: true does not support index.store.type: snapshot");
    refused(
        "PUT",
        "/bad",
        "{\"settings\": {\"index.weir.merge.weight\": 0}}",
        "index.weir.merge.weight");
    refused("GET", "/_weir/stats?colour=red", "", "colour");
    refused("GET", "/missing/_weir/stats", "", "no such index [missing]");
  }

  @Test
  @Order(LAST)
  void plugin_removed_leavesStockIndexes() throws Exception {
    server.ask(
        "PUT",
        "/*/_settings?expand_wildcards=all",
        "{\"index.weir.enabled\": null, \"index.weir.merge.weight\": null}");
    setCap("\"40mb\""); // left behind
    server.stop();
    server.plugin("remove", "weir");
    server.start();

    for (Map.Entry<String, Map<String, Integer>> index : written.entrySet()) {
      assertEquals(
          "green",
          server
              .get("/_cluster/health/" + index.getKey() + "?wait_for_status=green&timeout=30s")
              .get("status")
              .asText(),
          index.getKey());
      assertEquals(index.getValue(), documents(index.getKey()), index.getKey());
      server.ask("POST", "/" + index.getKey() + "/_forcemerge?max_num_segments=1", "");
    }
    int status = server.send("GET", "/_weir/stats", "").status(); // 405 before 9.0
    assertTrue(status == 400 || status == 405, "the plug-in is still there: " + status);
  }

  private static void create(String index, String... settings) throws IOException {
    server.ask(
        "PUT",
        "/" + index,
        "{\"settings\": {\"index.number_of_replicas\": 0, "
            + String.join(", ", settings)
            + "}, \"mappings\": {\"properties\": {\"n\": {\"type\": \"integer\"},"
            + " \"parts\": {\"type\": \"nested\"},"
            + " \"blob\": {\"type\": \"keyword\", \"index\": false, \"doc_values\": false}}}}");
    written.put(index, new TreeMap<>());
  }

  /** Adds documents with nested ones, a refresh for each hundred; updates and deletes some. */
  private static void fill(String index, int count) throws IOException {
    Map<String, Integer> documents = written.get(index);
    for (int from = 0; from < count; from += 100) {
      StringBuilder bulk = new StringBuilder();
      for (int i = from; i < Math.min(count, from + 100); i++) {
        put(bulk, documents, i, i);
      }
      for (int i = from / 2; i < from; i += 7) {
        put(bulk, documents, i, -i);
      }
      for (int i = from / 3; i < from; i += 31) {
        bulk.append("{\"delete\":{\"_id\":\"").append(i).append("\"}}\n");
        documents.remove(Integer.toString(i));
      }
      bulk(index, bulk);
    }
  }

  private static void put(StringBuilder bulk, Map<String, Integer> documents, int id, int n) {
    bulk.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n");
    bulk.append("{\"n\":").append(n).append(",\"text\":\"the number ").append(n);
    bulk.append("\",\"parts\":[{\"p\":1},{\"p\":2}]}\n");
    documents.put(Integer.toString(id), n);
  }

  /** Adds segments of about so many bytes that do not compress. */
  private static void blobs(String index, int segments, int bytes) throws IOException {
    Random random = new Random(42);
    byte[] blob = new byte[20_000];
    int id = 0;
    for (int segment = 0; segment < segments; segment++) {
      StringBuilder bulk = new StringBuilder();
      for (int size = 0; size < bytes; size += blob.length) {
        random.nextBytes(blob);
        bulk.append("{\"index\":{\"_id\":\"").append(id).append("\"}}\n{\"n\":").append(id);
        bulk.append(",\"blob\":\"")
            .append(Base64.getEncoder().encodeToString(blob))
            .append("\"}\n");
        written.get(index).put(Integer.toString(id), id);
        id++;
      }
      bulk(index, bulk);
    }
  }

  private static void bulk(String index, StringBuilder bulk) throws IOException {
    JsonNode answer = server.ask("POST", "/" + index + "/_bulk?refresh=true", bulk.toString());
    assertFalse(answer.get("errors").asBoolean(), answer::toString);
  }

  /** All documents of an index: the number of each by id. */
  private static Map<String, Integer> documents(String index) throws IOException {
    JsonNode found =
        server.get("/" + index + "/_search?size=10000&_source=false&docvalue_fields=n");
    Map<String, Integer> documents = new TreeMap<>();
    found
        .at("/hits/hits")
        .forEach(hit -> documents.put(hit.get("_id").asText(), hit.at("/fields/n/0").asInt()));
    return documents;
  }

  private static void reopenWith(String index, String settings) throws IOException {
    server.ask("POST", "/" + index + "/_close", "");
    server.ask("PUT", "/" + index + "/_settings", settings);
    server.ask("POST", "/" + index + "/_open?wait_for_active_shards=1", "");
    server.get("/_cluster/health/" + index + "?wait_for_status=green&timeout=30s");
  }

  private static void setCap(String cap) throws IOException {
    server.ask("PUT", "/_cluster/settings", capBody(cap));
  }

  private static String capBody(String cap) {
    return "{\"persistent\": {\"weir.merge.max_bytes_per_sec\": " + cap + "}}";
  }

  /** The cap is never exceeded, and merges use it: they write what it allows in a second. */
  private static void assertCharged(int bytesPerSecond) {
    assertEquals(bytesPerSecond, node().at("/merge/max_bytes_per_sec").asInt());
    long waits = node().at("/merge/waits").asLong();
    long startNanos = System.nanoTime();
    long before = chargedBytes();
    AtomicLong after = new AtomicLong();
    await(
        () -> {
          after.set(chargedBytes());
          return after.get() - before >= bytesPerSecond;
        });
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    long charged = after.get() - before;
    long most = (long) (bytesPerSecond * (seconds + BURST_SECONDS));
    assertTrue(charged <= most, charged + " bytes in " + seconds + " s");
    assertTrue(node().at("/merge/waits").asLong() > waits, "nothing waited for the cap");
  }

  private static long chargedBytes() {
    return node().at("/merge/charged_bytes").asLong();
  }

  private static JsonNode node() {
    try {
      return server.get("/_weir/stats").get("nodes").elements().next();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode shards(String index) {
    try {
      return first(server.get("/_weir/stats"), index, "");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode shard(String index) throws IOException {
    return first(server.get("/" + index + "/_weir/stats"), index);
  }

  private static JsonNode forcedMerge(String index) {
    try {
      return first(server.get("/_weir/forcemerge"), index);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode first(JsonNode answer, String index) {
    return first(answer, index, "/0");
  }

  private static JsonNode first(JsonNode answer, String index, String pointer) {
    return answer.get("nodes").elements().next().at("/indices/" + index + pointer);
  }

  private static void refused(String method, String path, String body, String reason)
      throws IOException {
    ElasticsearchServer.Answer answer = server.send(method, path, body);
    assertTrue(answer.status() >= 400 && answer.status() < 500, answer::toString);
    assertTrue(answer.text().contains(reason), answer::toString);
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < deadline, "waited 30 s in vain");
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
