package io.weir.suite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM that runs a class of the tests, says in lines what it does, and is killed at some moment.
 *
 * <p>Its standard error is thrown away. Its class calls {@link #endWithTheTest} first and prints to
 * {@link #output}.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> {@link #close} kills it; when the JVM of the test dies
 * it ends by itself.
 */
public final class ChildJvm implements AutoCloseable {

  /** What {@link #exitCode} is after {@link #kill}. */
  public static final int KILLED = 128 + 9;

  private static final int TEST_HAS_GONE = 3;

  private final Process process;
  private final BufferedReader lines;

  private ChildJvm(Process process) {
    this.process = process;
    this.lines = process.inputReader();
  }

  /** Starts {@code main} on the class path of this JVM. */
  public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
    return new ChildJvm(
        new ProcessBuilder(command(System.getProperty("java.class.path"), main, arguments))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** The command that starts {@code main} in a small JVM of this Java. */
  public static List<String> command(String classPath, Class<?> main, String... arguments) {
    return command(
        List.of("-Xmx256m", "-XX:+UseSerialGC", "-ea"), classPath, main, List.of(arguments));
  }

  private static List<String> command(
      List<String> options, String classPath, Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            classPath,
            main.getName()));
    command.addAll(arguments);
    return command;
  }

  /**
   * Runs {@code main} in a JVM with these options to its end, and returns all that it said.
   *
   * @throws AssertionError with that, if its exit code is not 0
   */
  public static String run(List<String> options, Class<?> main, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = command(options, System.getProperty("java.class.path"), main, arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (ChildJvm child = new ChildJvm(process)) {
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      if (child.exitCode() != 0) {
        throw new AssertionError(said);
      }
      return said;
    }
  }

  /**
   * Waits for the next line.
   *
   * @throws AssertionError if it has ended
   */
  public String nextLine() throws IOException {
    String line = lines.readLine();
    if (line == null) {
      throw new AssertionError("it ended by itself");
    }
    return line;
  }

  /** Sends {@code kill -9}. What it has said until then is still there to be read. */
  public void kill() {
    process.toHandle().destroyForcibly(); // Process.destroyForcibly would close its output
  }

  /** Sends a signal, such as {@code STOP}. */
  public void signal(String name) throws IOException {
    int exit =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
            .start()
            .onExit()
            .join()
            .exitValue();
    if (exit != 0) {
      throw new IOException("kill -" + name + ": exit code " + exit);
    }
  }

  /** Waits for its end and returns what it said last, without a line that is cut off. */
  public List<String> lastLines() throws IOException {
    List<String> last = new ArrayList<>(lines.lines().toList());
    if (!last.isEmpty()) {
      last.removeLast();
    }
    return last;
  }

  /** Waits for its end. */
  public int exitCode() {
    return process.onExit().join().exitValue();
  }

  /** Kills it if it runs, and waits for its end. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  /** In the child: ends this JVM as soon as the test's has ended. */
  public static void endWithTheTest() {
    Thread.ofPlatform().daemon().start(ChildJvm::awaitTheTest);
  }

  private static void awaitTheTest() {
    try {
      while (System.in.read() >= 0) {}
    } catch (IOException e) {
      // As good as its end.
    }
    Runtime.getRuntime().halt(TEST_HAS_GONE);
  }

  /** In the child: where its lines go, each at once. */
  public static PrintStream output() {
    return new PrintStream(new FileOutputStream(FileDescriptor.out), true);
  }
}
