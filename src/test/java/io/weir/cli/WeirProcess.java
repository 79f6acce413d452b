package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.weir.stress.Await;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command line as its users meet it: a process of its own, in a directory of its own. */
public final class WeirProcess implements AutoCloseable {

  /** What it left when it ended. */
  public record Ended(int exitCode, String out, String err) {

    /** All of it, for the message of an assertion. */
    @Override
    public String toString() {
      return "exit code " + exitCode + "\n--- out\n" + out + "\n--- err\n" + err;
    }
  }

  /**
   * The variable that {@code java} reads, and says so on its standard error. JAVA_TOOL_OPTIONS
   * would not reach the servers of OpenSearch and Elasticsearch, whose scripts unset it.
   */
  private static final String OPTIONS = "JDK_JAVA_OPTIONS";

  private static final boolean CAN_RESET_SIGNALS = canResetSignals();

  private final Process process;
  private final StringBuffer out = new StringBuffer();
  private final StringBuffer err = new StringBuffer();
  private final Thread outReader;
  private final Thread errReader;

  private WeirProcess(Process process) {
    this.process = process;
    this.outReader = read(process.inputReader(StandardCharsets.UTF_8), "", out);
    this.errReader =
        read(process.errorReader(StandardCharsets.UTF_8), "NOTE: Picked up " + OPTIONS + ": ", err);
  }

  /** A {@code jvm=} that says its version, and then does something else. */
  static Path javaThat(Path directory, String instead) throws IOException {
    Path java = directory.resolve("java");
    Files.writeString(
        java,
        "#!/bin/sh\nif [ \"$1\" = -version ]; then exec '%s' -version; fi\n%s\n"
            .formatted(Path.of(System.getProperty("java.home"), "bin", "java"), instead));
    assertTrue(java.toFile().setExecutable(true));
    return java;
  }

  /** A {@code jvm=} that passes every check before the run, and cannot be started in it. */
  static Path javaThatIsGoneAfterItsVersion(Path directory) throws IOException {
    Path java = directory.resolve("java");
    Files.writeString(
        java,
        "#!/bin/sh\nrm \"$0\"\nexec '%s' -version\n"
            .formatted(Path.of(System.getProperty("java.home"), "bin", "java")));
    assertTrue(java.toFile().setExecutable(true));
    return java;
  }

  /** Starts {@code weir} in {@code directory}. */
  static WeirProcess start(Path directory, String... arguments) throws IOException {
    return startWith("", directory, arguments);
  }

  /** The same, with further options for its JVM and for those that it starts. */
  static WeirProcess startWith(String options, Path directory, String... arguments)
      throws IOException {
    return new WeirProcess(builder(options, directory, arguments).start());
  }

  /** The same, started by the command {@code launcher}, which takes it as its arguments. */
  static WeirProcess startBy(List<String> launcher, Path directory, String... arguments)
      throws IOException {
    ProcessBuilder builder = builder("", directory, arguments);
    builder.command().addAll(0, launcher);
    return new WeirProcess(builder.start());
  }

  /** The same, with its standard output in a file. */
  static WeirProcess startTo(Path out, Path directory, String... arguments) throws IOException {
    return new WeirProcess(builder("", directory, arguments).redirectOutput(out.toFile()).start());
  }

