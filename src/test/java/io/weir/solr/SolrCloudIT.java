package io.weir.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.cli.WeirProcess;
import io.weir.run.ArmFigures;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.suite.FreePort;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged plug-in in a SolrCloud: ZooKeeper's own server, two nodes, and a collection of two
 * shards with a replica on each node. One node is killed during a capped optimise.
 */
@Slow("starts ZooKeeper and two nodes of Solr")
@LongRun("two nodes and ZooKeeper; SolrPluginIT has one node")
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SolrCloudIT {

  private static final int CORES = 4;

  private static final int TICK_MILLIS = 500;

  private Path directory;
  private Process zooKeeper;
  private SolrServer first;
  private SolrServer second;

  @BeforeEach
  void start(@TempDir(cleanup = CleanupMode.NEVER) Path scratch) throws Exception {
    directory = scratch;
    Path libraries = SolrServer.libraries();
    int port = FreePort.next();
    Path data = Files.createDirectory(scratch.resolve("zookeeper"));
    zooKeeper = SolrServer.zooKeeper(libraries, data, port, TICK_MILLIS);
    String address = "127.0.0.1:" + port;
    first = SolrServer.ofCluster(libraries, Files.createDirectory(scratch.resolve("1")), address);
    second = SolrServer.ofCluster(libraries, Files.createDirectory(scratch.resolve("2")), address);
    CompletableFuture<Void> starting = CompletableFuture.runAsync(() -> start(second));
    first.start();
    starting.get();
  }

  private static void start(SolrServer server) {
    try {
      server.start();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @AfterEach
  void end() throws Exception {
    for (SolrServer server : new SolrServer[] {second, first}) {
      if (server != null) {
        server.close();
      }
    }
    if (zooKeeper != null) {
      zooKeeper.destroyForcibly().waitFor();
    }
    new ProcessBuilder("rm", "-rf", directory.toString()).start().waitFor();
  }

  @Test
  void replicas_afterACappedOptimiseAndAKilledNode_haveAllDocuments() throws Exception {
    first.post("/admin/configs?action=UPLOAD&name=weir", first.configuration());
    create("all");
    SolrDocuments documents = new SolrDocuments(first, "all");
    documents
        .change(new Random(1))
        .fill(4, 4 << 20); // in each shard more than Solr merges in memory
    assertAllReplicasHave(documents);
    assertMeasuredAndOnlyRead(documents);

    for (SolrServer server : List.of(first, second)) {
      server.get("/" + coresOf(server).getFirst() + "/weir?max_bytes_per_sec=50kb");
    }
    CompletableFuture<Void> optimise =
        CompletableFuture.runAsync(
            () -> {
              try {
                first.call("GET", "/all/update?optimize=true&maxSegments=1", null);
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    List<String> merging = coresOf(second);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!runsForcedMerge(second, merging)) {
      assertTrue(System.nanoTime() < end, "no forced merge runs");
    }
    documents.change(new Random(2));
    second.kill();
    documents.change(new Random(3)); // the other node has all shards, once it leads them
    first.get("/" + coresOf(first).getFirst() + "/weir?max_bytes_per_sec=-1");
    optimise.handle((result, failure) -> null).get(90, TimeUnit.SECONDS);
    assertEquals(documents.expected(), documents.found());

    second.start();
    awaitActive();
    assertAllReplicasHave(documents);
    first.get("/all/update?optimize=true&maxSegments=1");
    documents.change(new Random(4));
    assertAllReplicasHave(documents);
  }

  /** By {@code weir stress --target}, which also fills and merges a collection if asked to. */
  @Test
  void stress_onACollection_measuresUpdatesAndAnOptimise() throws Exception {
    first.post("/admin/configs?action=UPLOAD&name=weir", first.configuration());
    create("load");

    WeirProcess.Ended ended =
        stress(
            "load",
            "--docs",
            "synthetic:2000",
            "--updates-per-second",
            "20",
            "--reopens-per-second",
            "4",
            "--merge",
            "forced");

    assertEquals(0, ended.exitCode(), ended.toString());
    Part arm = run("load").parts().getFirst();
    assertEquals("2", arm.settings().get("shards"));
    assertTrue(MergeFigures.isMerged(arm), arm.toString());
    assertTrue(arm.latency(ArmFigures.REOPEN, Phase.BEFORE).count() > 2, arm.toString());
    assertTrue(arm.latency(ArmFigures.VISIBLE, Phase.BEFORE).count() > 0, arm.toString());
  }

  private void assertMeasuredAndOnlyRead(SolrDocuments documents) throws Exception {
    Files.write(
        directory.resolve("words.txt"), documents.expected().keySet().stream().limit(50).toList());

    WeirProcess.Ended ended = stress("all", "--queries", "words.txt");

    assertEquals(0, ended.exitCode(), ended.toString());
    Part arm = run("all").parts().getFirst();
    assertTrue(arm.require(ArmFigures.SEARCHES) > 0, ended.toString());
    assertEquals(0, arm.require(ArmFigures.SEARCHES_WITHOUT_HITS), ended.toString());
    assertAllReplicasHave(documents);
  }

  private WeirProcess.Ended stress(String collection, String... more) throws Exception {
    List<String> arguments =
        new ArrayList<>(List.of("stress", "--target", "solr:" + first.url() + "/" + collection));
    arguments.addAll(List.of("--out", "run-" + collection, "--warmup", "500ms"));
    arguments.addAll(List.of("--before", "2s", "--during", "2s", "--after", "1s"));
    arguments.addAll(List.of(more));
    return WeirProcess.run(directory, arguments.toArray(String[]::new));
  }

  private Run run(String collection) throws IOException {
    return new RunFiles(directory.resolve("run-" + collection)).read();
  }

  private void create(String collection) throws IOException {
    first.get(
        "/admin/collections?action=CREATE&name=%s&numShards=2&replicationFactor=2&collection.configName=weir&maxShardsPerNode=2"
            .formatted(collection));
  }

  /** Compares each core on each node, document by document. */
  private void assertAllReplicasHave(SolrDocuments documents) throws IOException {
    assertEquals(documents.expected(), documents.found());
    Map<String, Map<String, Long>> byShard = new HashMap<>();
    int cores = 0;
    for (Replica replica : replicas()) {
      Map<String, Long> found = SolrDocuments.found(replica.server, replica.core, "&distrib=false");
      Map<String, Long> other = byShard.putIfAbsent(replica.shard, found);
      assertEquals(other == null ? found : other, found, replica::toString);
      cores++;
    }
    assertEquals(CORES, cores);
    Map<String, Long> all = new TreeMap<>();
    byShard.values().forEach(all::putAll);
    assertEquals(documents.expected(), all);
  }

  /** A core of the collection. */
  private record Replica(String shard, String core, SolrServer server, String state) {}

  private List<Replica> replicas() throws IOException {
    List<Replica> replicas = new ArrayList<>();
    JsonNode shards =
        first
            .get("/admin/collections?action=CLUSTERSTATUS&collection=all")
            .at("/cluster/collections/all/shards");
    shards
        .properties()
        .forEach(
            shard ->
                shard
                    .getValue()
                    .get("replicas")
                    .forEach(
                        replica ->
                            replicas.add(
                                new Replica(
                                    shard.getKey(),
                                    replica.get("core").asText(),
                                    replica.get("node_name").asText().equals(first.name())
                                        ? first
                                        : second,
                                    replica.get("state").asText()))));
    return replicas;
  }

  private List<String> coresOf(SolrServer server) throws IOException {
    return replicas().stream().filter(r -> r.server == server).map(Replica::core).toList();
  }

  /** Solr may merge one shard after the other. */
  private static boolean runsForcedMerge(SolrServer server, List<String> cores) throws IOException {
    for (String core : cores) {
      if (server.get("/" + core + "/weir").at("/core/merges/forced/running").asInt() > 0) {
        return true;
      }
    }
    return false;
  }

  private void awaitActive() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!replicas().stream().allMatch(replica -> replica.state.equals("active"))) {
      assertTrue(System.nanoTime() < end, () -> "not active: " + second.output());
    }
  }
}
