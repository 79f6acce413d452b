package io.weir.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir-why.jar} as a user has it: one file, copied into an empty directory. */
@EnabledOnOs(OS.LINUX)
@Slow("starts an application, and looks at it for seconds")
@Timeout(value = 400, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WhyJarIT {

  private static final Path JAR = Artifact.built("weir-why-", ".jar");
  private static final int CLASS_FILE_OF_JAVA_21 = 65;

  /** It is to be copied over a slow line, and mailed. */
  private static final long MOST_BYTES = 4_000_000;

  /** All that it may have; the command line's own files are named one by one. */
  private static final List<String> PACKAGES =
      List.of(
          "com/fasterxml/jackson/",
          "io/weir/cli/(CancelOnSignal|CommandHelp|ExitCode|Program|Terminal|WeirVersion|Why|version[.])",
          "io/weir/(figure|lucene|merge|nrt|option|procfs|rate|rest|run|time|why)/[A-Z]",
          "io/weir/report/(chart/|compare/Changed|html/|svg/|table/|text/|uplot/|words/|[a-z]+[.])",
          "io/weir/store/(ForecastSnapshot|WritebackSnapshot|kernel/)",
          "META-INF/(LICENSE|NOTICE|LIBRARIES.txt|MANIFEST.MF|licences/)",
          "org/apache/lucene/(index/IndexFileNames|store/ReadAdvice|util/)",
          "picocli/");

  @TempDir Path temp;
  private Path here;
  private final List<Process> started = new ArrayList<>();

  private record Ended(int exitCode, String out, String err) {}

  @BeforeEach
  void copy() throws IOException {
    here = Files.createDirectory(temp.resolve("here"));
    Files.copy(JAR, here.resolve("weir-why.jar"));
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : started) {
      process.destroyForcibly().waitFor();
    }
  }

  /** The lowest that Weir needs, where it is installed. */
  private static Path java() throws IOException {
    Path installed = Path.of("/usr/lib/jvm");
    try (Stream<Path> all = Files.isDirectory(installed) ? Files.list(installed) : Stream.of()) {
      return all.filter(home -> home.getFileName().toString().matches(".*\\b21\\b.*"))
          .map(home -> home.resolve("bin/java"))
          .filter(Files::isExecutable)
          .findFirst()
          .orElse(Path.of(System.getProperty("java.home"), "bin", "java"));
    }
  }

  @Test
  void jar_onASickApplication_namesItsIllness_andComparesTwoLooks() throws Exception {
    Process application = application("WARMING");
    long pid = application.pid();

    Ended first = weir(Long.toString(pid), "--for", "20s", "--out", "first");
    Ended second = weir(Long.toString(pid), "--for", "20s", "--out", "second");
    Ended compared = weir("--compare", "first", "second", "--out", "both");

    assertEquals(0, first.exitCode(), first.toString());
    assertTrue(first.out().startsWith("Refreshes spend "), first.toString());
    assertTrue(
        first.out().replaceAll("\\s+", " ").contains("in the application's own searcher factory"),
        first.toString());
    assertFalse(first.err().contains("WARNING"), first.toString());
    assertTrue(Files.size(here.resolve("first/why.html")) > 10_000);
    assertEquals(0, second.exitCode(), second.toString());
    assertEquals(0, compared.exitCode(), compared.toString());
    assertFalse(compared.out().startsWith("The two looks cannot be compared"), compared.out());
    assertTrue(compared.out().contains("refreshes spend "), compared.out());
    assertTrue(Files.exists(here.resolve("both/why-comparison.html")));
  }

  @Test
  void jar_helpVersionAndRefusal_areThoseOfTheCommandUnderItsOwnName() throws Exception {
    Ended help = weir("--help=all");
    Ended version = weir("--version");
    Ended refused = weir("4711x");

    assertEquals(0, help.exitCode(), help.toString());
    assertTrue(help.out().startsWith("Usage: java -jar weir-why.jar "), help.out());
    assertTrue(help.out().contains("  java -jar weir-why.jar 4711\n"), help.out());
    assertFalse(help.out().contains("weir why"), help.out());
    assertEquals(0, version.exitCode(), version.toString());
    assertTrue(version.out().startsWith("weir " + Artifact.VERSION + " (Lucene "), version.out());
    assertEquals(2, refused.exitCode(), refused.toString());
    assertTrue(refused.err().startsWith("weir: PID must be "), refused.err());
    assertTrue(refused.err().contains("Try 'java -jar weir-why.jar --help'."), refused.err());
  }

  @Test
  void jar_holdsWhatTheCommandNeeds_andNothingElse_forJava21() throws Exception {
    List<String> others = new ArrayList<>();
    List<String> newer = new ArrayList<>();
    try (JarFile jar = new JarFile(JAR.toFile())) {
      for (JarEntry entry : jar.stream().filter(file -> !file.isDirectory()).toList()) {
        String name = entry.getName();
        if (PACKAGES.stream().noneMatch(prefix -> name.matches(prefix + ".*"))) {
          others.add(name);
        }
        if (name.endsWith(".class") && classFileVersion(jar, entry) > CLASS_FILE_OF_JAVA_21) {
          newer.add(name);
        }
      }
      for (String text : List.of("LICENSE", "NOTICE", "LIBRARIES.txt")) {
        assertTrue(jar.getEntry("META-INF/" + text) != null, text);
      }
      assertTrue(
          jar.getEntry("META-INF/licences/lucene-core/META-INF/NOTICE.txt") != null, "a notice");
    }
    assertEquals(List.of(), others);
    assertEquals(List.of(), newer);
    assertTrue(Files.size(JAR) < MOST_BYTES, Files.size(JAR) + " bytes");
  }

  /** Or it would break where a test does not come by. */
  @Test
  void jar_ofOurClasses_hasAllThatTheyName() {
    StringWriter out = new StringWriter();
    int exitCode =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                new PrintWriter(out, true),
                new PrintWriter(out, true),
                "--missing-deps",
                JAR.toString());

    assertEquals(0, exitCode, out.toString());
    assertEquals(
        List.of(),
        out.toString()
            .lines()
            .filter(line -> line.matches(".*->\\s+(io[.]weir|com[.]fasterxml|picocli).*"))
            .toList());
  }

  private static int classFileVersion(JarFile jar, JarEntry entry) throws IOException {
    try (DataInputStream in = new DataInputStream(jar.getInputStream(entry))) {
      in.readInt(); // 0xCAFEBABE
      in.readUnsignedShort(); // the minor version
      return in.readUnsignedShort();
    }
  }

  private Process application(String illness) throws IOException {
    Process process =
        new ProcessBuilder(
                java().toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.weir.why.SickApplication",
                illness,
                temp.resolve("index").toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    started.add(process);
    assertEquals("ready", process.inputReader().readLine());
    return process;
  }

  private Ended weir(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(java().toString(), "-jar", "weir-why.jar"));
    command.addAll(List.of(arguments));
    Path out = temp.resolve("out");
    Path err = temp.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .directory(here.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    started.add(process);
    assertTrue(process.waitFor(120, TimeUnit.SECONDS), "still running");
    return new Ended(
        process.exitValue(), Files.readString(out, UTF_8), Files.readString(err, UTF_8));
  }
}
