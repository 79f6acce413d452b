package io.weir.tools;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A copy of the project's scripts in a temporary checkout, with a PATH that holds only what a test
 * puts there.
 *
 * <p>The checkout's directory has a space in its name. Scripts run as real processes with an
 * environment of their own, so nothing of the machine's JDK, Maven or browser is seen, and {@code
 * apt-get} exists only as a fake. Closing kills what still runs. One thread.
 */
final class ScriptSandbox implements AutoCloseable {
  private static final long TIMEOUT_SECONDS = 15;

  /** What the scripts may use of the machine; a tool that is missing here stays missing. */
  private static final List<String> MACHINE_TOOLS =
      List.of(
          "awk",
          "bash",
          "cat",
          "cksum",
          "cp",
          "dirname",
          "env",
          "find",
          "flock",
          "head",
          "id",
          "mkdir",
          "mkfifo",
          "mktemp",
          "mv",
          "readlink",
          "rm",
          "sed",
          "sort",
          "tail",
          "tee",
          "uname");

  final Path checkout;
  final Path source;
  final Path callersDirectory;
  private final Path bin;
  private final Path jvms;
  private final Map<String, String> environment = new HashMap<>();
  private final List<Process> started = new ArrayList<>();

  /** How a script ended. */
  record Result(int exitCode, List<String> out, List<String> err) {}

  /** A sandbox below {@code root}; the test is skipped on a machine without bash. */
  static ScriptSandbox in(Path root) throws IOException {
    assumeTrue(findOnMachine("bash").isPresent(), "this machine has no bash");
    return new ScriptSandbox(root);
  }

  private ScriptSandbox(Path root) throws IOException {
    checkout = Files.createDirectory(root.resolve("a checkout"));
    callersDirectory = Files.createDirectory(root.resolve("caller"));
    bin = Files.createDirectory(root.resolve("bin"));
    jvms = Files.createDirectory(root.resolve("jvms"));
    source = checkout.resolve("src/main/java/A.java");
    for (String file :
        List.of(
            "tools/find-jdk",
            "tools/build-once",
            "tools/weir",
            "tools/bench",
            "tools/slow-disk",
            "tools/engine",
            "tools/matrix",
            "tools/mutants",
            "tools/package",
            "tools/api-check",
            "tools/house",
            "src/main/dist/bin/weir",
            "tools/test",
            ".ci/run",
            ".mvn/jvm.config")) {
      Files.createDirectories(checkout.resolve(file).getParent());
      Files.copy(Path.of(file), checkout.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    for (String file : List.of("pom.xml", "LICENSE", "NOTICE", "src/main/java/A.java")) {
      Files.createDirectories(checkout.resolve(file).getParent());
      Files.writeString(checkout.resolve(file), file);
    }
    for (String tool : MACHINE_TOOLS) {
      Optional<Path> path = findOnMachine(tool);
      if (path.isPresent()) {
        Files.createSymbolicLink(bin.resolve(tool), path.get());
      }
    }
    set("PATH", bin.toString());
    set("WEIR_JVM_DIR", jvms.toString());
  }

  static Optional<Path> findOnMachine(String tool) {
    for (String directory : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
      Path path = Path.of(directory, tool);
      if (Files.isExecutable(path) && !Files.isDirectory(path)) {
        return Optional.of(path.toAbsolutePath());
      }
    }
    return Optional.empty();
  }

  void set(String variable, String value) {
    environment.put(variable, value);
  }

  /** Puts a bash script on PATH, in place of the machine's tool of that name. */
  void putOnPath(String name, String script) throws IOException {
    Files.deleteIfExists(bin.resolve(name));
    writeScript(bin.resolve(name), script);
  }

  void removeFromPath(String name) throws IOException {
    Files.delete(bin.resolve(name));
  }

  void linkOnPath(String name, Path target) throws IOException {
    Files.createSymbolicLink(bin.resolve(name), target);
  }

  /** A JDK below the searched directory whose {@code release} file says {@code version}. */
  Path putJdk(String name, String version) throws IOException {
    return putJdk(name, version, "exit 1");
  }

  Path putJdk(String name, String version, String java) throws IOException {
    Path jdk = putJre(name, version, java);
    writeScript(jdk.resolve("bin/javac"), "echo javac " + version);
    return jdk;
  }

  Path putJre(String name, String version, String java) throws IOException {
    Path jdk = jvms.resolve(name);
    Files.createDirectories(jdk.resolve("bin"));
    writeScript(jdk.resolve("bin/java"), java);
    Files.writeString(
        jdk.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    return jdk;
  }

  /** Runs to the end with an empty standard input. */
  Result run(String... command) throws IOException, InterruptedException {
    Path out = Files.createTempFile(callersDirectory, "out", null);
    Path err = Files.createTempFile(callersDirectory, "err", null);
    Process process =
        start(
            builder(command)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile()));
    int exitCode = exitCodeOf(process);
    Result result = new Result(exitCode, Files.readAllLines(out), Files.readAllLines(err));
    Files.delete(out);
    Files.delete(err);
    return result;
  }

  /** Starts a process to talk to; its output and errors come on one stream. */
  Process start(String... command) throws IOException {
    return start(builder(command).redirectErrorStream(true));
  }

  int exitCodeOf(Process process) throws InterruptedException {
    if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("still running after " + TIMEOUT_SECONDS + " s: " + process.info());
    }
    return process.exitValue();
  }

  static BufferedReader outputOf(Process process) {
    return process.inputReader(UTF_8);
  }

  String script(String name) {
    return checkout.resolve(name).toString();
  }

  List<String> linesOf(String file) throws IOException {
    Path path = checkout.resolve(file);
    return Files.exists(path) ? Files.readAllLines(path) : List.of();
  }

  @Override
  public void close() {
    for (Process process : started) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private ProcessBuilder builder(String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(callersDirectory.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder;
  }

  private Process start(ProcessBuilder builder) throws IOException {
    Process process = builder.start();
    started.add(process);
    return process;
  }

  private static void writeScript(Path path, String body) throws IOException {
    Files.writeString(path, "#!/usr/bin/env bash\n" + body + "\n");
    if (!path.toFile().setExecutable(true)) {
      throw new IOException("cannot make executable: " + path);
    }
  }
}
