package io.weir.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A JVM that runs tests with an engine's own test framework, as {@code tools/engine} has fetched
 * it. The framework brings other versions of Lucene and JUnit, and changes the whole JVM, so it is
 * on no other class path.
 *
 * <p>Frameworks refuse to run as root. So the JVM gets copies of all files, and a root runs it as
 * {@code nobody}.
 *
 * <p><b>Failure:</b> an {@link AssertionError} with the failures that the JVM listed, or with all
 * that it said where it listed none. Without the framework the test is skipped.
 */
public final class FrameworkJvm {

  private static final int SECONDS = 240; // for a machine that does much else

  /** What the plug-ins have of ours besides Lucene, which the framework has. */
  private static final Pattern LIBRARIES = Pattern.compile("(micrometer|prometheus)-.*[.]jar");

  /** How JUnit 4 ends when no test has failed. */
  private static final Pattern END = Pattern.compile("^OK \\((\\d+) tests?\\)$", Pattern.MULTILINE);

  /** How JUnit 4 begins its list of failures, which it prints after all that the tests said. */
  private static final Pattern FAILURES =
      Pattern.compile("^There (was|were) \\d+ failures?:$", Pattern.MULTILINE);

  private FrameworkJvm() {}

  /**
   * Runs classes of tests, which must all pass.
   *
   * @param scratch an empty directory
   * @param framework its name for {@code tools/engine}
   * @param arguments for the JVM
   * @param tests classes of one package, by their simple names
   * @return how many tests there were
   */
  public static int run(
      Path scratch, String framework, List<String> arguments, String testPackage, String... tests)
      throws Exception {
    Path framed = Distribution.of(framework);
    Path classes = Files.createDirectories(scratch.resolve("classes"));
    Path packageOfTests = classes.resolve(testPackage.replace('.', '/'));
    Path temporary = Files.createDirectory(scratch.resolve("tmp"));
    ended("cp", "-R", framed.resolve("lib").toString(), scratch.toString());
    ended("cp", "-R", "target/classes/io", classes.toString());
    Files.createDirectories(packageOfTests);
    ended(
        "cp",
        "-R",
        Path.of("target/test-classes").resolve(classes.relativize(packageOfTests)).toString(),
        packageOfTests.getParent().toString());
    for (Path library : libraries()) {
      Files.copy(library, scratch.resolve("lib").resolve(library.getFileName()));
    }
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      ended("chown", "-R", "nobody", scratch.toString());
      command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"));
    }
    command.addAll(
        List.of(
            Path.of(Distribution.javaHome(), "bin", "java").toString(),
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-ea",
            "-esa",
            "-Djava.io.tmpdir=" + temporary,
            "--enable-native-access=ALL-UNNAMED"));
    command.addAll(arguments);
    command.addAll(List.of("-cp", classes + File.pathSeparator + scratch.resolve("lib") + "/*"));
    command.add("org.junit.runner.JUnitCore");
    Arrays.stream(tests).map(test -> testPackage + "." + test).forEach(command::add);
    String said = ended(scratch, command);
    Matcher end = END.matcher(said);
    assertTrue(end.find(), said);
    return Integer.parseInt(end.group(1));
  }

  private static List<Path> libraries() {
    String own =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(own.split(File.pathSeparator))
        .map(Path::of)
        .filter(entry -> LIBRARIES.matcher(entry.getFileName().toString()).matches())
        .toList();
  }

  private static String failures(String said) {
    Matcher failures = FAILURES.matcher(said);
    return failures.find() ? said.substring(failures.start()) : said;
  }

  private static void ended(String... command) throws Exception {
    ended(Path.of("").toAbsolutePath(), List.of(command));
  }

  private static String ended(Path directory, List<String> command) throws Exception {
    Path output = Files.createTempFile("weir", ".output");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        assertTrue(process.waitFor(SECONDS, TimeUnit.SECONDS), () -> "runs on: " + command);
      } finally {
        process.destroyForcibly();
      }
      String said = Files.readString(output);
      assertEquals(0, process.exitValue(), () -> command + ": " + failures(said));
      return said;
    } finally {
      Files.delete(output);
    }
  }
}
