package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged plug-in in a cluster of three nodes, each a data node and a candidate for cluster
 * manager, with indexes of two shards and one replica. The tests are a story, and each goes on
 * where the one before ended: the plug-in comes, merges are capped, a node is killed, the plug-in
 * goes.
 */
@Slow("starts three nodes of OpenSearch, and then five of them again")
@LongRun("three nodes and mixed installations; OpenSearchPluginIT has one node")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OpenSearchClusterIT {

  /** An index without Weir, and one for each kind of replication. */
  private static final String PLAIN = "plain";

  private static final String DOCUMENT = "document";
  private static final String SEGMENT = "segment";
  private static final List<String> ALL = List.of(PLAIN, DOCUMENT, SEGMENT);

  private static final long CAP = 1 << 19;
  private static final double EXACT = 0.02;
  private static final long OTHER_WRITES = 1 << 17;

  private OpenSearchHome without;
  private OpenSearchHome with;
  private OpenSearchServer first;
  private OpenSearchServer second;
  private OpenSearchServer third;
  private OpenSearchCluster cluster;
  private Documents documents;
  private final List<CompletableFuture<JsonNode>> forcedMerges = new ArrayList<>();

  @BeforeAll
  void start(@TempDir(cleanup = CleanupMode.NEVER) Path directory) throws Exception {
    without = OpenSearchHome.copiedTo(directory);
    with = without.another("with");
    with.installWeir();
    first = new OpenSearchServer("first", with);
    second = new OpenSearchServer("second", with);
    third = new OpenSearchServer("third", without);
    cluster = new OpenSearchCluster(first, second, third);
    documents = new Documents(cluster::any);
    cluster.launch(first, with);
    cluster.launch(second, with);
    cluster.launch(third, without);
    for (OpenSearchServer node : cluster.nodes()) {
      cluster.awaitStart(node);
    }
  }

  @AfterAll
  void end() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
    if (without != null) {
      without.close();
    }
  }

  @Test
  @Order(1)
  void shards_whereANodeLacksThePlugin_keepOffThatNode() throws Exception {
    create(PLAIN, "\"index.store.type\":\"fs\"");
    create(DOCUMENT, "\"index.store.type\":\"weir\",\"index.replication.type\":\"DOCUMENT\"");
    create(SEGMENT, "\"index.store.type\":\"weir\",\"index.replication.type\":\"SEGMENT\"");
    cluster.awaitHealth("_all", "green");
    change(1);

    assertEquals(Set.of("first", "second", "third"), cluster.nodesOf(PLAIN));
    assertEquals(Set.of("first", "second"), cluster.nodesOf(DOCUMENT));
    assertEquals(Set.of("first", "second"), cluster.nodesOf(SEGMENT));
    assertTrue(
        cluster.explain(DOCUMENT, 0, true).contains("the node does not have the plug-in weir"));
    JsonNode stats = first.get("/_weir/stats");
    assertEquals(2, stats.at("/_nodes/successful").asInt(), stats::toString);
    assertEquals(1, stats.at("/_nodes/failed").asInt(), stats::toString);
    assertAllCopiesAreComplete();
  }

  @Test
  @Order(2)
  void node_restartedWithThePlugin_takesShards() throws Exception {
    restart(third, with);

    cluster.awaitHealth("_all", "green");
    cluster.awaitShardsOf(DOCUMENT, third);
    // A shard that moves later would end its merge.
    setting("cluster.routing.rebalance.enable", "\"none\"");
    cluster.awaitHealth("_all", "green"); // one may have begun to move before
    assertEquals(3, first.get("/_weir/stats").at("/_nodes/successful").asInt());
    assertAllCopiesAreComplete();
  }

  @Test
  @Order(3)
  void cap_ofEachNode_isExact() throws Exception {
    for (String index : List.of(DOCUMENT, SEGMENT)) {
      documents.fill(index, 4, 5 << 19);
    }
    assertAllCopiesAreComplete(); // the kernel would count what is still copied
    cap(CAP + "b");
    for (String index : List.of(DOCUMENT, SEGMENT)) {
      forcedMerges.add(CompletableFuture.supplyAsync(() -> forceMerge(index)));
    }
    for (OpenSearchServer node : cluster.nodes()) {
      awaitForcedMerge(node);
    }

    Sample before = sample();
    assertFalse(first.process().waitFor(5, TimeUnit.SECONDS), first::output);
    Sample after = sample();

    for (OpenSearchServer node : cluster.nodes()) {
      assertExact(node.name(), before, after);
    }
  }

  @Test
  @Order(4)
  void refreshes_duringForcedMerges_areInTheStatsOfPrimariesAndReplicas() throws Exception {
    cap("64kb"); // so the merges go on until a node is killed
    List<JsonNode> before = refreshes(DOCUMENT);
    for (int i = 0; i < 3; i++) {
      documents.change(DOCUMENT, new Random(i));
      documents.change(SEGMENT, new Random(i));
    }
    List<JsonNode> after = refreshes(DOCUMENT);

    assertEquals(2 * 2, after.size(), "primaries and replicas");
    for (int copy = 0; copy < after.size(); copy++) {
      int changed = after.get(copy).get("changed").asInt();
      assertTrue(changed >= before.get(copy).get("changed").asInt() + 15, after::toString);
      assertTrue(after.get(copy).at("/recent/p99_millis").asDouble() < 5000, after::toString);
    }
    assertEquals(2, refreshes(SEGMENT).size(), "primaries: such a replica has no engine of Weir");
  }

  @Test
  @Order(5)
  void node_killedInAForcedMerge_losesNoDocument() throws Exception {
    JsonNode progress = awaitForcedMerge(third);
    assertTrue(progress.get("done_bytes").asLong() > 0, progress::toString);
    CompletableFuture<Void> changes =
        CompletableFuture.runAsync(
            () -> {
              change(20);
              change(21);
            });
    cluster.kill(third);
    changes.get(60, TimeUnit.SECONDS);
    cap("-1");
    cluster.awaitHealth("_all", "yellow");
    assertAllAreFound();
    for (CompletableFuture<JsonNode> merge : forcedMerges) {
      merge.handle((answer, failure) -> null).get(60, TimeUnit.SECONDS);
    }

    cluster.launch(third, with);
    change(30);
    cluster.awaitStart(third);
    cluster.awaitHealth("_all", "green");

    forceMerge(DOCUMENT + "," + SEGMENT);
    assertAllCopiesAreComplete();
  }

  @Test
  @Order(6)
  void plugin_removedNodeByNode_leavesIndexesThatStockOpens() throws Exception {
    setting("weir.merge.max_bytes_per_sec", "null");
    // What the nodes without the plug-in cannot hold is built anew elsewhere, at once.
    first.put(
        "/" + DOCUMENT + "," + SEGMENT + "/_settings",
        "{\"index.unassigned.node_left.delayed_timeout\":\"0\"}");
    restart(third, without);
    cluster.awaitHealth("_all", "green");
    assertEquals(Set.of("first", "second"), cluster.nodesOf(DOCUMENT));
    assertAllCopiesAreComplete();

    restart(second, without);
    cluster.awaitHealth(PLAIN, "green");
    cluster.awaitHealth(DOCUMENT + "," + SEGMENT, "yellow");
    assertEquals(Set.of("first"), cluster.nodesOf(DOCUMENT));
    String explained = cluster.explain(DOCUMENT, 0, false);
    assertTrue(explained.contains("the node does not have the plug-in weir"), explained);
    assertFalse(explained.contains("failed_allocation_attempts"), explained);
    assertAllAreFound();

    undo(DOCUMENT + "," + SEGMENT);
    cluster.awaitHealth("_all", "green");

    restart(first, without);
    cluster.awaitHealth("_all", "green");
    assertEquals(0, first.get("/_cat/plugins?format=json").size());
    assertAllCopiesAreComplete();
    forceMerge("_all");
    assertAllCopiesAreComplete();
  }

  private void create(String index, String settings) throws IOException {
    documents.create(index, 1, "\"index.number_of_shards\":2," + settings, "");
  }

  /** Back to the store of OpenSearch, which is to check all that Weir wrote before it opens it. */
  private void undo(String indexes) throws IOException {
    first.post("/" + indexes + "/_close", null);
    first.put(
        "/" + indexes + "/_settings",
        "{\"index.store.type\":null,\"index.shard.check_on_startup\":true}");
    first.post("/" + indexes + "/_open", null);
  }

  /** Restarts a node from another installation; documents change without it. */
  private void restart(OpenSearchServer node, OpenSearchHome home) throws Exception {
    cluster.stop(node);
    cluster.launch(node, home);
    change(11);
    cluster.awaitStart(node);
  }

  private void change(int seed) {
    try {
      for (String index : ALL) {
        documents.change(index, new Random(seed));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void cap(String cap) throws IOException {
    setting("weir.merge.max_bytes_per_sec", "\"" + cap + "\"");
  }

  private void setting(String name, String json) throws IOException {
    first.put("/_cluster/settings", "{\"transient\":{\"" + name + "\":" + json + "}}");
  }

  private JsonNode forceMerge(String index) {
    try {
      return first.call("POST", "/" + index + "/_forcemerge?max_num_segments=1", null).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The figures of external refreshes of each copy of an index that the plug-in lists. */
  private List<JsonNode> refreshes(String index) throws IOException {
    List<JsonNode> copies = new ArrayList<>();
    for (JsonNode node : cluster.weir("stats").values()) {
      for (JsonNode shard : node.at("/indices/" + index)) {
        copies.add(shard.at("/refresh/external"));
      }
    }
    return copies;
  }

  /** Waits until a node is in a forced merge; its progress. */
  private JsonNode awaitForcedMerge(OpenSearchServer node) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    JsonNode progress;
    do {
      assertTrue(System.nanoTime() < end, "no forced merge runs");
      progress = cluster.weir("forcemerge").get(node.name()).findParent("done_bytes");
    } while (progress == null);
    return progress;
  }

  private void assertAllAreFound() throws IOException {
    for (String index : ALL) {
      assertEquals(documents.expected(index), documents.found(index), index);
    }
  }

  private void assertAllCopiesAreComplete() throws IOException {
    for (String index : ALL) {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (!documents.found(index, "preference=_replica").equals(documents.expected(index))
          && System.nanoTime() < end) {
        Thread.onSpinWait(); // segments are copied after a refresh
      }
      assertEquals(documents.expected(index), documents.found(index, "preference=_replica"), index);
      assertEquals(documents.expected(index), documents.found(index, "preference=_primary"), index);
    }
  }

  /**
   * What the nodes had written at a moment between two times.
   *
   * @param stats of Weir, by node
   * @param kernel the bytes that each process has written to files, as the kernel counts them
   */
  private record Sample(
      long beganNanos, long endedNanos, Map<String, JsonNode> stats, Map<String, Long> kernel) {

    long charged(String node) {
      return stats.get(node).at("/merge/charged_bytes").asLong();
    }

    long waitMillis(String node) {
      return stats.get(node).at("/merge/wait_millis").asLong();
    }
  }

  private Sample sample() throws IOException {
    long began = System.nanoTime();
    Map<String, Long> kernel = new TreeMap<>();
    for (OpenSearchServer node : cluster.nodes()) {
      kernel.put(node.name(), writtenBytes(node.process()));
    }
    Map<String, JsonNode> stats = cluster.weir("stats");
    return new Sample(began, System.nanoTime(), stats, kernel);
  }

  private static long writtenBytes(Process process) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "io")).stream()
        .filter(line -> line.startsWith("write_bytes: "))
        .mapToLong(line -> Long.parseLong(line.substring("write_bytes: ".length())))
        .findFirst()
        .orElseThrow();
  }

  private static void assertExact(String node, Sample before, Sample after) {
    double longest = (after.endedNanos - before.beganNanos) / 1e9;
    double shortest = (after.beganNanos - before.endedNanos) / 1e9;
    long charged = after.charged(node) - before.charged(node);
    long written = after.kernel.get(node) - before.kernel.get(node);
    long waited = after.waitMillis(node) - before.waitMillis(node);
    String figures =
        "%s: %d bytes charged, %d written, %d ms waited in %.3f to %.3f s"
            .formatted(node, charged, written, waited, shortest, longest);
    assertTrue(charged <= CAP * longest * (1 + EXACT), figures);
    // A merge that reads or computes asks for nothing: only while it waits must the cap be used up.
    double held = Math.min(shortest, waited / 1e3);
    assertTrue(charged >= CAP * held * (1 - EXACT), figures);
    assertTrue(held >= shortest * 0.5, figures); // so it is the cap that held it
    // Besides merges, a node writes its logs; and the kernel counts whole pages.
    assertTrue(written <= CAP * longest * (1 + EXACT) + OTHER_WRITES, figures);
    assertTrue(written >= charged * (1 - EXACT) - OTHER_WRITES, figures);
  }
}
