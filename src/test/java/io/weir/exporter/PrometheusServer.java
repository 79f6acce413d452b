package io.weir.exporter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.suite.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A real Prometheus that scrapes one server five times a second, on a free port, with a directory
 * of its own. Gone when it is closed.
 */
public final class PrometheusServer implements AutoCloseable {

  /** How often it scrapes. */
  public static final long SCRAPE_NANOS = 200_000_000;

  private static final long SOON_NANOS = 15_000_000_000L;

  private static final List<String> PROGRAMS = List.of("prometheus", "promtool");
  private static final int STOPPING_SECONDS = 20;
  private static final int UNAVAILABLE = 503;

  private final HttpClient client = HttpClient.newHttpClient();
  private final ObjectMapper json = new ObjectMapper();
  private final Path log;
  private final String api;
  private final Process process;

  /**
   * Starts it.
   *
   * @param scraped what serves {@code /metrics}
   * @param rules a file of alerts
   * @param directory for what it writes
   */
  public PrometheusServer(InetSocketAddress scraped, Path rules, Path directory)
      throws IOException {
    int port = FreePort.next();
    api = "http://127.0.0.1:" + port + "/api/v1/";
    log = directory.resolve("prometheus.log");
    Path config = directory.resolve("prometheus.yml");
    Files.writeString(
        config,
        """
        global:
          scrape_interval: 200ms
          scrape_timeout: 200ms
          evaluation_interval: 1s
        rule_files: ["%s"]
        scrape_configs:
          - job_name: weir
            static_configs:
              - targets: ["127.0.0.1:%d"]
        """
            .formatted(rules.toAbsolutePath(), scraped.getPort()));
    process =
        new ProcessBuilder(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
  }

  /** Whether this machine has it and its tool. */
  public static boolean isInstalled() {
    return PROGRAMS.stream()
        .allMatch(
            program ->
                Arrays.stream(System.getenv("PATH").split(":"))
                    .anyMatch(directory -> Files.isExecutable(Path.of(directory, program))));
  }

  /** Whether a query has samples soon: after a scrape that took too long, it has none for once. */
  public boolean hasSoon(String query) throws Exception {
    long endNanos = System.nanoTime() + SOON_NANOS;
    boolean found = has(query);
    while (!found && System.nanoTime() < endNanos) {
      LockSupport.parkNanos(SCRAPE_NANOS);
      found = has(query);
    }
    return found;
  }

  /** The answer to a query of the moment; empty while it does not answer yet. */
  public JsonNode query(String query) throws Exception {
    return get("query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
  }

  /** The value of a query that has one; NaN if it has none. */
  public double value(String query) throws Exception {
    return query(query).at("/data/result/0/value/1").asDouble(Double.NaN);
  }

  /** Whether a query has samples. */
  public boolean has(String query) throws Exception {
    return !query(query).at("/data/result").isEmpty();
  }

  /** What is at a path of its API; empty while it does not answer yet. */
  public JsonNode get(String path) throws Exception {
    if (!process.isAlive()) {
      throw new IllegalStateException("Prometheus has ended: " + Files.readString(log));
    }
    try {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create(api + path)).build(),
              HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == UNAVAILABLE
          ? json.createObjectNode()
          : json.readTree(answer.body());
    } catch (ConnectException e) {
      return json.createObjectNode(); // it does not listen yet
    }
  }

  @Override
  public void close() {
    client.close();
    process.destroy();
    process
        .onExit()
        .completeOnTimeout(process, STOPPING_SECONDS, TimeUnit.SECONDS)
        .thenAccept(Process::destroyForcibly)
        .join();
    process.onExit().join();
  }
}
