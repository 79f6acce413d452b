package io.weir.elasticsearch;

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
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/**
 * A {@link RollingUpgrade} of three nodes, from a version for which the plug-in is another build.
 * {@code -Dweir.elasticsearch.older=9.0.8} upgrades from another version.
 */
@Slow("starts three nodes of Elasticsearch, and then four of another version")
@LongRun("three nodes of two versions; ElasticsearchPluginIT has one node of one")
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ElasticsearchUpgradeIT {

  private static final String ENGINE = "elasticsearch";
  private static final String ON = "\"index.weir.enabled\":true";
  private static final String OFF = "\"index.weir.enabled\":null";

  @Test
  void upgrade_nodeByNodeUnderLoad_losesNothingAndHoldsTheCap(TestReporter reporter)
      throws Exception {
    Upgraded cluster = new Upgraded("first", "second", "third");
    try {
      cluster.start();
      List<String> told = RollingUpgrade.run(cluster, Distribution.version(ENGINE));
      reporter.publishEntry("upgrade", String.join("\n", told));
    } finally {
      cluster.end();
    }
  }

  @Test
  void restart_ofANodeAlone_losesNothing() throws Exception {
    Upgraded cluster = new Upgraded("alone");
    try {
      cluster.start();
      RollingUpgrade.restart(cluster, Distribution.version(ENGINE));
    } finally {
      cluster.end();
    }
  }

  /** Nodes whose installations are replaced. */
  private static final class Upgraded extends RestCluster {

    private final List<String> names;
    private final Path oldEngine;
    private final Path oldPlugIn;
    private final Path newEngine;
    private final Map<String, ElasticsearchServer> servers = new TreeMap<>();

    Upgraded(String... names) throws Exception {
      super(ON, OFF);
      this.names = List.of(names);
      String older = Distribution.older(ENGINE);
      oldEngine = Distribution.of(ENGINE, older);
      newEngine = Distribution.of(ENGINE);
      oldPlugIn = Distribution.plugIn(ENGINE, older);
    }

    private static String install(ElasticsearchServer server, Path plugIn) throws Exception {
      return server.plugin("install", "--batch", plugIn.toUri().toString());
    }

    void start() throws Exception {
      for (String node : names) {
        ElasticsearchServer server = ElasticsearchServer.copied(oldEngine);
        servers.put(node, server);
        install(server, oldPlugIn);
      }
      for (String node : names) {
        launch(node);
      }
      for (String node : names) {
        awaitStart(node);
      }
      fill();
    }

    private void launch(String node) throws Exception {
      servers
          .get(node)
          .launch(
              List.of(
                  "node.name=" + node,
                  "cluster.initial_master_nodes=" + names.getFirst(),
                  "discovery.seed_hosts="
                      + servers.values().stream()
                          .map(ElasticsearchServer::address)
                          .collect(Collectors.joining(","))));
    }

    private void awaitStart(String node) throws IOException {
      servers.get(node).awaitAnswer("wait_for_nodes=" + servers.size());
    }

    void end() throws Exception {
      for (ElasticsearchServer server : servers.values()) {
        server.end();
      }
    }

    @Override
    public List<String> nodes() {
      return names;
    }

    @Override
    public List<String> running() {
      return names.stream().filter(node -> servers.get(node).isRunning()).toList();
    }

    @Override
    protected Answer call(String by, String method, String path, String json) throws IOException {
      ElasticsearchServer.Answer answer =
          servers.get(by).send(method, path, json == null ? "" : json);
      return new Answer(answer.status(), answer.json());
    }

    @Override
    public void leave(String node) throws Exception {
      prepareToLeave(node);
      servers.get(node).stop();
      servers.get(node).replace(newEngine);
    }

    /** A new installation has no plug-in, and it does not take the old one. */
    @Override
    public void forgetPlugIn(String node) throws Exception {
      ElasticsearchServer server = servers.get(node);
      Exception refused =
          assertThrows(IllegalStateException.class, () -> install(server, oldPlugIn));
      assertTrue(refused.getMessage().contains("was built for"), refused::getMessage);

      launch(node);
      awaitStart(node);
      if (names.size() == 1) {
        awaitReason(node, "red", "unknown setting [index.weir");
        assertTrue(hasPutTheCapAway(node), "the cap is still there");
      } else {
        allocate(node);
        awaitReason(node, "yellow", "unknown setting [index.weir");
      }
      server.stop();
    }

    @Override
    public void join(String node) throws Exception {
      install(servers.get(node), Distribution.plugIn(ENGINE));
      launch(node);
      awaitStart(node);
      allocate(node);
      awaitHealth(node, "green");
    }
  }
}
