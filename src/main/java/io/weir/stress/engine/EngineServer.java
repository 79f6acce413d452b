package io.weir.stress.engine;

import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.run.FailureWords;
import io.weir.stress.plan.Engine;
import io.weir.time.NanoClock;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
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
   * @param log where its output is appended; one run's servers may share a file
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

  /**
   * What a server has for itself while it runs.
   *
   * @param temporary where it works
   * @param httpPort a free port
   * @param nodePort another one
   */
  record Place(Path temporary, Path logs, int httpPort, int nodePort) {}

  private static final long STARTING_SECONDS = 180;
  private static final long STOPPING_SECONDS = 30;

  /** Of a worker that the user ends, which has 20 s for all it still does. */
  private static final long STOPPING_IN_HASTE_SECONDS = 5;

  private static final Duration ANSWERING = Duration.ofSeconds(5);
  private static final long LOOK_EVERY_MILLIS = 200;

  /** So few that a failed arm, which shows 20 lines of its worker, has room for the causes too. */
  private static final int LAST_LINES = 12;

  /** More than the last lines take. */
  private static final int LAST_BYTES = 64 << 10;

  private static final int KILLED_EXIT_CODE = 128 + 9;

  /**
   * What a server says that loads an agent into itself, if a JVM with the same process identifier
   * left its socket in the temporary directory when it was killed, and another user owns that
   * socket. The next process has another identifier.
   */
  private static final String SOCKET_OF_A_DEAD_JVM = ".java_pid";

  private static final int TRIES = 3;

  private final Setup setup;
  private final Process process;
  private final URI url;
  private final long logStart;
  private final BooleanSupplier stopped;

  private EngineServer(
      Setup setup, Process process, URI url, long logStart, BooleanSupplier stopped) {
    this.setup = setup;
    this.process = process;
    this.url = url;
    this.logStart = logStart;
    this.stopped = stopped;
  }

  /**
   * Starts one, and waits until it answers. The directory for its files holds no configuration yet.
   *
   * @param stopped gives up when this becomes true, and then lets the server have little time for
   *     its end
   */
  static EngineServer start(Setup setup, BooleanSupplier stopped)
      throws IOException, InterruptedException {
    Path temporary = setup.files().resolve("tmp");
    Path logs = setup.files().resolve("logs");
    for (Path directory : List.of(setup.data(), temporary, logs)) {
      Files.createDirectories(directory);
    }
    SearchEngine engine = SearchEngine.of(setup.engine());
    engine.configure(setup);
    for (Path tree : List.of(setup.files(), setup.data())) {
      ServerUser.giveTo(tree);
    }
    for (int left = TRIES - 1; ; left--) {
      EngineServer server = launch(engine, setup, temporary, logs, stopped);
      try {
        server.awaitUp();
        return server;
      } catch (Throwable t) {
        boolean again = left > 0 && !stopped.getAsBoolean() && server.metASocketOfADeadJvm();
        server.close();
        if (!again) {
          throw t;
        }
      }
    }
  }

  private static EngineServer launch(
      SearchEngine engine, Setup setup, Path temporary, Path logs, BooleanSupplier stopped)
      throws IOException {
    List<Integer> ports = freePorts();
    long logStart = Files.exists(setup.log()) ? Files.size(setup.log()) : 0;
    Process process =
        engine
            .server(setup, new Place(temporary, logs, ports.get(0), ports.get(1)))
            .directory(temporary.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(setup.log().toFile()))
            .start();
    return new EngineServer(setup, process, engine.url(ports.getFirst()), logStart, stopped);
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

  private boolean metASocketOfADeadJvm() {
    return !process.isAlive() && said().contains(SOCKET_OF_A_DEAD_JVM);
  }

  private void awaitUp() throws IOException, InterruptedException {
    String healthPath = SearchEngine.of(setup.engine()).healthPath();
    long endNanos = NanoClock.SYSTEM.nanoTime() + TimeUnit.SECONDS.toNanos(STARTING_SECONDS);
    try (EngineClient client = new EngineClient(url, Optional.empty(), ANSWERING)) {
      while (true) {
        Optional<IOException> failure = tryHealth(client, healthPath);
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
                      FailureWords.of(failure.get()),
                      lastLines()));
        }
      }
    }
  }

  private static Optional<IOException> tryHealth(EngineClient client, String path)
      throws InterruptedException {
    try {
      client.get(path);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  private String lastLines() {
    List<String> lines = said().lines().toList();
    return String.join(
        System.lineSeparator(),
        lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
  }

  /** What it wrote last. */
  private String said() {
    try (InputStream log = Files.newInputStream(setup.log())) {
      log.skipNBytes(Math.max(logStart, Files.size(setup.log()) - LAST_BYTES));
      return new String(log.readAllBytes(), StandardCharsets.ISO_8859_1);
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
      long startNanos = NanoClock.SYSTEM.nanoTime();
      while (!process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
        long seconds = stopped.getAsBoolean() ? STOPPING_IN_HASTE_SECONDS : STOPPING_SECONDS;
        if (NanoClock.SYSTEM.nanoTime() - startNanos > TimeUnit.SECONDS.toNanos(seconds)) {
          process.destroyForcibly().waitFor();
        }
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    below.forEach(ProcessHandle::destroyForcibly);
    below.forEach(handle -> handle.onExit().join());
  }
}
