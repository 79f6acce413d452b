package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A rolling upgrade of an engine and of its plug-in, under a load. One node after the other leaves
 * the cluster and comes back with the new engine and the new plug-in, on its old data. The cluster
 * is mixed in the meantime: then the cap of merges has to be exact on each node, and each node has
 * to tell of all. On the last node the plug-in is forgotten at first.
 *
 * <p><b>Failure:</b> the first of its promises that does not hold, as an assertion: a document that
 * is lost, a shard that is red, a cap that is not held, a call that one node refuses.
 */
public final class RollingUpgrade {

  /** What merges of each node may write in a second, in bytes. */
  public static final long CAP = 1 << 19;

  private static final double EXACT = 0.02;

  /** A machine that is busy with three nodes and a load may use less of the cap. */
  private static final double USED = 0.6;

  /** Documents of a node that is a cluster by itself. */
  private static final int ALONE = 500;

  private static final Duration MEASURED = Duration.ofSeconds(5);

  /** A cluster of some engine. Nodes have names; a call is {@code by} way of one of them. */
  public interface Cluster {

    /** The nodes, in the order of their upgrade. */
    List<String> nodes();

    /** Those that are not stopped. */
    List<String> running();

    /** Ends a node as the engine's guide to upgrades says, and waits for its end. */
    void leave(String node) throws Exception;

    /** Starts a node with the new engine and no plug-in, looks at what a user sees, and ends it. */
    void forgetPlugIn(String node) throws Exception;

    /** Starts a node with the new engine and plug-in, and waits until all copies are in place. */
    void join(String node) throws Exception;

    /**
     * Writes documents, and makes some of them visible.
     *
     * @param documents a number for each id; empty deletes
     * @return whether all were acknowledged; if not, some may have been
     */
    boolean write(String by, Map<String, Optional<Long>> documents) throws IOException;

    /** What is wrong, if a shard has no copy that serves; it fails if the node does not know. */
    Optional<String> red(String by) throws IOException;

    /** The figures of merges, of each node that answers. */
    Map<String, Merges> merges(String by) throws IOException;

    /** The version of each node's engine, if the node has the plug-in. */
    Map<String, String> versions(String by) throws IOException;

    /** Merges many segments of each shard into one on each node; returns at its end. */
    void forceMerge(String by) throws IOException;

    /** Cancels the forced merges that run, on all nodes. */
    void cancelForcedMerges(String by) throws IOException;

    /** Compares each copy of each shard with what must be there. */
    void assertDocuments(Map<String, Long> expected) throws IOException;
  }

  /** Figures of a node; bytes since its start. */
  public record Merges(
      long capBytesPerSecond, long chargedBytes, long waitMillis, int forcedRunning) {}

  private final Cluster cluster;
  private final String newVersion;
  private final List<String> told = new ArrayList<>();

  private RollingUpgrade(Cluster cluster, String newVersion) {
    this.cluster = cluster;
    this.newVersion = newVersion;
  }

  /**
   * Upgrades a cluster whose nodes run, whose indexes are under Weir, and whose cap is {@link
   * #CAP}.
   *
   * @return what was measured, one line each
   */
  public static List<String> run(Cluster cluster, String newVersion) throws Exception {
    RollingUpgrade upgrade = new RollingUpgrade(cluster, newVersion);
    upgrade.run();
    return upgrade.told;
  }

  /**
   * Upgrades a node that is a cluster by itself, and away meanwhile. Then it starts without the
   * plug-in, and with it again.
   */
  public static void restart(Cluster cluster, String newVersion) throws Exception {
    String node = cluster.nodes().getFirst();
    Map<String, Long> expected = new TreeMap<>();
    for (long number = 0; number < ALONE; number++) {
      expected.put(Long.toString(number), number);
    }
    Map<String, Optional<Long>> documents = new TreeMap<>();
    expected.forEach((id, number) -> documents.put(id, Optional.of(number)));
    assertTrue(cluster.write(node, documents));

    cluster.leave(node);
    cluster.join(node);
    new RollingUpgrade(cluster, newVersion).assertAllTell(node);
    cluster.leave(node);
    cluster.forgetPlugIn(node);
    cluster.join(node);
    new RollingUpgrade(cluster, newVersion).assertAllTell(node);

    cluster.assertDocuments(expected);
  }

