package io.weir.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.Slow;
import io.weir.tools.ScriptSandbox.Result;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** When {@code tools/weir} builds, and how it becomes java; with a fake Maven and a fake java. */
@Slow("starts a shell for each test")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ToolsScriptWeirTest {
  private static final String MAVEN_THAT_BUILDS =
      """
      echo "$PWD: $*" >>builds
      made=target/weir-cli-0.1.0/weir-cli-0.1.0
      mkdir -p $made/bin $made/lib
      cp src/main/dist/bin/weir $made/bin
      cp tools/find-jdk $made/lib
      echo jar >$made/lib/weir-0.1.0.jar
      """;

  private static final String JAVA_THAT_TELLS =
      """
      echo "in $PWD"
      for argument in "$@"; do echo "[$argument]"; done
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
  void run_first_buildsAndSaysSoInOneLine() throws Exception {
    Result result = weir();
    assertEquals(0, result.exitCode());
    assertEquals(List.of("weir: building (first use, about a minute)..."), result.err());
    String build = sandbox.linesOf("builds").get(0);
    assertTrue(build.startsWith(sandbox.checkout.toRealPath() + ": "), build);
    assertTrue(build.endsWith(" package"), build);
  }

  @Test
  void run_second_buildsNothingAndIsSilent() throws Exception {
    weir();
    assertEquals(List.of(), weir().err());
    assertBuilds(1);
  }

  @Test
  void run_sourceTouched_buildsAgain() throws Exception {
    weir();
    Files.setLastModifiedTime(sandbox.source, FileTime.from(Instant.now().plusSeconds(60)));
    assertEquals(List.of("weir: building..."), weir().err());
    assertBuilds(2);
  }

  @Test
  void run_sourceReplacedByOneWithAnOldDate_buildsAgain() throws Exception {
    weir();
    Files.writeString(sandbox.source, "another release's");
    Files.setLastModifiedTime(sandbox.source, FileTime.from(Instant.EPOCH.plusSeconds(86_400)));
    weir();
    assertBuilds(2);
  }

  @Test
  void run_sourceDeleted_buildsAgain() throws Exception {
    weir();
    Files.delete(sandbox.source);
    weir();
    assertBuilds(2);
  }

  @Test
  void run_jarAndLibrariesOfAnotherVersionInTarget_leavesThemOffTheClassPath() throws Exception {
    Files.createDirectories(sandbox.checkout.resolve("target/cli/lib"));
    Files.createDirectories(sandbox.checkout.resolve("target/weir-cli-0.0.9/weir-cli-0.0.9"));
    Files.writeString(sandbox.checkout.resolve("target/weir-0.0.9.jar"), "old");
    Files.writeString(sandbox.checkout.resolve("target/cli/lib/lucene-9.jar"), "old");
    weir();
    assertEquals(List.of("jar"), sandbox.linesOf("target/cli/lib/weir-0.1.0.jar"));
    assertFalse(Files.exists(sandbox.checkout.resolve("target/cli/lib/lucene-9.jar")));
    assertFalse(Files.exists(sandbox.checkout.resolve("target/weir-0.0.9.jar")));
  }

  @Test
  void run_argumentsWithSpaces_arriveIntactInTheCallersDirectory() throws Exception {
    List<String> out = weir("stress", "--arm", "a: cap=1 MB/s", "", "*", "$HOME").out();
    assertEquals("in " + sandbox.callersDirectory.toRealPath(), out.get(0));
    int main = out.indexOf("[io.weir.cli.Main]");
    assertEquals("[" + sandbox.checkout.toRealPath() + "/target/cli/lib/*]", out.get(main - 1));
    assertTrue(out.subList(0, main).contains("[--enable-native-access=ALL-UNNAMED]"));
    assertEquals(
        List.of("[stress]", "[--arm]", "[a: cap=1 MB/s]", "[]", "[*]", "[$HOME]"),
        out.subList(main + 1, out.size()));
  }

  @Test
  void run_throughASymbolicLink_findsTheCheckout() throws Exception {
    sandbox.linkOnPath("weir", Path.of(sandbox.script("tools/weir")));
    assertEquals(0, sandbox.run(temporary.resolve("bin/weir").toString()).exitCode());
    assertBuilds(1);
  }

  @Test
  void run_mavenFails_showsItsTailAndTriesAgainNextTime() throws Exception {
    sandbox.putOnPath("mvn", "for i in {1..99}; do echo \"line $i\"; done; exit 7");
    Result failed = weir();
    assertEquals(1, failed.exitCode());
    assertEquals(List.of(), failed.out());
    assertTrue(failed.err().contains("line 99"), () -> "" + failed.err());
    assertFalse(failed.err().contains("line 50"), "only the tail");
    sandbox.putOnPath("mvn", MAVEN_THAT_BUILDS);
    assertEquals(0, weir().exitCode());
    assertBuilds(1);
  }

  @Test
  void run_buildInterrupted_isNotTakenForBuilt() throws Exception {
    sandbox.putOnPath("mvn", MAVEN_THAT_BUILDS + "exit 130");
    assertEquals(130, weir().exitCode());
    sandbox.putOnPath("mvn", MAVEN_THAT_BUILDS);
    assertEquals(0, weir().exitCode());
    assertBuilds(2);
  }

  @Test
  void run_noMaven_saysWhatToInstallInOneLine() throws Exception {
    Files.delete(temporary.resolve("bin/mvn"));
    Result result = weir();
    assertEquals(1, result.exitCode());
    assertEquals(1, result.err().size(), () -> "" + result.err());
    assertTrue(result.err().get(0).contains("apt-get install maven"), result.err().get(0));
  }

  @Test
  void run_twoAtOnce_buildOnce() throws Exception {
    assumeTrue(ScriptSandbox.findOnMachine("flock").isPresent(), "this machine has no flock");
    String gate = sandbox.script("gate");
    assertEquals(0, sandbox.run("mkfifo", gate).exitCode());
    // Opening a pipe with a name waits for the other side: this Maven builds until it is told.
    sandbox.putOnPath("mvn", "read -r _ <gate\n" + MAVEN_THAT_BUILDS);
    Process first = sandbox.start(sandbox.script("tools/weir"));
    String building = ScriptSandbox.outputOf(first).readLine();
    assertEquals("weir: building (first use, about a minute)...", building);
    Process second = sandbox.start(sandbox.script("tools/weir"));
    String waiting = ScriptSandbox.outputOf(second).readLine();
    assertEquals("weir: waiting for the build that another weir has begun...", waiting);
    assertEquals(0, sandbox.run("bash", "-c", "echo >\"$1\"", "-", gate).exitCode());
    assertEquals(0, sandbox.exitCodeOf(first));
    assertEquals(0, sandbox.exitCodeOf(second));
    assertBuilds(1);
  }

  @Test
  void interrupt_whileJavaRuns_reachesJavaWhichDecides() throws Exception {
    String probe = "trap 'exit 7' INT; kill -INT $$; exit 0";
    assumeTrue(
        sandbox.run("bash", "-c", probe).exitCode() == 7, "started with SIGINT ignored, as by &");
    sandbox.putJdk(
        "jdk", "21", "trap 'echo interrupted; exit 42' INT; echo \"$$\"; read -r _; echo lived");
    Process weir = startBuilt();
    BufferedReader out = ScriptSandbox.outputOf(weir);
    assertEquals("" + weir.pid(), out.readLine(), "java has taken the script's place");
    sandbox.run("bash", "-c", "kill -INT \"$1\"", "-", "" + weir.pid());
    assertEquals("interrupted", out.readLine());
    assertEquals(42, sandbox.exitCodeOf(weir));
  }

  @Test
  void standardInput_ofTheCaller_isJavas() throws Exception {
    sandbox.putJdk("jdk", "21", "read -r line; echo \"read $line\"");
    Process weir = startBuilt();
    try (var in = weir.outputWriter()) {
      in.write("a line\n");
    }
    assertEquals("read a line", ScriptSandbox.outputOf(weir).readLine());
    assertEquals(0, sandbox.exitCodeOf(weir));
  }

  private Process startBuilt() throws Exception {
    Process weir = sandbox.start(sandbox.script("tools/weir"));
    ScriptSandbox.outputOf(weir).readLine(); // that it builds
    return weir;
  }

  private Result weir(String... arguments) throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = sandbox.script("tools/weir");
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    return sandbox.run(command);
  }

  private void assertBuilds(int count) throws IOException {
    List<String> builds = sandbox.linesOf("builds");
    assertEquals(count, builds.size(), () -> "" + builds);
  }
}
