package io.weir.versions;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.ChildJvm;
import io.weir.suite.LongRun;
import io.weir.suite.Slow;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The classes of the library as they are compiled, on each Lucene from 9.12 to 10.6, each in a JVM
 * of its own: two at a time.
 */
@Slow("starts a JVM for each version of Lucene")
@Timeout(240)
class LuceneVersionsTest {

  /** As {@code pom.xml} copies them. */
  private static final List<String> VERSIONS =
      List.of("9.12.3", "10.0.0", "10.1.0", "10.2.2", "10.3.2", "10.4.0", "10.5.1", "10.6.0");

  private static final List<String> ENDS = List.of("9.12.3", "10.0.0", "10.6.0");

  /** Tests of all that differs between versions, and of the whole. */
  private static final List<String> TESTS =
      List.of(
          "io.weir.versions.ThisLuceneTest",
          "io.weir.WeirTest",
          "io.weir.cache.OffHeapQueryCacheTest",
          "io.weir.WeirCloseTest",
          "io.weir.lucene.CallingMethodTest",
          "io.weir.lucene.LuceneInsidesTest",
          "io.weir.lucene.WriterReadersTest",
          "io.weir.lucene.MergesTest",
          "io.weir.lucene.TermsOfFieldsTest",
          "io.weir.merge.GraphMergeTest",
          "io.weir.merge.ReadOnceMergeTest",
          "io.weir.store.EveryLayerForwardsTest");

  /** Of what merges open for themselves: in 10.6 more than in 10.5, on which it runs by itself. */
  private static final String SINCE_10_6 = "io.weir.versions.MergeInputTest";

  private static final Path JARS = Path.of("target", "lucene").toAbsolutePath();

  @TempDir private static Path temp;

  private static final ExecutorService TWO_AT_A_TIME = Executors.newFixedThreadPool(2);

  /** A JVM that has ended. */
  private record Run(int exitCode, String output) {}

  @AfterAll
  static void stopAll() throws InterruptedException {
    TWO_AT_A_TIME.shutdownNow();
    assertTrue(TWO_AT_A_TIME.awaitTermination(30, TimeUnit.SECONDS));
  }

  /** The two ends, and the first of Lucene 10: between 9 and 10 most has changed. */
  @Test
  void library_onTheOldestAndTheNewestVersions_passesItsTests() {
    passesItsTestsOn(ENDS);
  }

  @Test
  @LongRun("the versions that library_onTheOldestAndTheNewestVersions_passesItsTests leaves out")
  void library_onTheVersionsBetween_passesItsTests() {
    passesItsTestsOn(VERSIONS.stream().filter(version -> !ENDS.contains(version)).toList());
  }

  private static void passesItsTestsOn(List<String> versions) {
    List<Future<Run>> runs =
        versions.stream().map(version -> TWO_AT_A_TIME.submit(() -> run(version))).toList();
    assertAll(
        runs.stream().map(run -> () -> assertEquals(0, run.get().exitCode(), () -> output(run))));
  }

  private static String output(Future<Run> ended) {
    return ended.resultNow().output();
  }

  @Test
  void versions_areThoseThatTheBuildCopies() throws IOException {
    try (Stream<Path> jars = Files.list(JARS)) {
      assertEquals(
          VERSIONS.stream().map(version -> jar(version).getFileName().toString()).sorted().toList(),
          jars.map(jar -> jar.getFileName().toString()).sorted().toList());
    }
  }

  private static Run run(String version) throws IOException, InterruptedException {
    Path output = temp.resolve(version + ".txt");
    List<String> command = ChildJvm.command(classPath(version), TestsInThisJvm.class, version);
    command.addAll(TESTS);
    if (version.equals("10.6.0")) {
      command.add(SINCE_10_6);
    }
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      int exitCode = process.waitFor();
      return new Run(exitCode, Files.readString(output));
    } finally {
      process.destroyForcibly();
    }
  }

  /** That of this JVM, with another lucene-core, and without the other modules of Lucene. */
  private static String classPath(String version) {
    String own =
        System.getProperty(
            "surefire.test.class.path", System.getProperty("java.class.path")); // of this process
    return Stream.concat(
            Stream.of(jar(version).toString()),
            Arrays.stream(own.split(File.pathSeparator))
                .filter(entry -> !entry.matches(".*[/\\\\]lucene-[a-z-]+-[0-9][^/\\\\]*[.]jar")))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path jar(String version) {
    return JARS.resolve("lucene-core-" + version + ".jar");
  }
}
