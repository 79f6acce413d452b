package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.SmallIndex;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code --metrics-port}: an experiment that can be scraped while it runs. */
@Timeout(120)
class CommandMetricsTest {

  @TempDir Path temp;

  @Test
  void stress_withAMetricsPort_servesTheArmThatRuns() throws Exception {
    Path index = SmallIndex.build(temp.resolve("index"), 2000);
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (HttpClient client = HttpClient.newHttpClient();
        WeirProcess weir =
            WeirProcess.start(
                temp,
                "stress",
                "--docs=synthetic:2000",
                "--out=run",
                "--index=" + index,
                "--metrics-port=" + port,
                "--warmup=300ms",
                "--before=300ms",
                "--after=300ms",
                "--arm",
                "mine: merge=none, during=4s, reopens-per-second=10, cap=7MB/s")) {
      weir.awaitProgress("arm mine (1 of 1): without a merge");
      String text =
          client
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      assertTrue(
          text.lines()
              .anyMatch(
                  line ->
                      line.matches(
                          "lucene_refresh_seconds_count\\{index=\"mine\",result=\"changed\"} [1-9]\\d*")),
          text);
      assertTrue(text.contains("lucene_merge_written_bytes_total{index=\"mine\""), text);
      assertTrue(text.contains("jvm_memory_used_bytes"), text);
      assertTrue(
          text.lines().anyMatch(line -> line.matches("lucene_merge_rate_limit_.* 7000000.0")),
          text);
      assertEquals(0, weir.await().exitCode());
    }
  }

  @Test
  void stress_aPortThatIsTaken_isRefusedBeforeAnythingIsDone() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        WeirProcess weir =
            WeirProcess.start(
                temp, "stress", "--out=run", "--metrics-port=" + taken.getLocalPort())) {
      WeirProcess.Ended ended = weir.await();
      assertEquals(2, ended.exitCode(), ended.toString());
      assertTrue(
          ended.toString().contains("--metrics-port must be a free port: " + taken.getLocalPort()),
          ended.toString());
    }
  }
}
