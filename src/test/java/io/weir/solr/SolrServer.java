package io.weir.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import io.weir.suite.Distribution;
import io.weir.suite.FreePort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A node of Solr in a process of its own, from the jars that {@code tools/engine} fetches. The
 * plug-in is where an operator puts it: in {@code lib} of the node's home.
 */
final class SolrServer {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration START = Duration.ofSeconds(180);

  /** What an operator writes into {@code solrconfig.xml}. */
  private static final String WEIR =
      """
      <directoryFactory name="DirectoryFactory" class="io.weir.solr.WeirDirectoryFactory"/>
      %s
      <indexReaderFactory name="IndexReaderFactory" class="io.weir.solr.WeirIndexReaderFactory"/>
      <indexConfig>
        <mergeScheduler class="io.weir.solr.WeirMergeScheduler">
          <int name="shareWeight">3</int>
        </mergeScheduler>
      </indexConfig>
      """;

  private static final String STOCK = "<codecFactory class=\"solr.SchemaCodecFactory\"/>";

  private static final String CODEC = "<codecFactory class=\"io.weir.solr.WeirCodecFactory\"/>";

  private static final String CONFIG =
      """
      <config>
        <luceneMatchVersion>9.12</luceneMatchVersion>
        %s
        <updateHandler class="solr.DirectUpdateHandler2">
          <updateLog/>
        </updateHandler>
        <requestHandler name="/select" class="solr.SearchHandler">
          <lst name="defaults">
            <str name="df">id</str>
          </lst>
        </requestHandler>
      </config>
      """;

  private static final String SCHEMA =
      """
      <schema name="weir" version="1.7">
        <fieldType name="string" class="solr.StrField" docValues="false"/>
        <fieldType name="long" class="solr.LongPointField"/>
        <fieldType name="text" class="solr.TextField">
          <analyzer>
            <tokenizer class="solr.StandardTokenizerFactory"/>
            <filter class="solr.LowerCaseFilterFactory"/>
          </analyzer>
        </fieldType>
        <field name="id" type="string" required="true"/>
        <field name="_root_" type="string" stored="false"/>
        <field name="_version_" type="long" indexed="false" stored="false"/>
        <field name="n" type="long"/>
        <field name="blob" type="string" indexed="false"/>
        <dynamicField name="*_t" type="text"/>
        <dynamicField name="*_l" type="long"/>
        <dynamicField name="*_s" type="string"/>
        <uniqueKey>id</uniqueKey>
      </schema>
      """;

  private static final String ONE_NODE = "<solr/>";

  private static final String CLOUD =
      """
      <solr>
        <solrcloud>
          <str name="host">127.0.0.1</str>
          <int name="hostPort">${hostPort}</int>
          <str name="hostContext">solr</str>
          <str name="zkHost">${zkHost}</str>
          <int name="zkClientTimeout">3000</int>
        </solrcloud>
      </solr>
      """;

  /** An answer of the server. */
  record Answer(int status, JsonNode body) {}

  private Path libraries;
  private final Path directory;
  private final Path home;
  private final int port = FreePort.next();
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<String> options = new ArrayList<>();
  private volatile Process process; // null while it is stopped

  private SolrServer(Path libraries, Path directory) {
    this.libraries = libraries;
    this.directory = directory;
    this.home = directory.resolve("home");
  }

  /** The jars of a server. Without them the test is skipped. */
  static Path libraries() throws Exception {
    return Distribution.of("solr").resolve("lib");
  }

  /** Starts ZooKeeper's own server. A session ends after at least two ticks. */
  static Process zooKeeper(Path libraries, Path data, int port, int tickMillis) throws IOException {
    return launch(
        List.of(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-Xmx100m",
            "-XX:TieredStopAtLevel=1",
            "-Dzookeeper.admin.enableServer=false",
            "-cp",
            libraries + "/*",
            "org.apache.zookeeper.server.ZooKeeperServerMain",
            Integer.toString(port),
            data.toString(),
            Integer.toString(tickMillis)),
        data);
  }

  /** A server that is not started yet, and no part of a cluster. */
  static SolrServer alone(Path libraries, Path directory) throws IOException {
    return new SolrServer(libraries, directory).withHome(ONE_NODE);
  }

  /** A node of the cluster that this ZooKeeper has. */
  static SolrServer ofCluster(Path libraries, Path directory, String zooKeeper) throws IOException {
    SolrServer server = new SolrServer(libraries, directory).withHome(CLOUD);
    server.options.addAll(List.of("-DzkHost=" + zooKeeper, "-DhostPort=" + server.port));
    return server;
  }

