package io.weir.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.stress.Await;
import io.weir.suite.Distribution;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A node of OpenSearch in a process of its own, from a copy of the distribution that {@code
 * tools/engine} fetches. A root starts it as {@code nobody}, because OpenSearch refuses to be root.
 */
final class OpenSearchServer {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration START = Duration.ofSeconds(180);

  /** The feature is one that Weir refuses; without it the engine does not know its setting. */
  private static final String JVM_OPTIONS =
      "-Xms400m -Xmx400m -XX:TieredStopAtLevel=1"
          + " -Dopensearch.experimental.feature.context_aware.migration.enabled=true";

  /** An answer of the server. */
  record Answer(int status, JsonNode body) {}

  private final String name;
  private final Path directory;
  private final Path home;
  private final int port = freePort();
  private final int transportPort = freePort();
  private final HttpClient client = HttpClient.newHttpClient();
  private Process process; // null while it is stopped

  private OpenSearchServer(String name, Path directory) {
    this.name = name;
    this.directory = directory;
    this.home = directory.resolve("home");
  }

  /**
   * A server that is not started yet. Without a distribution the test is skipped.
   *
   * @param directory where it may write
   */
  static OpenSearchServer copiedTo(Path directory) throws Exception {
    Path distribution = Distribution.of("opensearch");
    OpenSearchServer server = new OpenSearchServer("first", directory);
    for (String needed : List.of("data", "logs", "repository", "tmp")) {
      Files.createDirectory(directory.resolve(needed));
    }
    ended(server.command("cp", "-a", distribution.toString(), server.home.toString()));
    Files.copy(built(), directory.resolve("weir.zip"));
    if (isRoot()) {
      ended(server.command("chown", "-R", "nobody", directory.toString()));
    }
    return server;
  }

  /** The plug-in that the build has made, for this version. */
  private static Path built() {
    return Path.of(
        "target",
        "weir-opensearch-%s-for-%s.zip"
            .formatted(
                System.getProperty("weir.version"), System.getProperty("opensearch.version")));
  }

  /** Installs the plug-in as an operator does; what the tool said. */
  String installWeir() throws Exception {
    return plugin("install", "--batch", "file://" + directory.resolve("weir.zip"));
  }

  /** Another node of the same installation, with data of its own; not started yet. */
  OpenSearchServer another(String itsName) {
    return new OpenSearchServer(itsName, directory);
  }

  /** Calls {@code bin/opensearch-plugin}; what it said. */
  String plugin(String... arguments) throws Exception {
    List<String> command = asUser(home.resolve("bin/opensearch-plugin").toString());
    command.addAll(List.of(arguments));
    return ended(command(command.toArray(String[]::new)));
  }

  /** Starts it as a cluster of one node, and waits until it answers. */
  void start(String... settings) throws Exception {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("discovery.type=single-node");
    begin(all);
    awaitUp();
  }

  /** Begins to start it as a node of a cluster that {@code first} founds. */
  void beginWith(OpenSearchServer first, String... settings) throws Exception {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("discovery.seed_hosts=127.0.0.1:" + first.transportPort);
    all.add("cluster.initial_cluster_manager_nodes=" + first.name);
    begin(all);
  }

  private void begin(List<String> settings) throws Exception {
    List<String> command = asUser(home.resolve("bin/opensearch").toString());
    command.addAll(
        List.of(
            "-Epath.data=" + directory.resolve("data").resolve(name),
            "-Epath.logs=" + directory.resolve("logs").resolve(name),
            "-Epath.repo=" + directory.resolve("repository"),
            "-Enode.name=" + name,
            "-Enetwork.host=127.0.0.1",
            "-Ehttp.port=" + port,
            "-Etransport.port=" + transportPort,
            "-Ecluster.routing.allocation.disk.threshold_enabled=false"));
    for (String setting : settings) {
      command.add("-E" + setting);
    }
    process = command(command.toArray(String[]::new)).start();
  }

  /**
   * Waits until it has made the keystore of its installation, which two nodes cannot do at once.
   */
  void awaitKeystore() {
    Path keystore = home.resolve("config/opensearch.keystore");
    Await.until("the keystore", () -> Files.exists(keystore) || !process.isAlive());
  }

  /** Waits until it answers as a node of its cluster. */
  void awaitUp() throws InterruptedException {
    long end = System.nanoTime() + START.toNanos();
    while (!answers()) {
      assertTrue(process.isAlive() && System.nanoTime() < end, () -> "no start: " + output());
      assertTrue(!process.waitFor(200, TimeUnit.MILLISECONDS), () -> "it ended: " + output());
    }
  }

  private boolean answers() {
    try {
      return call("GET", "/_cluster/health?wait_for_status=yellow&timeout=1s", null).status == 200;
    } catch (IOException e) {
      return false;
    }
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
      return Files.readString(directory.resolve("output"));
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

  Answer call(String method, String path, String json) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(120))
            .header("Content-Type", "application/json")
            .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
            .build();
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      return new Answer(response.statusCode(), JSON.readTree(response.body()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** The text of any address of this machine. */
  String text(int otherPort, String path) throws IOException {
    try (var in = URI.create("http://127.0.0.1:" + otherPort + path).toURL().openStream()) {
      return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    }
  }

  Path directory() {
    return directory;
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Ends it, and removes its files. */
  void close() throws Exception {
    stop();
    client.close();
    new ProcessBuilder("rm", "-rf", directory.toString()).start().waitFor();
  }

  private ProcessBuilder command(String... command) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("output").toFile()));
    builder.environment().put("OPENSEARCH_JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("OPENSEARCH_TMPDIR", directory.resolve("tmp").toString());
    builder.environment().put("HOME", directory.resolve("tmp").toString());
    builder.environment().put("OPENSEARCH_JAVA_OPTS", JVM_OPTIONS);
    return builder;
  }

  private static List<String> asUser(String program) {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
    }
    command.add(program);
    return command;
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static String ended(ProcessBuilder builder) throws Exception {
    Path output = builder.redirectOutput().file().toPath();
    long before = Files.exists(output) ? Files.size(output) : 0;
    Process process = builder.start();
    try {
      assertTrue(process.waitFor(120, TimeUnit.SECONDS), () -> "still running: " + builder);
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(output).substring((int) before);
    assertEquals(0, process.exitValue(), () -> builder.command() + ": " + said);
    return said;
  }
}
