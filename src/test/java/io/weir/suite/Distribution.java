package io.weir.suite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The distributions of engines that {@code tools/engine} has fetched. No test fetches one: {@code
 * tools/test --install} does that before the tests.
 */
public final class Distribution {

  private static final int FIND_SECONDS = 30;

  /** What {@code tools/engine} adds to the name of an engine for other things of it. */
  private static final Pattern KIND = Pattern.compile("-[a-z]+$");

  private Distribution() {}

  /**
   * The version of an engine that the tests try: the one that the plug-in is compiled for, or what
   * {@code tools/test --matrix} says.
   */
  public static String version(String engine) {
    return other(engine).orElseGet(() -> System.getProperty(engine + ".version"));
  }

  /** Whether the tests try the version that the plug-in is compiled for. */
  public static boolean isThatOfTheBuild(String engine) {
    return other(engine).isEmpty();
  }

  /** The Java that servers run with: that of the tests, or what {@code weir.engine.jvm} names. */
  public static String javaHome() {
    return System.getProperty("weir.engine.jvm", System.getProperty("java.home"));
  }

  private static Optional<String> other(String engine) {
    return Optional.ofNullable(System.getProperty("weir." + engine + ".version"));
  }

  /**
   * Where the distribution of {@code engine} is. It is shared: nothing may write in it. Without it
   * the test is skipped; on a CI machine, which installs all that tests need, it fails.
   */
  public static Path of(String engine) throws IOException, InterruptedException {
    return find(
        engine + other(KIND.matcher(engine).replaceFirst("")).map(other -> ":" + other).orElse(""));
  }

  /** That of the version that the plug-in is compiled for, whatever the tests try. */
  public static Path ofTheBuild(String engine) throws IOException, InterruptedException {
    return find(engine);
  }

  private static Path find(String engine) throws IOException, InterruptedException {
    Path errors = Files.createTempFile("weir-engine", ".log");
    Process find =
        new ProcessBuilder("tools/engine", "--no-fetch", engine)
            .redirectError(errors.toFile())
            .start();
    try {
      String home = new String(find.getInputStream().readAllBytes(), UTF_8).strip();
      boolean found = find.waitFor(FIND_SECONDS, TimeUnit.SECONDS) && find.exitValue() == 0;
      if (!found && "true".equals(System.getenv("CI"))) {
        throw new AssertionError(text(errors));
      }
      assumeTrue(found, () -> "SKIPPED: " + text(errors));
      return Path.of(home);
    } finally {
      find.destroyForcibly();
      Files.delete(errors);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
