package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.suite.FreePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node of OpenSearch in a process of its own, with data of its own. */
final class OpenSearchServer {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration START = Duration.ofSeconds(180);

  /**
   * The first feature is one that Weir refuses; without it the engine does not know its setting.
   */
  private static final String JVM_OPTIONS =
      "-Xms512m -Xmx512m -XX:TieredStopAtLevel=1"
          + " -Dopensearch.experimental.feature.context_aware.migration.enabled=true"
          + " -Dopensearch.experimental.feature.telemetry.enabled=true";

  /** An answer of the server. */
  record Answer(int status, JsonNode body) {}

  private final String name;
  private final Path directory;
  private final Path output;
  private final int port = FreePort.next();
  private final int transportPort = FreePort.next();
  private final HttpClient client = HttpClient.newHttpClient();
  private Process process; // null while it is stopped
  private String authorization = ""; // none

  /** Not started yet; its files go below the directory of {@code home}. */
  OpenSearchServer(String name, OpenSearchHome home) {
    this.name = name;
    this.directory = home.directory();
    this.output = directory.resolve(name + ".output");
  }

  String name() {
    return name;
  }

  /** Calls as this user from now on; without this call, as none. */
  void setUser(String user, String password) {
    byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    authorization = "Basic " + Base64.getEncoder().encodeToString(both);
  }

  /** Where other nodes of its cluster find it. */
  String address() {
    return "127.0.0.1:" + transportPort;
  }

  /** Starts it as a cluster of one node, and waits until it answers. */
  void start(OpenSearchHome home, String... settings) throws Exception {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("discovery.type=single-node");
    launch(home, all);
    awaitAnswer("wait_for_status=yellow");
  }

  /** Starts it, and does not wait. */
  void launch(OpenSearchHome home, List<String> settings) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of(
                "path.data=" + directory.resolve("data").resolve(name),
                "path.logs=" + directory.resolve("logs").resolve(name),
                "path.repo=" + directory.resolve("repository"),
                "node.name=" + name,
                "network.host=127.0.0.1",
                "http.port=" + port,
                "transport.port=" + transportPort,
                "cluster.routing.allocation.disk.threshold_enabled=false"));
    all.addAll(settings);
    process = home.start(JVM_OPTIONS, output, all);
  }

  /** Waits until the health of its cluster is as wished. */
  void awaitAnswer(String wish) throws Exception {
    long end = System.nanoTime() + START.toNanos();
    while (!answers(wish)) {
      assertTrue(process.isAlive() && System.nanoTime() < end, () -> "no start: " + output());
      assertTrue(!process.waitFor(200, TimeUnit.MILLISECONDS), () -> "it ended: " + output());
    }
  }

  private boolean answers(String wish) {
    try {
      return call("GET", "/_cluster/health?timeout=1s&" + wish, null).status == 200;
    } catch (IOException e) {
      return false;
    }
  }

  boolean isRunning() {
    return process != null;
  }

  /** Its process, while it runs. */
  Process process() {
    return process;
  }

  /** Ends it, and waits for that. */
  void stop() throws InterruptedException {
    if (process != null) {
      process.destroy();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      process = null;
    }
  }

  /** Kills it, as a power cut would end it. */
  void kill() throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
    process = null;
  }

  /** What the server wrote to its console. */
  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Calls that must succeed. */
  JsonNode get(String path) throws IOException {
    return succeeded("GET", path, null);
  }

  JsonNode put(String path, String json) throws IOException {
    return succeeded("PUT", path, json);
  }

  JsonNode post(String path, String json) throws IOException {
    return succeeded("POST", path, json);
  }

  private JsonNode succeeded(String method, String path, String json) throws IOException {
    Answer answer = call(method, path, json);
    assertTrue(answer.status < 300, () -> method + " " + path + ": " + answer);
    return answer.body;
  }

  /** Where it answers. */
  String url() {
    return "http://127.0.0.1:" + port;
  }

  Answer call(String method, String path, String json) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .timeout(Duration.ofSeconds(120))
            .header("Content-Type", "application/json")
            .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
    if (!authorization.isEmpty()) {
      request.header("Authorization", authorization);
    }
    try {
      HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), JSON.readTree(response.body()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** The text of any address of this machine. */
  String text(int otherPort, String path) throws IOException {
    try (var in = URI.create("http://127.0.0.1:" + otherPort + path).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Ends it. */
  void close() throws InterruptedException {
    stop();
    client.close();
  }
}
