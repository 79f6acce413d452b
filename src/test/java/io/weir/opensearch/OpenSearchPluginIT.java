package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.cli.TargetLoad;
import io.weir.cli.TargetWhy;
import io.weir.opensearch.OpenSearchServer.Answer;
import io.weir.stress.Await;
import io.weir.suite.ColdFiles;
import io.weir.suite.Distribution;
import io.weir.suite.FreePort;
import io.weir.suite.IdleThreads;
import io.weir.suite.Slow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
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
  private static final int METRICS_PORT = FreePort.next();

  /** The plug-ins beside ours. Of telemetry not every version is published. */
  private static final List<String> OTHERS =
      Distribution.isThatOfTheBuild("opensearch") ? List.of("telemetry-otel") : List.of();

  private OpenSearchHome home;
  private OpenSearchServer server;
  private Documents documents;

  @BeforeAll
  void install(@TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.NEVER) Path directory)
      throws Exception {
    home = OpenSearchHome.copiedTo(directory);
    List<String> settings =
        new ArrayList<>(
            List.of(
                "weir.metrics.port=" + METRICS_PORT,
                "weir.slow_refresh.threshold=1ms",
                "thread_pool.force_merge.size=2")); // so that two indexes share the cap
    home.installWeir();
    if (!OTHERS.isEmpty()) {
      home.addTelemetry();
      settings.add("telemetry.feature.metrics.enabled=true");
      settings.add("telemetry.otel.metrics.publish.interval=5s"); // to the log, by default
    }
    server = new OpenSearchServer("node", home);
    documents = new Documents(() -> server);
    server.start(home, settings.toArray(String[]::new));
    documents.create("telemetered", WEIR, "");
    documents.change("telemetered", new Random(20));
  }

  @AfterAll
  void end() throws Exception {
    if (server != null) {
      server.close();
    }
    if (home != null) {
      home.close();
    }
  }

  @Test
  void install_ofTheZip_loadsThePlugin() throws Exception {
    JsonNode plugins = server.get("/_cat/plugins?format=json");

    assertEquals(
        Stream.concat(OTHERS.stream(), Stream.of("weir")).toList(),
        plugins.findValuesAsText("component"));
    assertEquals(
        System.getProperty("weir.version"), plugins.get(OTHERS.size()).get("version").asText());
  }

  @Test
  void documents_ofAnIndexWithWeir_areThoseOfOneWithout() throws Exception {
    documents.create("with", WEIR, "");
    documents.create("without", "\"index.number_of_routing_shards\":2", "");
    for (String index : new String[] {"with", "without"}) {
      documents.change(index, new Random(3));
      server.post("/" + index + "/_forcemerge?max_num_segments=1", null);
      documents.change(index, new Random(4));
    }

    assertEquals(documents.expected("with"), documents.found("with"));
    assertEquals(documents.found("without"), documents.found("with"));
    assertEquals(
        1,
        server
            .post("/with/_search", "{\"query\":{\"ids\":{\"values\":[\"7\"]}}}")
            .at("/hits/total/value")
            .asInt());
  }

  @Test
  void cluster_askedByWeirWhy_answersWithItsVersion(@TempDir Path temp) throws Exception {
    assertEquals(
        server.get("/").at("/version/number").asText(),
        TargetWhy.version(temp, server.url().toString(), "opensearch"));
  }

  @Test
  void index_searchedByWeirLoad_isOnlyRead(@TempDir Path temp) throws Exception {
    documents.create("searched", WEIR, "");
    documents.change("searched", new Random(5));

    long answered =
        TargetLoad.search(temp, server.url() + "/searched/_search?size=1", "n:7", "n:[1 TO 9]");

    JsonNode total = server.get("/searched/_stats/search").at("/_all/total/search");
    assertTrue(total.get("query_total").asLong() >= answered, total::toString);
    assertEquals(documents.expected("searched"), documents.found("searched"));
  }

  @Test
  void cluster_withoutThePlugInForVectors_isNotFilledWithThem(@TempDir Path temp) throws Exception {
    String said =
        TargetLoad.refusal(temp, "--target=" + server.url(), "--vectors=8", "--docs=synthetic:10");

    assertTrue(
        said.contains(" has no plug-in opensearch-knn; vectors need it: bin/opensearch-plugin"),
        said);
  }

  @Test
  void stats_ofAnIndex_nameAllLayersAsActive() throws Exception {
    documents.create("layers", WEIR, "");
    documents.change("layers", new Random(5));
    server.post("/layers/_forcemerge?max_num_segments=1", null);

    JsonNode shard = shard("layers");

    for (JsonNode layer : shard.get("layers")) {
      assertTrue(layer.get("active").asBoolean(), layer::toString);
    }
    assertEquals(10 - 1, shard.get("layers").size(), shard::toString); // all but the instrument
    assertTrue(
        shard.get("layers").toString().contains("leave readers what they have in the page cache"),
        shard::toString);
    assertTrue(shard.at("/refresh/external/recent/p99_millis").asDouble() > 0, shard::toString);
    double visible = shard.at("/refresh/external/max_visible_millis").asDouble();
    assertTrue(visible > 0 && visible < 600_000, shard::toString);
    assertTrue(shard.at("/slow_refreshes/count").asInt() > 0, shard::toString);
    assertTrue(node().at("/readers_first/active").asBoolean(), () -> "" + safeNode());
    assertFalse(server.output().contains("denied"), server::output);
    assertFalse(server.output().contains("readers touch is not known"), server::output);
  }

  /** The kernel's files were opened with the plug-in's permissions, the thread is Weir's own. */
  @Test
  void forecast_ofALargeMerge_isMeasuredUnderThePolicyOfTheServer() throws Exception {
    // The engine would read stored fields without a mapping, so that nothing is known of them.
    documents.create("foretold", WEIR + ",\"index.store.hybrid.nio.extensions\":[\"fdm\"]", "");
    documents.fill("foretold", 5, 20 << 20);
    assumeTrue(shard("foretold").has("merge_forecast"), "the kernel does not say what is used");

    server.post("/foretold/_forcemerge?max_num_segments=1", null);
    server.post("/foretold/_refresh", null);
    Await.until(
        () -> forecast() + "\n" + server.output(),
        Duration.ofSeconds(60),
        () -> forecast().get("measured").asInt() + forecast().get("unmeasured").asInt() == 1);

    JsonNode forecast = forecast();
    assertEquals(0, forecast.get("unmeasured").asInt(), forecast::toString);
    assertTrue(forecast.get("examined_bytes").asLong() > 50 << 20, forecast::toString);
    assertTrue(forecast.get("foretold_bytes").asLong() > 0, forecast::toString);
    assertFalse(server.output().contains("denied"), server::output);
    assertFalse(server.output().contains("readers touch is not known"), server::output);
    assertFalse(server.output().contains("is not measured"), server::output);
  }

  private JsonNode forecast() {
    try {
      server.get("/foretold/_search?size=100");
      return shard("foretold").get("merge_forecast");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void stats_ofSomeIndexes_haveThoseOnly() throws Exception {
    documents.create("one", WEIR, "");
    documents.create("other", WEIR, "");

    JsonNode indices = only(server.get("/on*/_weir/stats").get("nodes")).get("indices");

    assertEquals(1, indices.size(), indices::toString);
    assertEquals(404, server.call("GET", "/nope/_weir/stats", null).status());
    assertRefused(server.call("GET", "/_weir/stats?colour=red", null), "colour");
  }

  @Test
  void cap_overAForcedMerge_isKept() throws Exception {
    documents.create("capped", WEIR, "");
    documents.fill("capped", 8, 3 << 19); // fewer segments than a natural merge takes
    long cap = 2 << 20;
    long burst = cap / 20;
    cap(cap + "b");
    try {
      long start = System.nanoTime();
      CompletableFuture<JsonNode> merge = forceMerge("capped");
      int refreshes = 0;
      while (!merge.isDone()) {
        server.post("/capped/_refresh", null);
        refreshes++;
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      merge.get();

      assertTrue(refreshes > 1, refreshes + " refreshes beside the merge");
      JsonNode forced = shard("capped").at("/merges/forced");
      long written = forced.get("written_bytes").asLong();
      assertEquals(1, forced.get("done").asInt(), forced::toString);
      assertEquals(1, shard("capped").at("/warmed/segments").asInt());
      assertTrue(written <= cap * seconds + burst, written + " bytes in " + seconds + " s");
      // A busy machine may use less of it; in quiet runs it was 95 % or more, flush included.
      assertTrue(written >= cap * seconds * 0.6, written + " bytes in " + seconds + " s");
    } finally {
      cap("-1");
    }
  }

  @Test
  void cap_changedDuringAForcedMerge_actsAtOnce() throws Exception {
    documents.create("live", WEIR, "");
    documents.fill("live", 6, 1 << 20);
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
    documents.create("cancelled", WEIR, "");
    documents.fill("cancelled", 6, 1 << 20);
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
      assertTrue(segments("cancelled") > 1); // a later natural merge may go on where this ended
    } finally {
      cap("-1");
    }
    assertEquals(
        "green",
        server.get("/_cluster/health/cancelled?wait_for_status=green").get("status").asText());
    documents.change("cancelled", new Random(6));
    assertEquals(documents.expected("cancelled"), documents.found("cancelled"));
    assertTrue(shard("cancelled").at("/merges/forced/aborted").asInt() >= 1);
  }

  @Test
  void close_whileAForcedMergeIsPaced_isQuick() throws Exception {
    documents.create("closed", WEIR, "");
    documents.fill("closed", 6, 1 << 20);
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
    assertEquals(documents.expected("closed"), documents.found("closed"));
  }

  @Test
  void refresh_ofAnIndexThatDoesNotAskForIt_waitsForNoMerge() throws Exception {
    documents.create("waits", WEIR + ",\"index.merge_on_flush.enabled\":true", "");
    documents.create("goes", WEIR, "");
    for (int i = 0; i < 3; i++) {
      documents.change("waits", new Random(i));
      documents.change("goes", new Random(i));
    }

    assertTrue(shard("waits").at("/merges/critical/done").asInt() > 0, server::output);
    assertEquals(0, shard("goes").at("/merges/critical/done").asInt());
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
  void countReads_turnedOnLive_chargesWhatAForcedMergeReads() throws Exception {
    documents.create("counted", WEIR, "");
    documents.fill("counted", 6, 2 << 20);
    server.post("/counted/_flush", null);
    String uuid = server.get("/counted/_settings").at("/counted/settings/index/uuid").asText();
    long bytes = ColdFiles.drop(indexFiles(uuid), 0.25);
    countReads("true");
    try {
      long before = node().at("/merge/charged_bytes").asLong();

      server.post("/counted/_forcemerge?max_num_segments=1", null);

      assertTrue(node().at("/merge/count_reads").asBoolean());
      long written = shard("counted").at("/merges/forced/written_bytes").asLong();
      long read = node().at("/merge/charged_bytes").asLong() - before - written;
      assertTrue(written > bytes / 2, () -> written + " of " + bytes);
      assertTrue(read > bytes / 2, () -> read + " of " + bytes);
    } finally {
      countReads("null");
    }
    assertFalse(node().at("/merge/count_reads").asBoolean());
    assertEquals(documents.expected("counted"), documents.found("counted"));
  }

  /**
   * The class is the process's affair, so the kernel is asked; the policy is that of the server.
   */
  @Test
  void idleClass_turnedOnLive_isEnteredByAMergeAndLeftAgain() throws Exception {
    documents.create("idle", WEIR, "");
    documents.fill("idle", 6, 1 << 20);
    idleClass("true");
    cap("1kb");
    try {
      CompletableFuture<JsonNode> merge = forceMerge("idle");
      Await.until(
          "it is known", () -> !safeNode().toString().contains("no merge has asked for it"));
      JsonNode idle = node().get("idle_class");
      if (idle.get("reason").asText().contains("need Java 22")) {
        assertFalse(idle.get("active").asBoolean(), idle::toString);
      } else if (IdleThreads.isGiven()) {
        assertTrue(idle.get("active").asBoolean(), idle::toString);
        Await.until("a merge is in the class", () -> IdleThreads.count(server.process()) > 0);
      } else {
        assertTrue(idle.get("reason").asText().contains("LimitNICE"), idle::toString);
      }
      cap("-1");
      merge.get(60, TimeUnit.SECONDS);
      Await.until("no thread is in it", () -> IdleThreads.count(server.process()) == 0);
    } finally {
      server.put("/_cluster/settings", "{\"transient\":{\"weir.*\":null}}"); // as to undo it all
    }
    assertEquals("weir.merge.idle_class is false", node().at("/idle_class/reason").asText());
    assertEquals(-1, node().at("/merge/max_bytes_per_sec").asInt());
    assertEquals(documents.expected("idle"), documents.found("idle"));
  }

  /** The plug-in reads the processor time of merges with the permissions of the server. */
  @Test
  void mergeCpu_setLive_holdsAForcedMerge_andAWrongOneIsRefused() throws Exception {
    documents.create("cpu", WEIR, "");
    documents.fill("cpu", 6, 1 << 20);
    mergeCpu("0.01");
    try {
      CompletableFuture<JsonNode> merge = forceMerge("cpu");
      Await.until("it waits", () -> processors("wait_millis") > 0);
      assertEquals(0.01, node().at("/processors/max_cores").asDouble());
      assertTrue(processors("paid_millis") > 0, () -> "" + safeNode());
      assertRefused(
          server.call("PUT", "/_cluster/settings", "{\"transient\":{\"weir.merge.cpu\":0}}"),
          "weir.merge.cpu must be a number of cores from 0.01 to 16384, such as 1.5, or -1");
      mergeCpu("-1");
      merge.get(60, TimeUnit.SECONDS);
    } finally {
      server.put("/_cluster/settings", "{\"transient\":{\"weir.*\":null}}");
    }
    assertTrue(node().at("/processors/max_cores").isMissingNode(), () -> "" + safeNode());
    assertEquals(documents.expected("cpu"), documents.found("cpu"));
  }

  private void mergeCpu(String value) throws IOException {
    server.put("/_cluster/settings", "{\"transient\":{\"weir.merge.cpu\":" + value + "}}");
  }

  private void idleClass(String value) throws IOException {
    server.put("/_cluster/settings", "{\"transient\":{\"weir.merge.idle_class\":" + value + "}}");
  }

  private void countReads(String value) throws IOException {
    server.put("/_cluster/settings", "{\"transient\":{\"weir.merge.count_reads\":" + value + "}}");
  }

  @Test
  void schedule_changedLive_isTheCapInItsHours_andAWrongOneIsRefused() throws Exception {
    schedule("\"00:00-24:00 10mb\"");
    try {
      assertEquals(10 << 20, node().at("/merge/max_bytes_per_sec").asLong());
      assertEquals("00:00-24:00 10mb", node().at("/merge/schedule").asText());
      assertRefused(
          server.call(
              "PUT",
              "/_cluster/settings",
              "{\"transient\":{\"weir.merge.schedule\":\"00:00-24:00 fast\"}}"),
          "weir.merge.schedule must have a cap such as 10mb in each window");
      assertRefused(
          server.call(
              "PUT",
              "/_cluster/settings",
              "{\"transient\":{\"weir.merge.schedule\":\"00:00-24:00 0b\"}}"),
          "weir.merge.schedule must be at least 1 byte");
    } finally {
      schedule("null");
    }
    assertEquals(-1, node().at("/merge/max_bytes_per_sec").asLong());
    assertEquals("", node().at("/merge/schedule").asText());
  }

  private void schedule(String value) throws IOException {
    server.put("/_cluster/settings", "{\"transient\":{\"weir.merge.schedule\":" + value + "}}");
  }

  private Path indexFiles(String uuid) {
    return home.directory().resolve("data/node/nodes/0/indices").resolve(uuid).resolve("0/index");
  }

  @Test
  void weight_changedDuringForcedMerges_isTheShareOfTheCap() throws Exception {
    for (String index : new String[] {"light", "heavy"}) {
      documents.create(index, WEIR, "");
      documents.fill(index, 8, 1 << 20);
    }
    cap("1mb");
    CompletableFuture<?> merges;
    try {
      merges = CompletableFuture.allOf(forceMerge("light"), forceMerge("heavy"));
      progress("light");
      progress("heavy");
      assertEquals(0.5, shareOfHeavy(1 << 20), 0.1);

      server.put("/heavy/_settings", "{\"index.weir.merge.weight\":4}");

      assertEquals(0.8, shareOfHeavy(2 << 20), 0.1);
      assertEquals(4, shard("heavy").get("weight").asInt());
      assertEquals(1, shard("light").get("weight").asInt());
    } finally {
      cap("-1");
    }
    merges.get(60, TimeUnit.SECONDS);
    assertEquals(documents.expected("heavy"), documents.found("heavy"));
  }

  /** Of the next {@code bytes} that both merges write together, once both write. */
  private double shareOfHeavy(long bytes) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    long[] before = mergedBytes();
    while (true) {
      long[] now = mergedBytes();
      long light = now[0] - before[0];
      long heavy = now[1] - before[1];
      if (before[0] == 0 || before[1] == 0) {
        before = now;
      } else if (light + heavy >= bytes) {
        return (double) heavy / (light + heavy);
      }
      assertTrue(System.nanoTime() < end, "the merges do not go on");
    }
  }

  /** What the merges of light and of heavy have written, by one answer. */
  private long[] mergedBytes() throws IOException {
    JsonNode indices = node().get("indices");
    return new long[] {
      indices.at("/light/0/merges/running/0/written_bytes").asLong(),
      indices.at("/heavy/0/merges/running/0/written_bytes").asLong()
    };
  }

  @Test
  void merges_behindWhichIndexingIsThrottled_areNotHeldByTheCap() throws Exception {
    documents.create(
        "throttled",
        WEIR
            + ",\"index.merge.policy.segments_per_tier\":4"
            + ",\"index.merge.policy.max_merge_at_once\":4"
            + ",\"index.merge.scheduler.max_thread_count\":1"
            + ",\"index.merge.scheduler.max_merge_count\":1",
        "");
    documents.fill("throttled", 3, 160_000);
    cap("1kb");
    try {
      CompletableFuture<JsonNode> merge = forceMerge("throttled");
      progress("throttled");
      documents.fill("throttled", 16, 40_000); // a second merge
      merge.get(60, TimeUnit.SECONDS); // under the cap it takes four minutes
    } finally {
      cap("-1");
    }
    assertEquals(documents.expected("throttled"), documents.found("throttled"));
  }

  @Test
  void storeType_switchedOnAndOff_keepsTheDocuments() throws Exception {
    documents.create("switched", "\"index.store.type\":\"fs\"", "");
    documents.change("switched", new Random(8));
    switchTo("switched", "\"weir\"");
    assertTrue(shard("switched").has("layers"));
    documents.change("switched", new Random(9));
    server.post("/switched/_forcemerge?max_num_segments=1", null);
    assertEquals(documents.expected("switched"), documents.found("switched"));

    switchTo("switched", "null");

    assertTrue(
        only(server.get("/_weir/stats").get("nodes")).at("/indices/switched").isMissingNode());
    documents.change("switched", new Random(10));
    assertEquals(documents.expected("switched"), documents.found("switched"));
  }

  @Test
  void weirDefault_ofTheCluster_isTheTypeOfNewIndexes() throws Exception {
    server.put("/_cluster/settings", "{\"transient\":{\"weir.default\":true}}");
    try {
      server.put("/defaulted", "{\"settings\":{\"number_of_replicas\":0}}");
      server.put(
          "/chosen", "{\"settings\":{\"number_of_replicas\":0,\"index.store.type\":\"niofs\"}}");
      server.put(
          "/unsupported",
          "{\"settings\":{\"number_of_replicas\":0,\"index.context_aware.enabled\":true}}");
    } finally {
      server.put("/_cluster/settings", "{\"transient\":{\"weir.default\":null}}");
    }

    JsonNode indices = node().get("indices");
    assertTrue(indices.has("defaulted"), indices::toString);
    assertFalse(indices.has("chosen"), indices::toString);
    assertFalse(indices.has("unsupported"), indices::toString);
    server.call("DELETE", "/unsupported", null);
  }

  /** The engine makes each new index of such a cluster remote, after the default is decided. */
  @Test
  void weirDefault_ofAClusterWithARemoteStore_leavesNewIndexesAlone() throws Exception {
    OpenSearchServer remote = new OpenSearchServer("remote", home);
    String attribute = "node.attr.remote_store.";
    try {
      remote.start(
          home,
          "weir.default=true",
          attribute + "segment.repository=remote",
          attribute + "translog.repository=remote",
          attribute + "state.repository=remote",
          attribute + "repository.remote.type=fs",
          attribute
              + "repository.remote.settings.location="
              + home.directory().resolve("repository/remote"));

      remote.put("/stored", "{\"settings\":{\"number_of_replicas\":0}}");

      assertTrue(
          remote
              .get("/stored/_settings")
              .at("/stored/settings/index/remote_store/enabled")
              .asBoolean());
      assertEquals("{}", only(remote.get("/_weir/stats").get("nodes")).get("indices").toString());
    } finally {
      remote.stop();
    }
  }

  @Test
  void sortedIndexWithNestedDocuments_works() throws Exception {
    documents.create(
        "sorted", WEIR + ",\"index.sort.field\":\"n\",\"index.sort.order\":\"desc\"", "");
    documents.create("nested", WEIR, ",\"parts\":{\"type\":\"nested\"}");
    for (String index : new String[] {"sorted", "nested"}) {
      documents.change(index, new Random(11));
      server.post("/" + index + "/_forcemerge?max_num_segments=1", null);
      documents.change(index, new Random(12));
      assertEquals(documents.expected(index), documents.found(index));
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
    documents.create(
        "two", WEIR + ",\"index.number_of_shards\":2,\"index.number_of_routing_shards\":8", "");
    documents.change("two", new Random(13));
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
      assertEquals(documents.expected("two"), documents.found(change[1]));
      assertTrue(node().at("/indices/" + change[1]).size() > 0);
      server.post("/" + change[1] + "/_forcemerge?max_num_segments=1", null);
      assertEquals(documents.expected("two"), documents.found(change[1]));
    }
  }

  @Test
  void snapshot_restored_hasTheDocuments() throws Exception {
    documents.create("kept", WEIR, "");
    documents.change("kept", new Random(14));
    server.put(
        "/_snapshot/r",
        "{\"type\":\"fs\",\"settings\":{\"location\":\""
            + home.directory().resolve("repository")
            + "\"}}");
    server.put("/_snapshot/r/s?wait_for_completion=true", "{\"indices\":\"kept\"}");

    server.post(
        "/_snapshot/r/s/_restore?wait_for_completion=true",
        "{\"rename_pattern\":\"kept\",\"rename_replacement\":\"restored\"}");
    server.post(
        "/_snapshot/r/s/_restore?wait_for_completion=true",
        "{\"rename_pattern\":\"kept\",\"rename_replacement\":\"plain\","
            + "\"index_settings\":{\"index.store.type\":\"fs\"}}");

    assertEquals(documents.expected("kept"), documents.found("restored"));
    assertEquals(documents.expected("kept"), documents.found("plain"));
    JsonNode indices = node().get("indices");
    assertTrue(indices.has("restored") && !indices.has("plain"), indices::toString);
  }

  @Test
  void readOnlyIndex_canBeSearchedAndMerged() throws Exception {
    documents.create("readonly", WEIR, "");
    documents.change("readonly", new Random(15));
    server.put("/readonly/_settings", "{\"index.blocks.write\":true}");

    server.post("/readonly/_forcemerge?max_num_segments=1", null);

    assertEquals(documents.expected("readonly"), documents.found("readonly"));
    assertEquals(1, segments("readonly"));
  }

  @Test
  void unsupportedIndex_isRefusedWithTheReason() throws Exception {
    String contextAware = "\"index.context_aware.enabled\":true";
    assertRefused(
        server.call("PUT", "/aware", "{\"settings\":{" + WEIR + "," + contextAware + "}}"),
        "index.store.type: weir does not support context-aware segments");
    documents.create("later", contextAware, "");
    server.post("/later/_close", null);
    assertRefused(
        server.call("PUT", "/later/_settings", "{" + WEIR + "}"),
        "index.store.type: weir does not support context-aware segments");
    server.call("DELETE", "/later", null);
  }

  @Test
  void exporter_onItsPort_hasTheMetersOfEachShard() throws Exception {
    documents.create("metered", WEIR, "");
    documents.change("metered", new Random(16));

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

  /** Meters are read every ten seconds, so this one comes late. */
  @Test
  @Order(Integer.MAX_VALUE - 1)
  void telemetry_ofTheEngine_hasTheMetersOfEachShard() throws Exception {
    for (String gauge :
        new String[] {
          "name=lucene_refresh_seconds_count,.*index=\"telemetered\"",
          "name=lucene_refresh_seconds_bucket,.*index=\"telemetered\", le=\"0.005\"",
          "name=lucene_merge_written_bytes_total,.*index=\"telemetered\"",
          "name=lucene_merge_rate_limit_bytes_per_second,.*budget=\"node\"",
          "name=system_memory_linux_dirty_bytes,"
        }) {
      Await.until(
          gauge, () -> server.output().lines().anyMatch(Pattern.compile(gauge).asPredicate()));
    }
    assertFalse(server.output().contains("denied"), "see the output");
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void removal_afterSwitchingBack_leavesIndexesThatStockOpens() throws Exception {
    documents.create("left", WEIR, "");
    documents.change("left", new Random(17));
    server.post("/left/_forcemerge?max_num_segments=1", null);
    documents.change("left", new Random(18));
    String all =
        String.join(
            ",", node().get("indices").properties().stream().map(Map.Entry::getKey).toList());
    server.put("/" + all + "/_settings", "{\"index.blocks.write\":null}");
    switchTo(all, "null");
    server.put("/" + all + "/_settings", "{\"index.weir.merge.weight\":null}");
    server.stop();
    home.plugin("remove", "weir");

    server.start(home);

    assertEquals(OTHERS, server.get("/_cat/plugins?format=json").findValuesAsText("component"));
    assertEquals(
        "green",
        server.get("/_cluster/health?wait_for_status=green&timeout=60s").get("status").asText());
    assertEquals(documents.expected("left"), documents.found("left"));
    documents.change("left", new Random(19));
    assertEquals(documents.expected("left"), documents.found("left"));
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

  private long processors(String figure) {
    try {
      return node().at("/processors/" + figure).asLong();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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
}
