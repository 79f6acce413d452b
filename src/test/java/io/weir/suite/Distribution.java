package io.weir.suite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The distributions of engines that {@code tools/engine} has fetched. No test fetches one: {@code
 * tools/test --install} does that before the tests.
 */
public final class Distribution {

  private static final String VECTORS = "jdk.incubator.vector";
  private static final int FIND_SECONDS = 30;
  private static final int MAKE_SECONDS = 120;

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

  /**
   * The version that the tests upgrade from: an older minor, for which the plug-in is another
   * build, or what {@code weir.ENGINE.older} names.
   */
  public static String older(String engine) {
    return System.getProperty(
        "weir." + engine + ".older", System.getProperty(engine + ".older.version"));
  }

  /** Whether the tests try the version that the plug-in is compiled for. */
  public static boolean isThatOfTheBuild(String engine) {
    return other(engine).isEmpty();
  }

  /** The Java that servers run with: that of the tests, or what {@code weir.engine.jvm} names. */
  public static String javaHome() {
    return System.getProperty("weir.engine.jvm", System.getProperty("java.home"));
  }

  /**
   * A small Java may lack a module that an engine uses only to be faster: the copy of an engine
   * then starts without it.
   */
  public static void useWhatThisJavaHas(Path engine) throws IOException {
    if (!Files.readString(Path.of(javaHome(), "release")).contains(VECTORS)) {
      Path options = engine.resolve("config/jvm.options");
      List<String> kept =
          Files.readAllLines(options).stream().filter(line -> !line.contains(VECTORS)).toList();
      Files.write(options, kept);
    }
  }

  private static Optional<String> other(String engine) {
    return Optional.ofNullable(System.getProperty("weir." + engine + ".version"));
  }

  /**
   * Where the distribution of {@code engine} is. It is shared: nothing may write in it. Without it
   * the test is skipped; on a CI machine, which installs all that tests need, it fails.
   */
  public static Path of(String engine) throws IOException, InterruptedException {
    return found(
        engine + other(KIND.matcher(engine).replaceFirst("")).map(other -> ":" + other).orElse(""));
  }

  /** The same of one version, which no property changes. */
  public static Path of(String engine, String version) throws IOException, InterruptedException {
    return found(engine + ":" + version);
  }

  /** That of the version that the plug-in is compiled for, whatever the tests try. */
  public static Path ofTheBuild(String engine) throws IOException, InterruptedException {
    return found(engine);
  }

  private static Path found(String name) throws IOException, InterruptedException {
    Path errors = Files.createTempFile("weir-engine", ".log");
    Process find =
        new ProcessBuilder("tools/engine", "--no-fetch", name)
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

  /** The plug-in that the build has made for the version that the tests try. */
  public static Path plugIn(String engine) {
    String version = version(engine);
    return zip(engine, isInLine(engine, version) ? line(engine) : version);
  }

  /**
   * The plug-in for another version: that of the build, or what {@code tools/package} makes of it
   * now.
   */
  public static Path plugIn(String engine, String version)
      throws IOException, InterruptedException {
    if (isInLine(engine, version)) {
      return zip(engine, line(engine));
    }
    Path said = Files.createTempFile("weir-package", ".log");
    Process make =
        new ProcessBuilder("tools/package", "--plug-in", engine + ":" + version)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      if (!make.waitFor(MAKE_SECONDS, TimeUnit.SECONDS) || make.exitValue() != 0) {
        throw new AssertionError(text(said));
      }
      return zip(engine, version);
    } finally {
      make.destroyForcibly();
      Files.delete(said);
    }
  }

  /** The versions that the plug-in of the build is for: a range such as 3.4-3.9, or one. */
  private static String line(String engine) {
    return System.getProperty(engine + ".line", System.getProperty(engine + ".version"));
  }

  private static boolean isInLine(String engine, String version) {
    String[] ends = line(engine).split("-");
    return Version.parse(version).compareTo(Version.parse(ends[0])) >= 0
        && Version.parse(version).compareTo(Version.parse(ends[ends.length - 1] + ".99")) <= 0;
  }

  private static Path zip(String engine, String versions) {
    String version = System.getProperty("weir.version");
    return Path.of("target", "weir-%s-%s-for-%s.zip".formatted(engine, version, versions))
        .toAbsolutePath();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
