package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Nodes of OpenSearch that form a cluster. Each can be started from another installation. */
final class OpenSearchCluster {

  private final List<OpenSearchServer> nodes;
  private final OpenSearchServer founder;
  private final Set<OpenSearchServer> ready = ConcurrentHashMap.newKeySet();

  /**
   * Starts no node yet.
   *
   * @param founder the cluster manager, until it stops
   */
  OpenSearchCluster(OpenSearchServer founder, OpenSearchServer... others) {
    this.founder = founder;
    this.nodes = Stream.concat(Stream.of(founder), Stream.of(others)).toList();
  }

  List<OpenSearchServer> nodes() {
    return nodes;
  }

  /** A node that runs. */
  OpenSearchServer any() {
    return nodes.stream().filter(ready::contains).findFirst().orElseThrow();
  }

  /** Starts a node, and does not wait. */
  void launch(OpenSearchServer node, OpenSearchHome home) throws IOException {
    node.launch(
        home,
        List.of(
            "discovery.seed_hosts="
                + nodes.stream().map(OpenSearchServer::address).collect(Collectors.joining(",")),
            "cluster.initial_cluster_manager_nodes=" + founder.name(),
            "thread_pool.force_merge.size=2")); // or two indexes would be merged in turn
  }

  /** Waits until a node that was started has found all others. */
  void awaitStart(OpenSearchServer node) throws Exception {
    node.awaitAnswer("wait_for_nodes=" + nodes.size());
    ready.add(node);
  }

  /** Ends a node as an operator does. */
  void stop(OpenSearchServer node) throws InterruptedException {
    ready.remove(node);
    node.stop();
  }

  /** Ends a node as a power cut does. */
  void kill(OpenSearchServer node) throws InterruptedException {
    ready.remove(node);
    node.kill();
  }

  /** Waits until the health of some indexes is as wished, and all shards have found their nodes. */
  void awaitHealth(String indexes, String status) throws IOException {
    JsonNode health =
        any()
            .get(
                "/_cluster/health/%s?timeout=60s&wait_for_no_relocating_shards=true&wait_for_no_initializing_shards=true&wait_for_status=%s"
                    .formatted(indexes, status));
    assertEquals(status, health.get("status").asText(), () -> health + any().output());
  }

  /** The names of the nodes that have shards of an index. */
  Set<String> nodesOf(String index) throws IOException {
    JsonNode shards = any().get("/_cat/shards/" + index + "?format=json&h=node");
    return shards
        .valueStream()
        .map(shard -> shard.get("node"))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .collect(Collectors.toSet());
  }

  /** Waits until a node has shards of an index, which move there when all others are in place. */
  void awaitShardsOf(String index, OpenSearchServer node) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!nodesOf(index).contains(node.name())) {
      assertTrue(System.nanoTime() < end, () -> "no shard of " + index + " on " + node.name());
    }
    awaitHealth("_all", "green");
  }

  /** What the cluster manager says of the place of a shard. */
  String explain(String index, int shard, boolean primary) throws IOException {
    return any()
        .post(
            "/_cluster/allocation/explain",
            "{\"index\":\"%s\",\"shard\":%d,\"primary\":%b}".formatted(index, shard, primary))
        .toString();
  }

  /** The answers of the nodes that have the plug-in, by name. */
  Map<String, JsonNode> weir(String path) throws IOException {
    Map<String, JsonNode> answers = new TreeMap<>();
    for (JsonNode node : any().get("/_weir/" + path).get("nodes")) {
      answers.put(node.get("name").asText(), node);
    }
    return answers;
  }

  void close() throws InterruptedException {
    for (OpenSearchServer node : nodes) {
      node.close();
    }
  }
}
