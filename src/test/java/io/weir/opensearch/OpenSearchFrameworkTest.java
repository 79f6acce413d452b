package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.FrameworkJvm;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The plug-in in OpenSearch's own test framework, in a JVM of its own. */
@Slow("starts a JVM with the test framework of OpenSearch")
@LongRun("the framework's random tests; OpenSearchPluginIT has a server")
@Timeout(300)
class OpenSearchFrameworkTest {

  @TempDir Path scratch;

  @Test
  void plugIn_inTheTestFrameworkOfOpenSearch_passes() throws Exception {
    int tests =
        FrameworkJvm.run(
            scratch,
            "opensearch-tests",
            List.of("-Dtests.security.manager=false"),
            "io.weir.opensearch",
            "WeirStoreTests",
            "WeirEngineTests",
            "WeirPluginTests",
            "WeirNodeTests",
            "WeirNeighboursTests",
            "WeirTelemetryTests");
    assertTrue(tests > 55, tests + " tests"); // the kit for directories has as many
  }
}
