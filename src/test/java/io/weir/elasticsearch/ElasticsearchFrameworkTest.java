package io.weir.elasticsearch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.FrameworkJvm;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The plug-in in Elasticsearch's own test framework, in a JVM of its own. */
@Slow("starts a JVM with the test framework of Elasticsearch")
@LongRun("the framework's random tests; ElasticsearchPluginIT has a server")
@Timeout(300)
class ElasticsearchFrameworkTest {

  @TempDir Path scratch;

  @Test
  void plugIn_inTheTestFrameworkOfElasticsearch_passes() throws Exception {
    int tests =
        FrameworkJvm.run(
            scratch,
            "elasticsearch-tests",
            List.of("-Dtests.system_call_filter=false"),
            "io.weir.elasticsearch",
            "WeirStoreTests",
            "WeirEngineTests",
            "WeirNeighboursTests",
            "WeirPluginTests");
    assertTrue(tests > 55, tests + " tests"); // the kit for directories has as many
  }
}
