package io.weir.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.engine.RollingUpgrade;
import io.weir.stress.Await;
import io.weir.suite.Distribution;
import io.weir.suite.FreePort;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A {@link RollingUpgrade} of three nodes of a SolrCloud. Both versions take the same plug-in.
 * {@code -Dweir.solr.older=9.8.1} upgrades from another version.
 */
@Slow("starts ZooKeeper and three nodes of Solr, and then four of another version")
@LongRun("three nodes of two versions; SolrPluginIT has one node of one")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SolrUpgradeIT {

  @Test
  void upgrade_nodeByNodeUnderLoad_losesNothingAndHoldsTheCap(
      @TempDir(cleanup = CleanupMode.NEVER) Path directory, TestReporter reporter)
      throws Exception {
    Upgraded cluster = new Upgraded(directory);
    try {
      cluster.start();
      List<String> told = RollingUpgrade.run(cluster, Distribution.version("solr"));
      reporter.publishEntry("upgrade", String.join("\n", told));
    } finally {
      cluster.close();
    }
  }

  /** Nodes whose jars are replaced. */
  private static final class Upgraded implements RollingUpgrade.Cluster {

    /** A collection that is written all the time, and one whose segments are there to be merged. */
    private static final String WRITTEN = "written";

    private static final String MANY = "many";
    private static final List<String> BOTH = List.of(WRITTEN, MANY);
    private static final int COPIES = 2 * 3;

    private static final String CAP = "-Dweir.merge.max_bytes_per_sec=" + RollingUpgrade.CAP + "b";

    /** Nodes may answer late, on a busy machine. */
    private static final int TICK_MILLIS = 2000;

    private final Path directory;
    private final Path old;
    private final Path renewed;
    private final Map<String, SolrServer> servers = new TreeMap<>();
    private Process zooKeeper; // null before the start
    private SolrDocuments many;

    Upgraded(Path directory) throws Exception {
      this.directory = directory;
      this.old = Distribution.of("solr", Distribution.older("solr")).resolve("lib");
      this.renewed = SolrServer.libraries();
    }

    void start() throws Exception {
      int port = FreePort.next();
      Path data = Files.createDirectory(directory.resolve("zookeeper"));
      zooKeeper = SolrServer.zooKeeper(old, data, port, TICK_MILLIS);
      for (String name : List.of("first", "second", "third")) {
        Path own = Files.createDirectory(directory.resolve(name));
        servers.put(name, SolrServer.ofCluster(old, own, "127.0.0.1:" + port));
      }
      List<CompletableFuture<Void>> starting = new ArrayList<>();
      for (SolrServer server : servers.values()) {
        starting.add(CompletableFuture.runAsync(() -> start(server), Thread::startVirtualThread));
      }
      for (CompletableFuture<Void> start : starting) {
        start.get();
      }
      SolrServer first = servers.get("first");
      first.post("/admin/configs?action=UPLOAD&name=weir", first.configuration());
      for (String collection : BOTH) {
        first.get(
            "/admin/collections?action=CREATE&numShards=3&replicationFactor=2&collection.configName=weir&name="
                + collection);
      }
      many = new SolrDocuments(first, MANY).fill(6, 4 << 20); // above what Solr merges in memory
    }

    private static void start(SolrServer server) {
      try {
        server.start(CAP);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }

    void close() throws Exception {
      for (SolrServer server : servers.values()) {
        server.close();
      }
      if (zooKeeper != null) {
        zooKeeper.destroyForcibly().waitFor();
      }
      new ProcessBuilder("rm", "-rf", directory.toString()).start().waitFor();
    }

    @Override
    public List<String> nodes() {
      return List.copyOf(servers.keySet());
    }

    @Override
    public List<String> running() {
      return nodes().stream().filter(node -> servers.get(node).isRunning()).toList();
    }

    /** A copy of a shard: a core of a node. */
    private record Copy(
        String collection, String shard, String core, String node, boolean active) {}

    private List<Copy> copies(String by) throws IOException {
      SolrServer.Answer answer =
          servers.get(by).call("GET", "/admin/collections?action=CLUSTERSTATUS", null);
      JsonNode cluster = answer.body().path("cluster");
      if (answer.status() != 200 || !cluster.has("collections")) {
        throw new IOException(by + " does not know the cluster: " + answer);
      }
      List<String> live = cluster.get("live_nodes").valueStream().map(JsonNode::asText).toList();
      List<Copy> copies = new ArrayList<>();
      for (String collection : BOTH) {
        cluster
            .at("/collections/" + collection + "/shards")
            .forEachEntry(
                (shard, state) ->
                    state
                        .get("replicas")
                        .forEach(
                            replica ->
                                copies.add(
                                    new Copy(
                                        collection,
                                        shard,
                                        replica.get("core").asText(),
                                        named(replica.get("node_name").asText()),
                                        replica.get("state").asText().equals("active")
                                            && live.contains(replica.get("node_name").asText())))));
      }
      return copies;
    }

    private String named(String solrName) {
      return nodes().stream()
          .filter(node -> servers.get(node).name().equals(solrName))
          .findFirst()
          .orElseThrow();
    }

    /** Solr's guide only stops the node; after a commit it has less to replay. */
    @Override
    public void leave(String node) throws Exception {
      for (String collection : BOTH) {
        servers.get(node).get("/" + collection + "/update?commit=true");
      }
      servers.get(node).stop();
      servers.get(node).replace(renewed);
    }

    @Override
    public void forgetPlugIn(String node) throws Exception {
      SolrServer server = servers.get(node);
      Path away = directory.resolve("weir.jar");
      Files.move(server.plugIn(), away);
      server.start(CAP);
      Await.until(
          "the reason in the log",
          () ->
              server.output().contains("Error loading class 'io.weir.solr.WeirDirectoryFactory'"));
      assertTrue(
          copies(node).stream().noneMatch(copy -> copy.node().equals(node) && copy.active()),
          "a core has loaded without the plug-in");
      server.stop();
      Files.move(away, server.plugIn());
    }

    @Override
    public void join(String node) throws Exception {
      servers.get(node).start(CAP);
      Await.until("all copies are active", () -> areAllActive(node));
    }

    private boolean areAllActive(String by) {
      try {
        List<Copy> copies = copies(by);
        return copies.size() == 2 * COPIES && copies.stream().allMatch(Copy::active);
      } catch (IOException e) {
        return false;
      }
    }

    @Override
    public boolean write(String by, Map<String, Optional<Long>> documents) throws IOException {
      List<String> commands = new ArrayList<>();
      documents.forEach(
          (id, number) ->
              commands.add(
                  number
                      .map(n -> "\"add\":{\"doc\":{\"id\":\"%s\",\"n\":%d}}".formatted(id, n))
                      .orElse("\"delete\":{\"id\":\"%s\"}".formatted(id))));
      String json = "{" + String.join(",", commands) + "}";
      SolrServer.Answer answer =
          servers
              .get(by)
              .call(
                  "POST",
                  "/" + WRITTEN + "/update?commitWithin=1000",
                  BodyPublishers.ofString(json));
      return answer.status() == 200;
    }

    /** Without an active copy on a live node, a shard does not serve. */
    @Override
    public Optional<String> red(String by) throws IOException {
      Map<String, Boolean> served = new TreeMap<>();
      for (Copy copy : copies(by)) {
        served.merge(copy.collection() + "/" + copy.shard(), copy.active(), Boolean::logicalOr);
      }
      return served.containsValue(false) ? Optional.of(served.toString()) : Optional.empty();
    }

    /** Each node tells of itself only. */
    @Override
    public Map<String, RollingUpgrade.Merges> merges(String by) throws IOException {
      Map<String, RollingUpgrade.Merges> found = new TreeMap<>();
      for (Copy copy : copies(by)) {
        if (copy.collection().equals(MANY)) {
          JsonNode figures = servers.get(copy.node()).get("/" + copy.core() + "/weir");
          JsonNode merge = figures.at("/node/merge");
          RollingUpgrade.Merges other = found.get(copy.node());
          found.put(
              copy.node(),
              new RollingUpgrade.Merges(
                  merge.get("max_bytes_per_sec").asLong(),
                  merge.get("charged_bytes").asLong(),
                  merge.get("wait_millis").asLong(),
                  figures.at("/core/merges/forced/running").asInt()
                      + (other == null ? 0 : other.forcedRunning())));
        }
      }
      return found;
    }

    @Override
    public Map<String, String> versions(String by) throws IOException {
      Map<String, String> versions = new TreeMap<>();
      for (String node : merges(by).keySet()) {
        JsonNode system = servers.get(node).get("/admin/info/system");
        versions.put(node, system.at("/lucene/solr-spec-version").asText());
      }
      return versions;
    }

    /** Each core by itself: Solr may merge one shard after the other. */
    @Override
    public void forceMerge(String by) throws IOException {
      List<CompletableFuture<Void>> merges = new ArrayList<>();
      for (Copy copy : copies(by)) {
        if (copy.collection().equals(MANY)) {
          merges.add(CompletableFuture.runAsync(() -> optimise(copy), Thread::startVirtualThread));
        }
      }
      merges.forEach(CompletableFuture::join);
    }

    private void optimise(Copy copy) {
      try {
        servers
            .get(copy.node())
            .call(
                "GET",
                "/" + copy.core() + "/update?optimize=true&maxSegments=1&commit_end_point=terminal",
                null);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void cancelForcedMerges(String by) throws IOException {
      for (Copy copy : copies(by)) {
        servers.get(copy.node()).get("/" + copy.core() + "/weir?action=cancel");
      }
    }

    /** Searches each copy, and then has Lucene's CheckIndex read all of its index. */
    @Override
    public void assertDocuments(Map<String, Long> expected) throws IOException {
      List<Copy> copies = copies("first");
      for (String collection : BOTH) {
        servers.get("first").get("/" + collection + "/update?commit=true");
        assertCopies(
            copies.stream().filter(copy -> copy.collection().equals(collection)).toList(),
            collection.equals(WRITTEN) ? expected : many.expected());
      }
      try {
        for (SolrServer server : servers.values()) {
          server.stop();
        }
        for (Copy copy : copies) {
          check(index(servers.get(copy.node()).home().resolve(copy.core()).resolve("data")));
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    private void assertCopies(List<Copy> copies, Map<String, Long> expected) throws IOException {
      Map<String, Map<String, Long>> shards = new TreeMap<>();
      for (Copy copy : copies) {
        Map<String, Long> found =
            SolrDocuments.found(servers.get(copy.node()), copy.core(), "&distrib=false");
        Map<String, Long> other = shards.putIfAbsent(copy.shard(), found);
        assertEquals(other == null ? found : other, found, copy::toString);
      }
      Map<String, Long> all = new TreeMap<>();
      shards.values().forEach(all::putAll);
      assertEquals(COPIES, copies.size());
      assertEquals(expected, all);
    }

    /** A replica that has fetched a whole index keeps it in another directory. */
    private static Path index(Path data) throws IOException {
      Properties properties = new Properties();
      Path file = data.resolve("index.properties");
      if (Files.exists(file)) {
        try (Reader reader = Files.newBufferedReader(file)) {
          properties.load(reader);
        }
      }
      return data.resolve(properties.getProperty("index", "index"));
    }

    private void check(Path index) throws IOException, InterruptedException {
      Path said = Files.createDirectories(directory.resolve("check"));
      Process check =
          SolrServer.launch(
              List.of(
                  Path.of(Distribution.javaHome(), "bin/java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  renewed + "/*",
                  "org.apache.lucene.index.CheckIndex",
                  index.toString()),
              said);
      assertTrue(check.waitFor(60, TimeUnit.SECONDS), index::toString);
      assertEquals(0, check.exitValue(), Files.readString(said.resolve("output")));
    }
  }
}
