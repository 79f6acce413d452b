package io.weir.benchmark.bulkindexing;

import io.weir.stress.result.RunJson;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A JVM that does nothing but index, one run after the other, with documents that it made before
 * the first. What its compiler happens to make of Lucene differs by a few per cent between two
 * JVMs.
 *
 * <p>It is asked by a line on its standard input and answers by one on its standard output; it ends
 * when its input does, and so with the process that started it.
 *
 * <p><b>Threads:</b> one at a time. <b>Failure:</b> a run that fails ends the JVM, and is thrown
 * with what that wrote to standard error.
 */
final class IndexingJvm implements Closeable {

  /**
   * What to make before the first run.
   *
   * @param documents of each run
   * @param updating whether some of them replace others
   */
  record Setup(int documents, boolean updating) {}

  /** An index to build at {@code path}, an empty directory. */
  record Task(String arm, Path path) {}

  private static final int THREADS = 2;

  /** Lucene tells of the vector instructions it could have; kept here or it would be forgotten. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private final Path directory;
  private final Path errors;
  private final Process process;
  private final BufferedReader answers;
  private final BufferedWriter questions;

  /**
   * Starts it, with a collector and a heap that do not depend on the machine.
   *
   * @param agent the jar of the agent, which then measures; none if empty
   * @param directory where it may make files; they are deleted again
   */
  IndexingJvm(Setup setup, Optional<Path> agent, Path directory) throws IOException {
    this.directory = Files.createTempDirectory(directory.toAbsolutePath(), "bulk-indexing");
    this.errors = this.directory.resolve("errors.txt");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms1g",
                "-Xmx1g",
                "-XX:+UseG1GC",
                "--enable-native-access=ALL-UNNAMED"));
    agent.ifPresent(jar -> command.add("-javaagent:" + jar + "=measure"));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            IndexingJvm.class.getName(),
            RunJson.line(setup)));
    this.process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    this.answers = process.inputReader();
    this.questions = process.outputWriter();
  }

  /** Builds one index, and deletes it. */
  IndexingRun.Result run(IndexingArm arm) throws IOException {
    Path index = Files.createTempDirectory(directory, "index");
    String answer = null;
    try {
      send(RunJson.line(new Task(arm.name(), index)), questions);
      answer = answers.readLine();
    } catch (IOException e) {
      // It has ended; so does this, below, with the reason.
    }
    if (answer == null) {
      throw new IOException(
          "the JVM ended while %s indexed:%n%s".formatted(arm.name(), Files.readString(errors)));
    }
    deleteTree(index);
    return RunJson.ofLine(answer, IndexingRun.Result.class);
  }

  /** Ends it. */
  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    deleteTree(directory);
  }

  private static void send(String line, BufferedWriter to) throws IOException {
    to.write(line);
    to.newLine();
    to.flush();
  }

  private static void deleteTree(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Collections.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The JVM itself; its argument is a {@link Setup}. */
  public static void main(String[] arguments) throws Exception {
    LUCENE.setLevel(Level.SEVERE);
    Setup setup = RunJson.ofLine(arguments[0], Setup.class);
    IndexedDocuments documents =
        new IndexedDocuments(
            IndexingRun.BLOCKS, setup.documents() / IndexingRun.BLOCKS, setup.updating());
    try (BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
        BufferedWriter answers = new BufferedWriter(new OutputStreamWriter(System.out))) {
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        Task task = RunJson.ofLine(line, Task.class);
        IndexingRun.Result result =
            IndexingRun.run(IndexingArm.of(task.arm()), documents, THREADS, task.path());
        send(RunJson.line(result), answers);
      }
    }
  }
}
