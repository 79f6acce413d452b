package io.weir.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The habits of the house, read off the source text; each rule is shown to fire. */
class TidyTest {

  private static final String MAIN = "src/main/java/io/weir/store/Thing.java";
  private static final String TEST = "src/test/java/io/weir/store/ThingTest.java";
  private static final String TOUR = "src/main/java/io/weir/store/package-info.java";

  private static List<SourceFile> files;

  @BeforeAll
  static void readRepository() throws IOException {
    files = Repository.textFiles(Path.of("").toAbsolutePath());
  }

  @ParameterizedTest
  @EnumSource
  void repository_keepsTheRule(TidyRule rule) {
    List<String> breaches = new ArrayList<>();
    for (SourceFile file : files) {
      breaches.addAll(rule.breaches(file));
    }

    assertTrue(breaches.isEmpty(), () -> String.join("\n", breaches));
  }

  @Test
  void repository_isReadWhole() {
    Set<String> paths = new TreeSet<>(files.stream().map(SourceFile::path).toList());

    assertTrue(
        paths.containsAll(
            List.of(
                "pom.xml",
                ".gitignore",
                ".mvn/jvm.config",
                "src/main/java/io/weir/package-info.java")),
        paths.toString());
    assertFalse(paths.stream().anyMatch(path -> path.startsWith("target/")), paths.toString());
  }

  @Test
  void repository_everyMainPackageHasATour() {
    Set<String> packages = new TreeSet<>();
    Set<String> toured = new TreeSet<>();
    for (SourceFile file : files) {
      if (file.isMainJava()) {
        String directory = file.path().substring(0, file.path().lastIndexOf('/'));
        packages.add(directory);
        if (file.path().endsWith("/package-info.java")) {
          toured.add(directory);
        }
      }
    }
    packages.removeAll(toured);

    assertEquals(
        Set.of(), packages, "banned: a package without a tour -> use instead: package-info.java");
  }

  @ParameterizedTest
  @MethodSource("badSamples")
  void rule_onABadSample_fires(TidyRule rule, String path, String text) {
    List<String> breaches = rule.breaches(new SourceFile(path, text));

    assertEquals(1, breaches.size(), breaches.toString());
    assertTrue(breaches.get(0).startsWith(path + ":"), breaches.get(0));
    assertTrue(breaches.get(0).contains(" -> use instead: "), breaches.get(0));
  }

  static Stream<Arguments> badSamples() {
    return Stream.of(
        Arguments.of(TidyRule.CLOCK, MAIN, "long now = System.nanoTime();\n"),
        Arguments.of(TidyRule.CLOCK, MAIN, "LongSupplier now = System::nanoTime;\n"),
        Arguments.of(TidyRule.CLOCK, MAIN, "LockSupport.parkNanos(this, 5);\n"),
        Arguments.of(TidyRule.CLOCK, MAIN, "/* a */ Thread.sleep(5);\n"),
        Arguments.of(TidyRule.CLOCK, MAIN, "TimeUnit.SECONDS.sleep(5);\n"),
        Arguments.of(TidyRule.THREAD, MAIN, "new Thread(task).start();\n"),
        Arguments.of(TidyRule.THREAD, MAIN, "class Ticking extends Thread {\n"),
        Arguments.of(TidyRule.THREAD, MAIN, "Thread.ofVirtual().start(task);\n"),
        Arguments.of(TidyRule.THREAD, MAIN, "Executors.newCachedThreadPool();\n"),
        Arguments.of(TidyRule.THREAD, MAIN, "new ThreadPoolExecutor(\n1, 1, queue);\n"),
        Arguments.of(TidyRule.THREAD, MAIN, "CompletableFuture.runAsync(task);\n"),
        Arguments.of(TidyRule.THREAD, MAIN, "CompletableFuture.delayedExecutor(1, SECONDS);\n"),
        Arguments.of(TidyRule.THREAD, MAIN, "new Timer(true);\n"),
        Arguments.of(TidyRule.THREAD, MAIN, "files.parallelStream();\n"),
        Arguments.of(TidyRule.THREAD_LOCAL, MAIN, "new ThreadLocal<>();\n"),
        Arguments.of(TidyRule.SLEEP_IN_TEST, TEST, "Thread.sleep(5);\n"),
        Arguments.of(TidyRule.PRINT, MAIN, "System.out.println(\"x\");\n"),
        Arguments.of(TidyRule.PRINT, MAIN, "PrintStream err = System.err;\n"),
        Arguments.of(TidyRule.PRINT, MAIN, "e.printStackTrace();\n"),
        Arguments.of(TidyRule.PRINT_IN_TEST, TEST, "System.err.printf(\"x\");\n"),
        Arguments.of(TidyRule.DISABLED_TEST, TEST, "  @Disabled(\"flaky\")\n  @Test\n"),
        Arguments.of(TidyRule.LEFTOVER, MAIN, "// TO" + "DO: later\n"),
        Arguments.of(TidyRule.LEFTOVER, "docs/A.md", "FIX" + "ME\n"),
        Arguments.of(TidyRule.VAGUE_NAME, "src/main/java/io/weir/utils/Bytes.java", ""),
        Arguments.of(TidyRule.VAGUE_NAME, "src/main/java/io/weir/store/ByteUtils.java", ""),
        Arguments.of(TidyRule.VAGUE_NAME, "src/test/java/io/weir/store/TestHelper.java", ""),
        Arguments.of(TidyRule.REGISTRY, "tools/weir", "curl https://repo1.maven" + ".org/x\n"),
        Arguments.of(TidyRule.REGISTRY, "docs/A.md", "registry.npmjs" + ".org\n"),
        Arguments.of(TidyRule.DEVELOPER_PATH, "docs/A.md", "see /wo" + "rk/notes\n"),
        Arguments.of(TidyRule.DEVELOPER_PATH, "pom.xml", "<a>\"/ho" + "me/me/x\"</a>\n"),
        Arguments.of(TidyRule.BLANKS, "docs/A.md", "one \ntwo\n"),
        Arguments.of(TidyRule.BLANKS, MAIN, "\tint x;\n"),
        Arguments.of(TidyRule.BLANKS, "docs/A.md", "the end "),
        Arguments.of(TidyRule.BLANKS, "docs/A.md", "dos\r\n"),
        Arguments.of(TidyRule.LONG_CLASS, MAIN, "int x;\n".repeat(501)),
        Arguments.of(
            TidyRule.SHORT_PACKAGE_TOUR, TOUR, "/** One only. */\npackage io.weir.store;\n"),
        Arguments.of(TidyRule.SHORT_PACKAGE_TOUR, TOUR, "package io.weir.store;\n"));
  }

