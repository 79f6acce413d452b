package io.weir.interleavings;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs methods under Fray: each in a JVM of its own, again and again, with other interleavings.
 *
 * <p>Fray needs a JDK whose classes call it. This makes one of the JDK that runs the tests, by that
 * JDK's own {@code jlink}. All else is on the class path, with the profile {@code interleavings}.
 *
 * <p><b>Failure:</b> without Fray, or a JDK that it knows, the tests are skipped.
 */
final class Fray {

  /** The one that its instrumentation is made for. */
  private static final int JDK = 25;

  private static final int INTERLEAVINGS = Integer.getInteger("weir.interleavings", 500);
  private static final int SECONDS = 30;
  private static final int PATIENCE_SECONDS = 300; // for a machine that does much else

  /**
   * What Weir and Lucene need. No JDK without packaged modules can put {@code jlink} in another.
   */
  private static final String MODULES = "java.se,jdk.management,jdk.unsupported,jdk.net";

  private static final Pattern END = Pattern.compile("Run finished[.] Total iter: (\\d+)");
  private static final Pattern FOUND =
      Pattern.compile("Error found at iter: (\\d+).*", Pattern.DOTALL);

  private final Path scratch;
  private final Path home;

  /**
   * How a run has ended.
   *
   * @param interleavings how many there were
   * @param found what went wrong in the last one
   */
  record Outcome(int interleavings, Optional<String> found) {}

  /**
   * Makes the JDK, which takes a minute.
   *
   * @param scratch an empty directory
   */
  Fray(Path scratch) throws Exception {
    assumeTrue(
        Runtime.version().feature() == JDK, "Fray knows JDK " + JDK + " only: no interleavings");
    assumeTrue(
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64"),
        "the build has Fray for Linux on x86-64 only: no interleavings");
    assumeTrue(
        !jars(name -> name.startsWith("fray-core-")).isEmpty(),
        "no Fray without the profile interleavings: no interleavings");
    this.scratch = scratch;
    this.home = scratch.resolve("jdk");
    String instrumentation =
        jars(name -> name.matches("(fray-instrumentation-[bj]|fray-runtime|kotlin|asm|annot).*"));
    ended(
        scratch.resolve("jlink.txt"),
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "jlink").toString(),
            "-J-javaagent:" + jars(name -> name.startsWith("fray-instrumentation-jdk-")),
            "-J--module-path=" + instrumentation,
            "-J--add-modules=org.pastalab.fray.instrumentation.jdk",
            "-J--class-path=" + instrumentation,
            "--output=" + home,
            "--add-modules=" + MODULES,
            "--release-info=add:IMPLEMENTOR=Fray",
            "--fray-instrumentation"));
    assertTrue(
        Files.isExecutable(home.resolve("bin/java")), () -> tail(scratch.resolve("jlink.txt")));
    try (JarFile jar = new JarFile(jars(name -> name.startsWith("fray-jvmti-")));
        InputStream library = jar.getInputStream(jar.getEntry("libjvmti.so"))) {
      Files.copy(library, scratch.resolve("libjvmti.so"));
    }
  }

  /** Runs a method without parameters until it fails, or often enough. */
  Outcome run(String className, String method) throws Exception {
    Path report = scratch.resolve(className + "." + method);
    String said =
        ended(
            scratch.resolve(className + "." + method + ".txt"),
            List.of(
                home.resolve("bin/java").toString(),
                "-ea",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-agentpath:" + scratch.resolve("libjvmti.so"),
                "-javaagent:" + jars(name -> name.startsWith("fray-instrumentation-agent-")),
                "-cp",
                // The JDK has the runtime, and the agent its own copy of the instrumentation.
                jars(name -> !name.matches("fray-(instrumentation|runtime|jvmti)-.*")),
                "org.pastalab.fray.core.MainKt",
                "--run-config=cli",
                "--clazz=" + className,
                "--method=" + method,
                "--output=" + report,
                "--scheduler=pos",
                "--timeline-coverage=none",
                "--iter=" + INTERLEAVINGS,
                "--timeout=" + SECONDS));
    Matcher found = FOUND.matcher(said);
    if (found.find()) {
      return new Outcome(Integer.parseInt(found.group(1)) + 1, Optional.of(found.group()));
    }
    Matcher end = END.matcher(said);
    assertTrue(end.find(), said);
    return new Outcome(Integer.parseInt(end.group(1)), Optional.empty());
  }

  /** Of the class path of this JVM; directories are there without a name. */
  private static String jars(Predicate<String> byName) {
    String own =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return Stream.of(own.split(File.pathSeparator))
        .filter(entry -> byName.test(entry.endsWith(".jar") ? new File(entry).getName() : ""))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * What a process has said that ended by itself. Its exit code tells a fault of what it ran, too.
   */
  private static String ended(Path output, List<String> command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertTrue(
          process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> "runs on: " + tail(output));
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output);
  }

  private static String tail(Path output) {
    try {
      String said = Files.readString(output);
      return said.substring(Math.max(0, said.length() - 2000));
    } catch (IOException e) {
      return e.toString();
    }
  }
}
