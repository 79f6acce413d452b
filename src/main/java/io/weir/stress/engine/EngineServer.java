package io.weir.stress.engine;

import io.weir.stress.plan.Engine;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One server of an engine, a process of its own on this machine, with free ports on the loopback
 * address. Servers refuse to run as root; for root it runs as {@link ServerUser}.
 *
 * <p><b>Threads:</b> one. Where {@code setpriv} is installed, the server dies with the thread that
 * started it, so a JVM that is killed leaves none; elsewhere such a server goes on.
 * <b>Ownership:</b> {@link #close} ends the process. <b>Failure:</b> {@link EngineException} with
 * the last lines of its log.
 */
public final class EngineServer implements Closeable {

  /**
   * What to run.
   *
   * @param home a distribution of this run's own
   * @param data its data directory
   * @param files a directory for its configuration and temporary files
   * @param log where its output goes; one run's servers may share a file
   * @param jvmArguments for its JVM
   * @param settings of the server, beside those that it always gets
   */
  public record Setup(
      Engine engine,
      Path home,
      Path data,
      Path files,
      Path log,
      List<String> jvmArguments,
      Map<String, String> settings) {}

  private static final long STARTING_SECONDS = 180;
  private static final long STOPPING_SECONDS = 30;
  private static final Duration ANSWERING = Duration.ofSeconds(5);
  private static final long LOOK_EVERY_MILLIS = 200;
  private static final int LAST_LINES = 15;
  private static final int KILLED_EXIT_CODE = 128 + 9;

  private final Setup setup;
  private final Process process;
  private final URI url;

  private EngineServer(Setup setup, Process process, URI url) {
    this.setup = setup;
    this.process = process;
    this.url = url;
  }

  /**
   * Starts one, and waits until it answers.
   *
   * @param stopped gives up when this becomes true
   */
  static EngineServer start(Setup setup, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    Path configuration = setup.files().resolve("config");
    Path temporary = setup.files().resolve("tmp");
    Path logs = setup.files().resolve("logs");
    FileTree.copy(setup.home().resolve("config"), configuration, file -> false);
    for (Path directory : List.of(setup.data(), temporary, logs)) {
      Files.createDirectories(directory);
    }
    for (Path tree : List.of(setup.files(), setup.data())) {
      ServerUser.giveTo(tree);
    }
    List<Integer> ports = freePorts();
    ProcessBuilder builder =
        new ProcessBuilder(command(setup, logs, ports))
            .directory(temporary.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(setup.log().toFile()));
    setEnvironment(builder.environment(), setup, configuration, temporary);
    Process process = builder.start();
    EngineServer server =
        new EngineServer(setup, process, URI.create("http://127.0.0.1:" + ports.getFirst()));
    try {
      server.awaitUp(stopped);
      return server;
    } catch (Throwable t) {
      server.close();
      throw t;
    }
  }

  /** Sets what the server takes from its environment, whatever the user's own variables say. */
  static void setEnvironment(
      Map<String, String> environment, Setup setup, Path configuration, Path temporary) {
    Engine engine = setup.engine();
    environment.remove("JAVA_HOME");
    environment.remove(engine.variable("JAVA_HOME"));
    if (!Files.isDirectory(setup.home().resolve("jdk"))) { // else it runs with its own
      environment.put(engine.variable("JAVA_HOME"), System.getProperty("java.home"));
    }
    environment.put(engine.variable("JAVA_OPTS"), String.join(" ", setup.jvmArguments()));
    environment.put(engine.variable("PATH_CONF"), configuration.toString());
    environment.put(engine.variable("TMPDIR"), temporary.toString());
    environment.put("HOME", temporary.toString());
  }

  private static List<String> command(Setup setup, Path logs, List<Integer> ports)
      throws IOException {
    List<String> command = ServerUser.launcher();
    command.add(setup.home().resolve(setup.engine().script()).toString());
    Map<String, String> settings =
        Map.of(
            "path.data", setup.data().toString(),
            "path.logs", logs.toString(),
            "discovery.type", "single-node",
            "network.host", "127.0.0.1",
            "http.port", Integer.toString(ports.get(0)),
            "transport.port", Integer.toString(ports.get(1)),
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

  /** Two of them, for HTTP and for other nodes. */
  private static List<Integer> freePorts() throws IOException {
    InetAddress local = InetAddress.getLoopbackAddress();
    try (ServerSocket http = new ServerSocket(0, 1, local);
        ServerSocket transport = new ServerSocket(0, 1, local)) {
      return List.of(http.getLocalPort(), transport.getLocalPort());
    }
  }

  /** Where it answers. */
  URI url() {
    return url;
  }

  /** How the server ended; empty if it still runs after one second. */
  Optional<String> end() throws InterruptedException {
    return process.waitFor(1, TimeUnit.SECONDS) ? Optional.of(ended()) : Optional.empty();
  }

  private String ended() {
    String killed =
        process.exitValue() == KILLED_EXIT_CODE
            ? " (it was killed, as the kernel does when memory runs out)"
            : "";
    return "%s ended with exit code %d%s: %s"
        .formatted(setup.engine().label(), process.exitValue(), killed, lastLines());
  }

  private void awaitUp(BooleanSupplier stopped) throws IOException, InterruptedException {
    long endNanos = NanoClock.SYSTEM.nanoTime() + TimeUnit.SECONDS.toNanos(STARTING_SECONDS);
    try (EngineClient client = new EngineClient(url, Optional.empty(), ANSWERING)) {
      while (true) {
        Optional<IOException> failure = tryHealth(client);
        if (failure.isEmpty()) {
          return;
        }
        if (process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
          throw new EngineException(ended());
        }
        if (stopped.getAsBoolean()) {
          throw new EngineException("stopped before the server was up");
        }
        if (NanoClock.SYSTEM.nanoTime() > endNanos) {
          throw new EngineException(
              "%s was not up after %d s (%s): %s"
                  .formatted(
                      setup.engine().label(),
                      STARTING_SECONDS,
                      failure.get().getMessage(),
                      lastLines()));
        }
      }
    }
  }

  private static Optional<IOException> tryHealth(EngineClient client) throws InterruptedException {
    try {
      client.get("/_cluster/health?wait_for_status=yellow&timeout=1s");
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  private String lastLines() {
    try {
      List<String> lines = Files.readAllLines(setup.log(), StandardCharsets.ISO_8859_1);
      return String.join(
          System.lineSeparator(),
          lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    } catch (IOException e) {
      return "its log cannot be read: " + e;
    }
  }

  /** Asks it to end, and kills it when it has not done so after some time. */
  @Override
  public void close() {
    List<ProcessHandle> below =
        process.descendants().toList(); // a launcher has the server below it
    process.destroy();
    try {
      if (!process.waitFor(STOPPING_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    below.forEach(ProcessHandle::destroyForcibly);
    below.forEach(handle -> handle.onExit().join());
  }
}
