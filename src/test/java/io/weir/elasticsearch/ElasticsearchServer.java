package io.weir.elasticsearch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.suite.Distribution;
import io.weir.suite.FreePort;
import io.weir.suite.IdleThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A real Elasticsearch node of one test class, on a copy of the distribution, so that a plug-in can
 * be installed and removed. It runs as {@code nobody} if the tests run as root, which the server
 * refuses.
 */
final class ElasticsearchServer {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration START = Duration.ofSeconds(180);
  private static final int TRIES = 3;

  /** It is up long before the second compiler earns its time. */
  private static final String JVM_OPTIONS = "-Xms512m -Xmx512m -XX:TieredStopAtLevel=1";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path directory;
  private final Path home;
  private final boolean root = System.getProperty("user.name").equals("root");
  private Optional<String> user = Optional.empty();
  private final int transportPort = FreePort.next();
  private int port;
  private ProcessBuilder command;
  private int saidBefore;
  private volatile Process process; // null while it is stopped

  /** What the server answered. */
  record Answer(int status, String text) {

    JsonNode json() {
      try {
        return JSON.readTree(text);
      } catch (IOException e) {
        throw new UncheckedIOException(text, e);
      }
    }
  }

  private ElasticsearchServer(Path directory) {
    this.directory = directory;
    this.home = directory.resolve("elasticsearch");
  }

  /** Copies the distribution into a directory of its own. */
  static ElasticsearchServer copied() throws Exception {
    return copied(Distribution.of("elasticsearch"));
  }

  static ElasticsearchServer copied(Path distribution) throws Exception {
    ElasticsearchServer server =
        new ElasticsearchServer(Files.createTempDirectory("weir-elasticsearch"));
    server.replace(distribution);
    Files.createDirectories(server.snapshots());
    return server;
  }

  /** Replaces the engine and its plug-ins while the node is stopped; its data stays. */
  void replace(Path distribution) throws Exception {
    run(List.of("rm", "-rf", home.toString()));
    run(List.of("cp", "-R", distribution.toString(), home.toString()));
    Distribution.useWhatThisJavaHas(home);
  }

  /** Where its indexes are. */
  Path data() {
    return directory.resolve("data");
  }

  /** A directory for repositories of snapshots. */
  Path snapshots() {
    return directory.resolve("snapshots");
  }

  /** Runs {@code bin/elasticsearch-plugin}, and returns what it says. */
  String plugin(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/elasticsearch-plugin").toString());
    command.addAll(List.of(arguments));
    return run(command);
  }

  /**
   * Adds a user with roles, whose password is the name in twice. The first user is that of all
   * requests that name no other, and turns the engine's security on.
   */
  void addUser(String name, String... roles) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/elasticsearch-users").toString());
    command.addAll(List.of("useradd", name, "-p", name + name));
    if (roles.length > 0) {
      command.addAll(List.of("-r", String.join(",", roles)));
    }
    run(command);
    user = user.or(() -> Optional.of(name));
  }

  /** Adds a role with a privilege for the cluster. */
  void addRole(String name, String privilege) throws IOException {
    Files.writeString(
        home.resolve("config/roles.yml"),
        name + ":\n  cluster: [" + privilege + "]\n",
        StandardOpenOption.APPEND);
  }

  /** Starts the node as a cluster of its own, and waits until it answers. */
  void start(String... settings) throws Exception {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("discovery.type=single-node");
    launch(all);
    awaitAnswer("wait_for_status=yellow");
  }

  /** Starts the node, and does not wait. */
  void launch(List<String> settings) throws Exception {
    port = FreePort.next();
    List<String> words = new ArrayList<>();
    if (root) {
      run(List.of("chown", "-R", "nobody", directory.toString()));
      words.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
      words.addAll(IdleThreads.permission());
      words.add("--");
    }
    words.addAll(
        List.of(
            home.resolve("bin/elasticsearch").toString(),
            "-Ehttp.port=" + port,
            "-Etransport.port=" + transportPort,
            "-Enetwork.host=127.0.0.1",
            "-Ecluster.routing.allocation.disk.threshold_enabled=false",
            "-Eindices.memory.index_buffer_size=64mb",
            "-Epath.repo=" + snapshots(),
            "-Epath.data=" + directory.resolve("data"),
            "-Expack.security.enabled=" + user.isPresent(),
            "-Epath.logs=" + directory.resolve("logs")));
    for (String setting : settings) {
      words.add("-E" + setting);
    }
    command =
        environment(new ProcessBuilder(words))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
    launchAgain();
  }

  private void launchAgain() throws IOException {
    saidBefore = logText().length();
    process = command.start();
  }

  /** Waits until the health of its cluster is as wished. */
  void awaitAnswer(String wish) throws IOException {
    for (int left = TRIES - 1; !answersAtLast(wish); left--) {
      // A killed JVM with the same process identifier may have left its socket, as another user.
      String said = logText().substring(saidBefore);
      if (left == 0 || process.isAlive() || !said.contains(".java_pid")) {
        throw new IllegalStateException("Elasticsearch did not start:\n" + said);
      }
      launchAgain();
    }
  }

  boolean isRunning() {
    return process != null;
  }

  /** Its process, while it runs. */
  Process process() {
    return process;
  }

  /** Where other nodes of its cluster find it. */
  String address() {
    return "127.0.0.1:" + transportPort;
  }

  /** Where it answers. */
  String url() {
    return "http://127.0.0.1:" + port;
  }

  /** Not when it has ended, nor after a long time. */
  private boolean answersAtLast(String wish) {
    long deadline = System.nanoTime() + START.toNanos();
    while (!answers(wish)) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        return false;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
    }
    return true;
  }

  private boolean answers(String wish) {
    try {
      return send("GET", "/_cluster/health?timeout=1s&" + wish, "").status() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Stops the node as an operator would. */
  void stop() throws Exception {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("Elasticsearch did not stop:\n" + logText());
    }
    process = null;
  }

  private Path log() {
    return directory.resolve("console.log");
  }

  /** All that the node has said. */
  String logText() {
    try {
      return Files.exists(log()) ? Files.readString(log()) : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a request whose answer must be good. */
  JsonNode ask(String method, String path, String body) throws IOException {
    Answer answer = send(method, path, body);
    if (answer.status() >= 300) {
      throw new IllegalStateException(method + " " + path + ": " + answer);
    }
    return answer.json();
  }

  JsonNode get(String path) throws IOException {
    return ask("GET", path, "");
  }

  /** Sends a request. */
  Answer send(String method, String path, String body) throws IOException {
    return sendAs(user, method, path, body);
  }

  /** Sends a request of a user, or of none. */
  Answer sendAs(Optional<String> name, String method, String path, String body) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + path))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .header("Content-Type", "application/json")
            .timeout(Duration.ofSeconds(120));
    name.map(known -> known + ":" + known + known)
        .map(credentials -> Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8)))
        .ifPresent(encoded -> request.header("Authorization", "Basic " + encoded));
    try {
      HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString(UTF_8));
      return new Answer(response.statusCode(), response.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  private static ProcessBuilder environment(ProcessBuilder builder) {
    builder.environment().put("ES_JAVA_HOME", Distribution.javaHome());
    builder.environment().put("ES_JAVA_OPTS", JVM_OPTIONS);
    return builder;
  }

  private static String run(List<String> command) throws Exception {
    Process process = environment(new ProcessBuilder(command)).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(command + ": " + said);
    }
    return said;
  }

  /** Kills the node, and deletes all that it had. */
  void end() throws Exception {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    run(List.of("rm", "-rf", directory.toString()));
  }
}