  private void run() throws Exception {
    Map<String, Long> expected;
    try (UpgradeLoad load = new UpgradeLoad(cluster)) {
      load.awaitMore();
      for (String node : cluster.nodes()) {
        long began = System.nanoTime();
        cluster.leave(node);
        load.awaitMore();
        boolean isLast = node.equals(cluster.nodes().getLast());
        if (isLast) {
          cluster.forgetPlugIn(node);
        }
        cluster.join(node);
        load.awaitMore();
        tell("%s was upgraded in %.1f s", node, (System.nanoTime() - began) / 1e9);
        assertAllTell(node);
        if (!isLast) {
          assertCapIsExact(load, node);
        }
      }
      expected = load.end();
      tell("%s", load);
    }
    cluster.assertDocuments(expected);
  }

  /** Each node asks all others, so the plug-ins of both versions have to understand each other. */
  private void assertAllTell(String upgraded) throws IOException {
    List<String> nodes = cluster.nodes();
    int upgradedNodes = nodes.indexOf(upgraded) + 1;
    for (String by : nodes) {
      Map<String, String> versions = cluster.versions(by);
      assertEquals(nodes, List.copyOf(versions.keySet()), by);
      for (int node = 0; node < nodes.size(); node++) {
        assertEquals(
            node < upgradedNodes,
            versions.get(nodes.get(node)).equals(newVersion),
            versions::toString);
      }
      Map<String, Merges> merges = cluster.merges(by);
      assertEquals(nodes, List.copyOf(merges.keySet()), by);
      for (Merges figures : merges.values()) {
        assertEquals(CAP, figures.capBytesPerSecond(), () -> by + ": " + merges);
      }
    }
  }

  /** The figures of all nodes, between two times. */
  private record Sample(long beganNanos, long endedNanos, Map<String, Merges> merges) {}

  private Sample sample(String by) throws IOException {
    long began = System.nanoTime();
    Map<String, Merges> merges = cluster.merges(by);
    return new Sample(began, System.nanoTime(), merges);
  }

  /** By way of a node with the old version; the cancellation also by way of the upgraded one. */
  private void assertCapIsExact(UpgradeLoad load, String upgraded) throws Exception {
    String old = cluster.nodes().getLast();
    CompletableFuture<Void> merge =
        CompletableFuture.runAsync(
            () -> {
              try {
                cluster.forceMerge(upgraded);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            Thread::startVirtualThread);
    Await.until("a forced merge on each node", () -> allMerge(old, merge));
    Sample before = sample(old);
    load.awaitTime(MEASURED);
    Sample after = sample(old);
    Await.until("the end of cancelled merges", () -> cancel(upgraded, merge) || cancel(old, merge));
    merge.handle((done, failure) -> null).get(1, TimeUnit.MINUTES);
    for (String node : cluster.nodes()) {
      assertExact(node, before, after);
    }
  }

  private boolean allMerge(String by, CompletableFuture<Void> merge) {
    assertTrue(
        !merge.isDone(), () -> "it ended: " + merge.handle((done, failure) -> failure).join());
    try {
      return cluster.merges(by).values().stream().allMatch(node -> node.forcedRunning() > 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A merge that waited for its turn begins when the one before it is cancelled. */
  private boolean cancel(String by, CompletableFuture<Void> merge) {
    try {
      cluster.cancelForcedMerges(by);
      return merge.isDone();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertExact(String node, Sample before, Sample after) {
    double longest = (after.endedNanos - before.beganNanos) / 1e9;
    double shortest = (after.beganNanos - before.endedNanos) / 1e9;
    Merges first = before.merges.get(node);
    Merges last = after.merges.get(node);
    long charged = last.chargedBytes() - first.chargedBytes();
    long waited = last.waitMillis() - first.waitMillis();
    String figures =
        "%s: %d bytes charged, %d ms waited in %.3f to %.3f s: %.1f%% of the cap"
            .formatted(node, charged, waited, shortest, longest, 100 * charged / longest / CAP);
    tell("%s", figures);
    assertTrue(charged <= CAP * longest * (1 + EXACT), figures);
    assertTrue(charged >= CAP * shortest * USED, figures);
    assertTrue(waited >= shortest * 1000 * 0.5, figures); // so it is the cap that held it
  }

  private void tell(String format, Object... values) {
    told.add(format.formatted(values));
  }
}
