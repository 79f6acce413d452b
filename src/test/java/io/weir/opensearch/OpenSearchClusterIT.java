package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.suite.Slow;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged plug-in in a cluster: a replica of documents and one of segments, and a node that is
 * killed in a forced merge. The cluster manager and the data node that stays are one node.
 */
@Slow("starts two nodes of OpenSearch")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenSearchClusterIT {

  private static final String[] REPLICATIONS = {"DOCUMENT", "SEGMENT"};

  private OpenSearchServer first;
  private OpenSearchServer second;
  private Documents documents;

  @BeforeEach
  void start(@TempDir(cleanup = CleanupMode.NEVER) Path directory) throws Exception {
    first = OpenSearchServer.copiedTo(directory);
    first.installWeir();
    second = first.another("second");
    first.beginWith(first);
    first.awaitKeystore();
    second.beginWith(first, "node.roles=data");
    first.awaitUp();
    second.awaitUp();
    documents = new Documents(first);
  }

  @AfterEach
  void end() throws Exception {
    if (second != null) {
      second.stop();
    }
    if (first != null) {
      first.close();
    }
  }

  @Test
  void replicas_afterAForcedMergeAndAKilledPrimary_haveAllDocuments() throws Exception {
    for (String replication : REPLICATIONS) {
      String index = replication.toLowerCase(java.util.Locale.ROOT);
      documents.create(
          index,
          "\"index.store.type\":\"weir\","
              + "\"index.routing.allocation.require._name\":\"second\","
              + "\"index.replication.type\":\""
              + replication
              + "\"",
          "");
      // The primary is on the node that will be killed.
      first.put(
          "/" + index + "/_settings",
          "{\"index.routing.allocation.require._name\":null,\"index.number_of_replicas\":1}");
      health(index, "green");
      documents.change(index, new Random(1));
      documents.fill(index, 4, 1 << 20); // in all too few segments for a natural merge
      assertReplicaHas(index);
    }
    JsonNode answer = first.get("/_weir/stats");
    assertEquals(2, answer.at("/_nodes/successful").asInt(), answer::toString);
    first.put("/_cluster/settings", "{\"transient\":{\"weir.merge.max_bytes_per_sec\":\"100kb\"}}");

    CompletableFuture<Void> merges =
        CompletableFuture.runAsync(
            () -> {
              try {
                first.call("POST", "/_all/_forcemerge?max_num_segments=1", null);
              } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    awaitForcedMerge();
    for (String replication : REPLICATIONS) {
      documents.change(replication.toLowerCase(java.util.Locale.ROOT), new Random(2));
    }
    second.kill();
    first.put("/_cluster/settings", "{\"transient\":{\"weir.merge.max_bytes_per_sec\":null}}");

    for (String replication : REPLICATIONS) {
      String index = replication.toLowerCase(java.util.Locale.ROOT);
      health(index, "yellow");
      assertEquals(documents.expected(index), documents.found(index));
      documents.change(index, new Random(3));
      assertEquals(documents.expected(index), documents.found(index));
    }
    merges.handle((result, failure) -> null).get(120, TimeUnit.SECONDS);

    second.beginWith(first, "node.roles=data");
    second.awaitUp();
    for (String replication : REPLICATIONS) {
      String index = replication.toLowerCase(java.util.Locale.ROOT);
      health(index, "green");
      first.post("/" + index + "/_forcemerge?max_num_segments=1", null);
      documents.change(index, new Random(4));
      assertReplicaHas(index);
    }
  }

  private void assertReplicaHas(String index) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!documents.found(index, "preference=_replica").equals(documents.expected(index))
        && System.nanoTime() < end) {
      Thread.onSpinWait(); // segments are copied after a refresh
    }
    assertEquals(documents.expected(index), documents.found(index, "preference=_replica"));
    assertEquals(documents.expected(index), documents.found(index, "preference=_primary"));
  }

  private void awaitForcedMerge() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!first.get("/_weir/forcemerge").toString().contains("done_bytes")) {
      assertTrue(System.nanoTime() < end, "no forced merge runs");
    }
  }

  private void health(String index, String status) throws Exception {
    JsonNode health =
        first.get("/_cluster/health/" + index + "?timeout=90s&wait_for_status=" + status);
    assertEquals(status, health.get("status").asText(), () -> health + first.output());
  }
}