  private SolrServer withHome(String solrXml) throws IOException {
    Files.createDirectories(home.resolve("lib"));
    Files.writeString(home.resolve("solr.xml"), solrXml);
    Files.copy(built(), plugIn());
    configSet("weir", WEIR.formatted(STOCK));
    configSet("weir-codec", WEIR.formatted(CODEC));
    configSet("stock", STOCK);
    Path main = directory.resolve("main/" + SolrMain.class.getName().replace('.', '/') + ".class");
    Files.createDirectories(main.getParent());
    try (InputStream in = SolrMain.class.getResourceAsStream("SolrMain.class")) {
      Files.copy(in, main);
    }
    return this;
  }

  /** Gives it the jars of another version, from its next start on. Home and plug-in stay. */
  void replace(Path otherLibraries) {
    libraries = otherLibraries;
  }

  /** Where the plug-in is. */
  Path plugIn() {
    return home.resolve("lib/weir.jar");
  }

  /** The configuration of a core with Weir, as an operator uploads it to a cluster. */
  byte[] configuration() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String name : List.of("solrconfig.xml", "schema.xml")) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(Files.readAllBytes(home.resolve("configsets/weir/conf").resolve(name)));
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  /** The plug-in that the build has made. */
  private static Path built() {
    return Path.of("target", "weir-solr-" + System.getProperty("weir.version") + ".jar");
  }

  private void configSet(String name, String lines) throws IOException {
    Path conf = home.resolve("configsets/" + name + "/conf");
    Files.createDirectories(conf);
    Files.writeString(conf.resolve("solrconfig.xml"), CONFIG.formatted(lines));
    Files.writeString(conf.resolve("schema.xml"), SCHEMA);
  }

  /** Starts it, and waits until it answers. */
  void start(String... moreOptions) throws Exception {
    Path up = directory.resolve("up");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(Distribution.javaHome(), "bin/java").toString(),
                "-Xmx300m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-Dsolr.log.dir=" + directory));
    command.addAll(options);
    command.addAll(List.of(moreOptions));
    command.addAll(
        List.of(
            "-cp",
            directory.resolve("main") + ":" + libraries + "/*",
            SolrMain.class.getName(),
            home.toString(),
            Integer.toString(port),
            up.toString()));
    Files.deleteIfExists(up);
    process = launch(command, directory);
    long end = System.nanoTime() + START.toNanos();
    while (!Files.exists(up)) {
      assertTrue(System.nanoTime() < end, () -> "no start: " + output());
      assertTrue(!process.waitFor(100, TimeUnit.MILLISECONDS), () -> "it ended: " + output());
    }
  }

  /** Starts a process whose words go to the file {@code output} of a directory. */
  static Process launch(List<String> command, Path directory) throws IOException {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("output").toFile()))
        .start();
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

  /** Kills it, as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    process = null;
  }

  boolean isRunning() {
    return process != null;
  }

  /** What the server wrote to its console. */
  String output() {
    try {
      return Files.readString(directory.resolve("output"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Path home() {
    return home;
  }

  /** Its name in a cluster. */
  String name() {
    return "127.0.0.1:" + port + "_solr";
  }

  /** The address of its collections and cores. */
  String url() {
    return "http://127.0.0.1:" + port + "/solr";
  }

  /** Calls that must succeed. */
  JsonNode get(String path) throws IOException {
    return succeeded("GET", path, null);
  }

  JsonNode post(String path, String json) throws IOException {
    return succeeded("POST", path, BodyPublishers.ofString(json));
  }

  JsonNode post(String path, byte[] content) throws IOException {
    return succeeded("POST", path, BodyPublishers.ofByteArray(content));
  }

  private JsonNode succeeded(String method, String path, BodyPublisher body) throws IOException {
    Answer answer = call(method, path, body);
    assertEquals(200, answer.status, () -> method + " " + path + ": " + answer);
    return answer.body;
  }

  Answer call(String method, String path, BodyPublisher body) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/solr" + path))
            .timeout(Duration.ofSeconds(120))
            .header(
                "Content-Type",
                path.contains("UPLOAD") ? "application/octet-stream" : "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : body)
            .build();
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      String text = response.body();
      return new Answer(
          response.statusCode(),
          text.startsWith("{") ? JSON.readTree(text) : TextNode.valueOf(text));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** The text of any address of this machine. */
  static String text(int port, String path) throws IOException {
    try (InputStream in = URI.create("http://127.0.0.1:" + port + path).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Ends it, and removes its files. */
  void close() throws Exception {
    stop();
    client.close();
    new ProcessBuilder("rm", "-rf", directory.toString()).start().waitFor();
  }
}