  private static ProcessBuilder builder(String options, Path directory, String... arguments) {
    List<String> command = new ArrayList<>();
    if (CAN_RESET_SIGNALS) {
      // A test suite that runs in the background of a shell ignores Ctrl-C, and hands that down.
      command.addAll(List.of("env", "--default-signal=INT"));
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.weir.cli.Main"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    // For the JVMs that it starts as well: they end before the second compiler is of use.
    builder
        .environment()
        .put(OPTIONS, "-XX:TieredStopAtLevel=1 -Dio.weir.canary.millis=0 " + options);
    return builder;
  }

  /** Runs {@code weir} in {@code directory} to its end. */
  public static Ended run(Path directory, String... arguments) throws Exception {
    try (WeirProcess weir = start(directory, arguments)) {
      return weir.await();
    }
  }

  /** The command as words of a shell, for a script. */
  static String words() {
    String classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    return "'%s/bin/java' -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dio.weir.canary.millis=0 --enable-native-access=ALL-UNNAMED -cp '%s' io.weir.cli.Main"
        .formatted(System.getProperty("java.home"), classPath);
  }

  /**
   * Runs a script for {@code bash} in {@code directory} to its end.
   *
   * @param before the command that runs it, such as {@code unshare -m}
   * @param environment the variables besides PATH
   */
  static Ended runScript(
      Path directory, List<String> before, Map<String, String> environment, String script)
      throws Exception {
    List<String> command = new ArrayList<>(before);
    command.addAll(
        List.of("bash", Files.writeString(directory.resolve("script"), script).toString()));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    String path = builder.environment().get("PATH");
    builder.environment().clear();
    builder.environment().put("PATH", path);
    builder.environment().putAll(environment);
    try (WeirProcess running = new WeirProcess(builder.start())) {
      return running.await();
    }
  }

  /**
   * Waits for the end; the limit only bounds a failure, also on a machine with ten times the load.
   */
  Ended await() throws InterruptedException {
    return await(900);
  }

  /** Waits for an end that must come soon. */
  Ended await(int mostSeconds) throws InterruptedException {
    if (!process.waitFor(mostSeconds, TimeUnit.SECONDS)) {
      fail("did not end; so far:\n" + out + "\n" + err);
    }
    outReader.join();
    errReader.join();
    return new Ended(process.exitValue(), out.toString(), err.toString());
  }

  /**
   * Waits until the standard error holds {@code text}; the limit only bounds a failure, also where
   * a server starts and is filled beside others.
   */
  void awaitProgress(String text) {
    Await.until(
        () -> "'" + text + "' on the standard error; so far:\n" + err,
        Duration.ofSeconds(300),
        () -> {
          assertTrue(process.isAlive() || err.indexOf(text) >= 0, () -> "ended: " + out + err);
          return err.indexOf(text) >= 0;
        });
  }

  /** The JVMs it has started and that run. */
  List<ProcessHandle> children() {
    return process.descendants().toList();
  }

  /** Its only child. */
  ProcessHandle child() {
    List<ProcessHandle> children = children();
    assertEquals(1, children.size(), children.toString());
    return children.get(0);
  }

  /** Sends a signal to this and to {@code others}, as one Ctrl-C does to a whole terminal. */
  void signal(String name, ProcessHandle... others) throws Exception {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    command.add(Long.toString(process.pid()));
    for (ProcessHandle other : others) {
      command.add(Long.toString(other.pid()));
    }
    assertEquals(0, new ProcessBuilder(command).start().waitFor());
  }

  /** Sends a signal to its only child. */
  void signalChild(String name) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(child().pid())).start();
    assertEquals(0, kill.waitFor());
  }

  /** Ends what a failed test has left running. */
  @Override
  public void close() {
    List<ProcessHandle> children = children();
    process.destroyForcibly();
    children.forEach(ProcessHandle::destroyForcibly);
  }

  /** The names of all files below {@code directory}, directories that are empty with a slash. */
  static List<String> tree(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      List<String> names = new ArrayList<>();
      for (Path path : paths.filter(p -> !p.equals(directory)).sorted().toList()) {
        String name = directory.relativize(path).toString();
        if (!Files.isDirectory(path)) {
          names.add(name);
        } else if (path.toFile().list().length == 0) {
          names.add(name + "/");
        }
      }
      return names;
    }
  }

  /** Reads all, but for a first line that begins with {@code leftOut}. */
  private static Thread read(BufferedReader from, String leftOut, StringBuffer to) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try (from) {
                if (!leftOut.isEmpty()) {
                  String first = from.readLine();
                  to.append(first == null || first.startsWith(leftOut) ? "" : first + "\n");
                }
                for (int c = from.read(); c >= 0; c = from.read()) {
                  to.append((char) c);
                }
              } catch (IOException e) {
                to.append(e);
              }
            });
  }

  private static boolean canResetSignals() {
    try {
      return new ProcessBuilder("env", "--default-signal=INT", "true").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
