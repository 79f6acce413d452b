package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.exporter.Collector;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What other tools see of a run; {@link CommandRunTest} and {@link CommandRoundsTest} have runs.
 */
class CommandMetricsTest {

  @TempDir Path temp;

  @Test
  void stress_whereNoCollectorListens_isRefusedBeforeAnythingIsDone() throws Exception {
    Collector gone = new Collector();
    gone.close();
    String out = "--out=" + temp.resolve("run");
    WeirProcess.Ended ended = InProcess.run("stress", out, "--otlp-url=" + gone.url());
    assertEquals(2, ended.exitCode(), ended.toString());
    assertTrue(
        ended.toString().contains("--otlp-url must be the address of a collector: " + gone.url()),
        ended.toString());
    assertEquals(2, InProcess.run("stress", "--otlp-url=localhost:4318").exitCode(), "no address");
  }

  @Test
  void stress_aPortThatIsTaken_isRefusedBeforeAnythingIsDone() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      WeirProcess.Ended ended =
          InProcess.run(
              "stress", "--out=" + temp.resolve("run"), "--metrics-port=" + taken.getLocalPort());
      assertEquals(2, ended.exitCode(), ended.toString());
      assertTrue(
          ended.toString().contains("--metrics-port must be a free port: " + taken.getLocalPort()),
          ended.toString());
    }
  }
}
