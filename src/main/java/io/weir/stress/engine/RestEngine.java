package io.weir.stress.engine;

import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.stress.setting.VectorFormat;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * OpenSearch or Elasticsearch: distributions that differ in their names, started by a script that
 * takes settings as arguments.
 */
final class RestEngine implements SearchEngine {

  static final RestEngine OPENSEARCH =
      new RestEngine(
          "opensearch", "OPENSEARCH", Map.of("index.store.type", "weir"), RestVectors.OPENSEARCH);

  /** Its plug-in wraps the engine's own directory, so it leaves the store type alone. */
  static final RestEngine ELASTICSEARCH =
      new RestEngine(
          "elasticsearch", "ES", Map.of("index.weir.enabled", "true"), RestVectors.ELASTICSEARCH);

  private static final String CONFIGURATION = "config";
  private static final String LOGS = "logs";
  private static final String PLUGINS = "plugins";

  /** Directories that are not copied as a whole. */
  private static final Set<String> FRESH = Set.of(PLUGINS, LOGS);

  private final String name;
  private final String variablePrefix;
  private final Map<String, String> weirSettings;
  private final RestVectors vectors;

  private RestEngine(
      String name, String variablePrefix, Map<String, String> weirSettings, RestVectors vectors) {
    this.name = name;
    this.variablePrefix = variablePrefix;
    this.weirSettings = weirSettings;
    this.vectors = vectors;
  }

  /** What starts the server, below the directory of the distribution. */
  private String script() {
    return "bin/" + name;
  }

  /** What installs plug-ins. */
  private String pluginScript() {
    return script() + "-plugin";
  }

  /** Its environment variable for {@code what}: {@code OPENSEARCH_JAVA_OPTS}. */
  private String variable(String what) {
    return variablePrefix + "_" + what;
  }

  @Override
  public Optional<String> obstacle(Path home) {
    for (String script : List.of(script(), pluginScript())) {
      if (!Files.isExecutable(home.resolve(script))) {
        return Optional.of(
            "there is no %s in %s; tools/engine %s fetches a distribution and prints where it is"
                .formatted(script, home, name));
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<String> vectorObstacle(Path home, int dims, VectorFormat format) {
    return vectors.obstacle(dims, format).or(() -> vectors.obstacle(home));
  }

  @Override
  public void copy(Path home, Optional<Path> plugin, int dims, Path to)
      throws IOException, InterruptedException {
    Path configuration = home.resolve(CONFIGURATION);
    for (String fresh : FRESH) {
      Files.createDirectories(to.resolve(fresh));
    }
    ServerUser.giveTo(to.resolve(LOGS)); // the server logs its collections there
    try (Stream<Path> parts = Files.list(home)) {
      for (Path part : parts.toList()) {
        Path copy = to.resolve(part.getFileName());
        if (part.equals(configuration)) {
          FileTree.copy(part, copy, file -> false);
        } else if (Files.isDirectory(part) && !FRESH.contains(part.getFileName().toString())) {
          FileTree.copy(part, copy, file -> true);
        } else if (Files.isRegularFile(part)) {
          Files.copy(part, copy);
        }
      }
    }
    if (dims > 0) {
      copyPluginsOfVectors(home.resolve(PLUGINS), to.resolve(PLUGINS));
    }
    if (plugin.isPresent()) {
      install(to, plugin.get().toAbsolutePath());
    }
  }

  private void copyPluginsOfVectors(Path from, Path to) throws IOException {
    if (!Files.isDirectory(from)) {
      return;
    }
    try (Stream<Path> installed = Files.list(from)) {
      for (Path one : installed.toList()) {
        if (vectors.needs(one.getFileName().toString())) {
          FileTree.copy(one, to.resolve(one.getFileName()), file -> true);
        }
      }
    }
  }

  private void install(Path home, Path plugin) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(home.resolve(pluginScript()).toString());
    command.addAll(List.of("install", "--batch", plugin.toUri().toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put(variable("JAVA_HOME"), System.getProperty("java.home"));
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new EngineException(
          "%s cannot install %s: %s".formatted(pluginScript(), plugin, said.strip()));
    }
  }

  @Override
  public void configure(EngineServer.Setup setup) throws IOException {
    FileTree.copy(setup.home().resolve(CONFIGURATION), configuration(setup), file -> false);
  }

  private static Path configuration(EngineServer.Setup setup) {
    return setup.files().resolve(CONFIGURATION);
  }

  @Override
  public ProcessBuilder server(EngineServer.Setup setup, EngineServer.Place place)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command(setup, place));
    setEnvironment(builder.environment(), setup, configuration(setup), place.temporary());
    return builder;
  }

  private List<String> command(EngineServer.Setup setup, EngineServer.Place place)
      throws IOException {
    List<String> command = ServerUser.launcher();
    command.add(setup.home().resolve(script()).toString());
    Map<String, String> settings =
        Map.of(
            "path.data", setup.data().toString(),
            "path.logs", place.logs().toString(),
            "discovery.type", "single-node",
            "network.host", "127.0.0.1",
            "http.port", Integer.toString(place.httpPort()),
            "transport.port", Integer.toString(place.nodePort()),
            "node.name", "weir-stress",
            "cluster.name", "weir-stress",
            "cluster.routing.allocation.disk.threshold_enabled", "false");
    settings.forEach((key, value) -> command.add("-E" + key + "=" + value));
    setup.settings().forEach((key, value) -> command.add("-E" + key + "=" + value));
    if (Files.isDirectory(setup.home().resolve("modules/x-pack-security"))) {
      command.add("-Expack.security.enabled=false");
    }
    return command;
  }

  /** Sets what the server takes from its environment, whatever the user's own variables say. */
  void setEnvironment(
      Map<String, String> environment,
      EngineServer.Setup setup,
      Path configuration,
      Path temporary) {
    environment.remove("JAVA_HOME");
    environment.remove(variable("JAVA_HOME"));
    if (!Files.isDirectory(setup.home().resolve("jdk"))) { // else it runs with its own
      environment.put(variable("JAVA_HOME"), System.getProperty("java.home"));
    }
    environment.put(variable("JAVA_OPTS"), String.join(" ", setup.jvmArguments()));
    environment.put(variable("PATH_CONF"), configuration.toString());
    environment.put(variable("TMPDIR"), temporary.toString());
    environment.put("HOME", temporary.toString());
  }

  @Override
  public URI url(int httpPort) {
    return URI.create("http://127.0.0.1:" + httpPort);
  }

  @Override
  public String healthPath() {
    return "/_cluster/health?wait_for_status=yellow&timeout=1s";
  }

  @Override
  public EngineIndex index(EngineClient client) {
    return RestIndex.onOwnServer(client, weirSettings, vectors);
  }
}
