package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.RestCluster;
import io.weir.engine.RollingUpgrade;
import io.weir.suite.Distribution;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A {@link RollingUpgrade} of three nodes, from a version for which the plug-in is another build.
 * {@code -Dweir.opensearch.older=3.6.0} upgrades from another version.
 */
@Slow("starts three nodes of OpenSearch, and then four of another version")
@LongRun("three nodes of two versions; OpenSearchPluginIT has one node of one")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenSearchUpgradeIT {

  private static final String ENGINE = "opensearch";
  private static final String ON = "\"index.store.type\":\"weir\"";
  private static final String OFF = "\"index.store.type\":null";

  @Test
  void upgrade_nodeByNodeUnderLoad_losesNothingAndHoldsTheCap(
      @TempDir(cleanup = CleanupMode.NEVER) Path directory, TestReporter reporter)
      throws Exception {
    Upgraded cluster = new Upgraded(directory, "first", "second", "third");
    try {
      cluster.start();
      List<String> told = RollingUpgrade.run(cluster, Distribution.version(ENGINE));
      reporter.publishEntry("upgrade", String.join("\n", told));
    } finally {
      cluster.close();
    }
  }

  @Test
  void restart_ofANodeAlone_losesNothing(@TempDir(cleanup = CleanupMode.NEVER) Path directory)
      throws Exception {
    Upgraded cluster = new Upgraded(directory, "alone");
    try {
      cluster.start();
      RollingUpgrade.restart(cluster, Distribution.version(ENGINE));
    } finally {
      cluster.close();
    }
  }

  /** Nodes that move from an old installation to a new one. */
  private static final class Upgraded extends RestCluster {

    private final OpenSearchHome old;
    private final OpenSearchHome withoutPlugIn;
    private final OpenSearchHome renewed;
    private final OpenSearchCluster cluster;

    Upgraded(Path directory, String founder, String... others) throws Exception {
      super(ON, OFF);
      String version = Distribution.older(ENGINE);
      old =
          OpenSearchHome.copiedTo(
              directory,
              "old",
              Distribution.of(ENGINE, version),
              Distribution.plugIn(ENGINE, version));
      withoutPlugIn = OpenSearchHome.copiedTo(directory);
      renewed = withoutPlugIn.another("renewed");
      old.installWeir();
      renewed.installWeir();
      cluster =
          new OpenSearchCluster(
              new OpenSearchServer(founder, old),
              Stream.of(others)
                  .map(name -> new OpenSearchServer(name, old))
                  .toArray(OpenSearchServer[]::new));
    }

    void start() throws Exception {
      for (OpenSearchServer node : cluster.nodes()) {
        cluster.launch(node, old);
      }
      for (OpenSearchServer node : cluster.nodes()) {
        cluster.awaitStart(node);
      }
      fill();
    }

    void close() throws Exception {
      cluster.close();
      old.close();
    }

    @Override
    public List<String> nodes() {
      return cluster.nodes().stream().map(OpenSearchServer::name).toList();
    }

    @Override
    public List<String> running() {
      return cluster.nodes().stream()
          .filter(OpenSearchServer::isRunning)
          .map(OpenSearchServer::name)
          .toList();
    }

    private OpenSearchServer node(String name) {
      return cluster.nodes().stream().filter(n -> n.name().equals(name)).findFirst().orElseThrow();
    }

    @Override
    protected Answer call(String by, String method, String path, String json) throws IOException {
      OpenSearchServer.Answer answer = node(by).call(method, path, json);
      return new Answer(answer.status(), answer.body());
    }

    @Override
    public void leave(String node) throws Exception {
      prepareToLeave(node);
      cluster.stop(node(node));
    }

    /** A new installation has no plug-in, and it does not take the old one. */
    @Override
    public void forgetPlugIn(String node) throws Exception {
      if (!Distribution.plugIn(ENGINE)
          .equals(Distribution.plugIn(ENGINE, Distribution.older(ENGINE)))) {
        AssertionError refused =
            assertThrows(AssertionError.class, () -> withoutPlugIn.installWeirOf(old));
        assertTrue(refused.getMessage().contains("was built for"), refused::getMessage);
      }
      cluster.launch(node(node), withoutPlugIn);
      cluster.awaitStart(node(node));
      if (nodes().size() == 1) {
        awaitReason(node, "red", "Unknown store type [weir]");
        assertTrue(hasPutTheCapAway(node), "the cap is still there");
      } else {
        allocate(node);
        awaitReason(node, "yellow", "the node does not have the plug-in weir");
      }
      cluster.stop(node(node));
    }

    @Override
    public void join(String node) throws Exception {
      cluster.launch(node(node), renewed);
      cluster.awaitStart(node(node));
      allocate(node);
      awaitHealth(node, "green");
    }
  }
}