  @Test
  void badSamples_leaveNoRuleOut() {
    Set<TidyRule> shown = EnumSet.noneOf(TidyRule.class);
    badSamples().forEach(sample -> shown.add((TidyRule) sample.get()[0]));

    assertEquals(EnumSet.allOf(TidyRule.class), shown);
  }

  @ParameterizedTest
  @MethodSource("goodSamples")
  void rule_onAGoodSample_isSilent(TidyRule rule, String path, String text) {
    assertEquals(List.of(), rule.breaches(new SourceFile(path, text)));
  }

  static Stream<Arguments> goodSamples() {
    String clock = "src/main/java/io/weir/time/NanoClock.java";
    String arm = "src/main/java/io/weir/jvm/Worker.java";
    return Stream.of(
        Arguments.of(TidyRule.CLOCK, clock, "System.nanoTime();\n"),
        Arguments.of(TidyRule.CLOCK, MAIN, "/** Not {@link System#nanoTime}. */\n"),
        Arguments.of(TidyRule.CLOCK, MAIN, "// System.nanoTime()\nclock.nanoTime();\n"),
        Arguments.of(TidyRule.CLOCK, MAIN, "String s = \"a \\\" System.nanoTime()\";\n"),
        Arguments.of(TidyRule.CLOCK, TEST, "System.nanoTime();\n"),
        Arguments.of(TidyRule.THREAD, MAIN, "Executors.newX(\nDaemonThreads.named(name));\n"),
        Arguments.of(TidyRule.THREAD, arm, "new Thread(task).start();\n"),
        Arguments.of(TidyRule.PRINT, arm, "System.out.println();\n"),
        Arguments.of(
            TidyRule.PRINT, "src/main/java/io/weir/cli/Main.java", "System.err.flush();\n"),
        Arguments.of(TidyRule.PRINT_IN_TEST, TEST, "PrintStream before = System.out;\n"),
        Arguments.of(TidyRule.DISABLED_TEST, TEST, "@DisabledOnOs(OS.WINDOWS)\n"),
        Arguments.of(TidyRule.LEFTOVER, MAIN, "int todos;\n"),
        Arguments.of(TidyRule.VAGUE_NAME, "src/main/java/io/weir/store/Utilization.java", ""),
        Arguments.of(TidyRule.REGISTRY, "pom.xml", "http://maven.apache.org/POM/4.0.0\n"),
        Arguments.of(TidyRule.DEVELOPER_PATH, "docs/A.md", "https://a.org/home/x, src/work/y\n"),
        Arguments.of(TidyRule.BLANKS, "src/test/resources/kernel/proc/x", "a\tb \n"),
        Arguments.of(TidyRule.LONG_CLASS, MAIN, "int x;\n".repeat(500)),
        Arguments.of(
            TidyRule.SHORT_PACKAGE_TOUR, TOUR, "/**\n * One.\n *\n * <p>Two.\n */\npackage x;\n"));
  }

  @Test
  void code_ofCommentsAndLiterals_isBlankAndKeepsItsLines() {
    String source =
        "a(\"x // y\"); // z\n/* b\n c */ d('\"', \"\\\\\"); e(\"\"\"\n  f \"quoted\"\n  \"\"\"); g\n";
    String code = new SourceFile(MAIN, source).code();

    assertEquals(source.lines().count(), code.lines().count());
    assertEquals("a();d(,);e();g", code.replaceAll("\\s", ""));
  }
}
