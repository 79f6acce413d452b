package io.weir.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.suite.Slow;
import io.weir.tools.ScriptSandbox.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When {@code tools/bench} builds, and how it becomes java; with a fake Maven and a fake java. */
@Slow("starts a shell for each test")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ToolsScriptBenchTest {
  private static final String MAVEN_THAT_BUILDS =
      """
      echo "$PWD: $*" >>builds
      mkdir -p target/classes target/test-classes
      echo /libraries/a.jar:/libraries/b.jar >target/bench.libraries
      """;

  private static final String JAVA_THAT_TELLS =
      """
      echo "in $PWD"
      for argument in "$@"; do echo "[$argument]"; done
      exit 7
      """;

  @TempDir Path temporary;
  @AutoClose private ScriptSandbox sandbox;

  @BeforeEach
  void makeSandbox() throws IOException {
    sandbox = ScriptSandbox.in(temporary);
    sandbox.putOnPath("mvn", MAVEN_THAT_BUILDS);
    sandbox.putJdk("jdk", "21", JAVA_THAT_TELLS);
  }

  @Test
  void run_first_compilesTheTestsWithoutRunningThem() throws Exception {
    Result result = bench();
    assertEquals(List.of("weir: building (first use, about a minute)..."), result.err());
    String build = sandbox.linesOf("builds").get(0);
    assertTrue(build.startsWith(sandbox.checkout.toRealPath() + ": "), build);
    assertTrue(build.contains(" test-compile dependency:build-classpath "), build);
  }

  @Test
  void run_second_buildsNothingAndIsSilent() throws Exception {
    bench();
    assertEquals(List.of(), bench().err());
    assertBuilds(1);
  }

  @Test
  void run_testSourceChanged_buildsAgain() throws Exception {
    bench();
    Path test = sandbox.checkout.resolve("src/test/java/ATest.java");
    Files.createDirectories(test.getParent());
    Files.writeString(test, "a test");
    bench();
    assertBuilds(2);
  }

  @Test
  void run_classesGone_buildsAgain() throws Exception {
    bench();
    Files.delete(sandbox.checkout.resolve("target/test-classes"));
    bench();
    assertBuilds(2);
  }

  @Test
  void run_mavenFails_showsItsTailAndRunsNothing() throws Exception {
    sandbox.putOnPath("mvn", "echo 'cannot compile'; exit 1");
    Result failed = bench("accuracy");
    assertEquals(1, failed.exitCode());
    assertEquals(List.of(), failed.out());
    assertTrue(failed.err().contains("cannot compile"), () -> "" + failed.err());
  }

  @Test
  void run_arguments_arriveIntactInTheCallersDirectoryAndJavaDecides() throws Exception {
    Result result = bench("accuracy", "--quick", "--dir", "a b");
    List<String> out = result.out();
    assertEquals(7, result.exitCode());
    assertEquals("in " + sandbox.callersDirectory.toRealPath(), out.get(0));
    int main = out.indexOf("[io.weir.benchmark.BenchmarkMain]");
    String target = sandbox.checkout.toRealPath() + "/target";
    assertEquals(
        "[" + target + "/test-classes:" + target + "/classes:/libraries/a.jar:/libraries/b.jar]",
        out.get(main - 1));
    assertTrue(out.contains("[-Dweir.bench.directory=" + target + "/bench]"), () -> "" + out);
    assertEquals(
        List.of("[accuracy]", "[--quick]", "[--dir]", "[a b]"), out.subList(main + 1, out.size()));
  }

  private Result bench(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = sandbox.script("tools/bench");
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return sandbox.run(command);
  }

  private void assertBuilds(int count) throws IOException {
    List<String> builds = sandbox.linesOf("builds");
    assertEquals(count, builds.size(), () -> "" + builds);
  }
}
