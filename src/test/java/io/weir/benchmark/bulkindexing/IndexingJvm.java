package io.weir.benchmark.bulkindexing;

import com.sun.management.OperatingSystemMXBean;
import io.weir.run.RunJson;
import io.weir.time.NanoClock;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;

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
  record Build(String arm, Path path) {}

  /** What to build at once. */
  record Task(List<Build> builds) {}

  /** A result for each. */
  record Answer(List<IndexingResult> results) {}

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

  /** Builds an index by each arm, all at once, and deletes them. */
  Map<IndexingArm, IndexingResult> run(List<IndexingArm> arms) throws IOException {
    List<Build> builds = new ArrayList<>();
    for (IndexingArm arm : arms) {
      builds.add(new Build(arm.name(), Files.createTempDirectory(directory, "index")));
    }
    String answer = null;
    try {
      send(RunJson.line(new Task(builds)), questions);
      answer = answers.readLine();
    } catch (IOException e) {
      // It has ended; so does this, below, with the reason.
    }
    if (answer == null) {
      throw new IOException(
          "the JVM ended while %s indexed:%n%s"
              .formatted(
                  arms.stream().map(IndexingArm::name).collect(Collectors.joining(" and ")),
                  Files.readString(errors)));
    }
    for (Build build : builds) {
      deleteTree(build.path());
    }
    List<IndexingResult> results = RunJson.ofLine(answer, Answer.class).results();
    Map<IndexingArm, IndexingResult> ofArms = new LinkedHashMap<>();
    for (int i = 0; i < arms.size(); i++) {
      ofArms.put(arms.get(i), results.get(i));
    }
    return ofArms;
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
    Builder builder = new Builder(RunJson.ofLine(arguments[0], Setup.class));
    try (BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
        BufferedWriter answers = new BufferedWriter(new OutputStreamWriter(System.out))) {
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        Task task = RunJson.ofLine(line, Task.class);
        send(RunJson.line(new Answer(builder.build(task.builds()))), answers);
      }
    }
  }

  /** What the JVM does when it is asked. */
  private static final class Builder {

    private static final OperatingSystemMXBean PROCESS =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final IndexedDocuments documents;
    private final Map<String, ArmThreads> threads = new HashMap<>();
    private final ArmThreads weirsThreads = ArmThreads.ofWeir();

    Builder(Setup setup) throws IOException {
      this.documents =
          new IndexedDocuments(
              IndexingRun.BLOCKS, setup.documents() / IndexingRun.BLOCKS, setup.updating());
    }

    List<IndexingResult> build(List<Build> builds) throws Exception {
      System.gc(); // what earlier runs left is not this one's to collect
      PROCESS.getCpuLoad(); // each call tells of the time since the last
      long cpuNanos = PROCESS.getProcessCpuTime();
      long startNanos = NanoClock.SYSTEM.nanoTime();
      List<FutureTask<IndexingRun.Timing>> running = new ArrayList<>();
      for (Build build : builds) {
        running.add(threadsOf(build).start(() -> build(build)));
      }
      List<IndexingRun.Timing> timings = new ArrayList<>();
      for (FutureTask<IndexingRun.Timing> run : running) {
        timings.add(run.get());
      }
      double processors = PROCESS.getCpuLoad() * PROCESS.getAvailableProcessors();
      long busyNanos = (long) (processors * (NanoClock.SYSTEM.nanoTime() - startNanos));
      long othersNanos = Math.max(0, busyNanos - PROCESS.getProcessCpuTime() + cpuNanos);
      int withWeir = (int) builds.stream().filter(Builder::hasWeir).count();
      ArmThreads.Use ofEach = weirsThreads.take().dividedBy(Math.max(1, withWeir));
      List<IndexingResult> results = new ArrayList<>();
      for (int i = 0; i < builds.size(); i++) {
        ArmThreads.Use ofTheArm = threadsOf(builds.get(i)).take();
        ArmThreads.Use use = hasWeir(builds.get(i)) ? ofTheArm.plus(ofEach) : ofTheArm;
        results.add(
            new IndexingResult(timings.get(i), use.cpuNanos(), use.allocatedBytes(), othersNanos));
        IndexingRun.check(documents, builds.get(i).path());
      }
      return results;
    }

    private IndexingRun.Timing build(Build build) throws Exception {
      return IndexingRun.build(IndexingArm.of(build.arm()), documents, THREADS, build.path());
    }

    private static boolean hasWeir(Build build) {
      return !IndexingArm.of(build.arm()).parts().isEmpty();
    }

    /** The same in each round, so what they do after the end of a round counts in the next. */
    private ArmThreads threadsOf(Build build) {
      return threads.computeIfAbsent(build.arm(), ArmThreads::new);
    }
  }
}
