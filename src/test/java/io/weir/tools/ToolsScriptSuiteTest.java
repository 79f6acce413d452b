package io.weir.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** What {@code tools/test} and {@code .ci/run} bring and say; with a fake Maven and apt-get. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ToolsScriptSuiteTest {
  private static final String MAVEN_THAT_TESTS =
      """
      echo "$*" >>builds
      echo '[INFO] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in A'
      echo '[INFO] Results:'
      echo '[ERROR] Failures: '
      echo '[ERROR]   ATest.a_b_c:12 expected: <1> but was: <2>'
      echo '[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0'
      echo '[INFO] Copying a.jar'
      """;

  private static final String APT_THAT_INSTALLS =
      """
      echo "$DEBIAN_FRONTEND $*" >>"${0%/*}/../a checkout/apt"
      case $* in
        *chromium) made='chromium' ;;
        *prometheus) made='prometheus promtool' ;;
        *libnbd-bin) made='nbdkit nbdfuse' ;;
        *) made='' ;;
      esac
      for program in $made; do : >"${0%/*}/$program"; chmod +x "${0%/*}/$program"; done
      """;

  @TempDir Path temporary;
  @AutoClose private ScriptSandbox sandbox;

  @BeforeEach
  void makeSandbox() throws IOException {
    sandbox = ScriptSandbox.in(temporary);
    sandbox.putOnPath("mvn", MAVEN_THAT_TESTS + "exit 3");
    sandbox.putJdk("jdk", "21");
    sandbox.putOnPath("prometheus", "");
    sandbox.putOnPath("promtool", "");
    sandbox.putOnPath("nbdkit", "");
    sandbox.putOnPath("nbdfuse", "");
  }

  @Test
  void run_testsFail_endsWithTheFailuresAndMavensExitCode() throws Exception {
    sandbox.putOnPath("chromium", "");
    Result result = sandbox.run(sandbox.script("tools/test"), "-Dtest=A b");
    assertEquals(3, result.exitCode());
    assertEquals(List.of("-B -ntp verify -Dtest=A b"), sandbox.linesOf("builds"));
    List<String> out = result.out();
    assertEquals(
        List.of(
            "[INFO] Copying a.jar",
            "",
            "[INFO] Results:",
            "[ERROR] Failures: ",
            "[ERROR]   ATest.a_b_c:12 expected: <1> but was: <2>",
            "[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0"),
        out.subList(out.size() - 6, out.size()));
    assertEquals(List.of(), result.err());
  }

  @Test
  void browser_missingAndNotRoot_isNamedInOneLineAndTheSuiteRuns() throws Exception {
    sandbox.putOnPath("id", "echo 1000");
    sandbox.putOnPath("apt-get", APT_THAT_INSTALLS);
    Result result = sandbox.run(sandbox.script("tools/test"));
    assertEquals(1, result.err().size(), () -> "" + result.err());
    assertTrue(result.err().get(0).contains("chromium"), result.err().get(0));
    assertTrue(result.err().get(0).contains("will be skipped"), result.err().get(0));
    assertEquals(List.of(), sandbox.linesOf("apt"));
    assertEquals(1, sandbox.linesOf("builds").size());
  }

  @Test
  void browser_missingAndRoot_isInstalledWithoutQuestions() throws Exception {
    sandbox.putOnPath("id", "echo 0");
    sandbox.putOnPath("apt-get", APT_THAT_INSTALLS);
    sandbox.linkOnPath("chmod", ScriptSandbox.findOnMachine("chmod").orElseThrow());
    Result result = sandbox.run(sandbox.script("tools/test"));
    assertEquals(
        List.of(
            "noninteractive update -qq",
            "noninteractive install -y -qq --no-install-recommends chromium"),
        sandbox.linesOf("apt"));
    assertEquals(List.of("weir: installing chromium for the browser test..."), result.err());
  }

  @Test
  void prometheus_missing_isInstalledByRoot_elseNamedInOneLine() throws Exception {
    sandbox.putOnPath("chromium", "");
    sandbox.removeFromPath("promtool");
    sandbox.putOnPath("id", "echo 1000");
    sandbox.putOnPath("apt-get", APT_THAT_INSTALLS);
    Result left = sandbox.run(sandbox.script("tools/test"));
    assertEquals(1, left.err().size(), () -> "" + left.err());
    assertTrue(left.err().get(0).contains("prometheus and promtool"), left.err().get(0));
    assertEquals(1, sandbox.linesOf("builds").size());

    sandbox.putOnPath("id", "echo 0");
    sandbox.linkOnPath("chmod", ScriptSandbox.findOnMachine("chmod").orElseThrow());
    Result installed = sandbox.run(sandbox.script("tools/test"));
    assertEquals(
        List.of("weir: installing prometheus for the test of the dashboard..."), installed.err());
    assertEquals(
        "noninteractive install -y -qq --no-install-recommends prometheus",
        sandbox.linesOf("apt").getLast());
  }

  @Test
  void networkDisk_missing_isInstalledByRoot_elseNamedInOneLine() throws Exception {
    sandbox.putOnPath("chromium", "");
    sandbox.removeFromPath("nbdfuse");
    sandbox.putOnPath("id", "echo 1000");
    sandbox.putOnPath("apt-get", APT_THAT_INSTALLS);
    Result left = sandbox.run(sandbox.script("tools/test"));
    assertEquals(1, left.err().size(), () -> "" + left.err());
    assertTrue(left.err().get(0).contains("nbdkit and nbdfuse"), left.err().get(0));

    sandbox.putOnPath("id", "echo 0");
    sandbox.linkOnPath("chmod", ScriptSandbox.findOnMachine("chmod").orElseThrow());
    Result installed = sandbox.run(sandbox.script("tools/test"));
    assertEquals(
        List.of("weir: installing nbdkit libnbd-bin for the power-cut test..."), installed.err());
    assertEquals(
        "noninteractive install -y -qq --no-install-recommends nbdkit libnbd-bin",
        sandbox.linesOf("apt").getLast());
  }

  @Test
  void browser_cannotBeInstalled_saysWhyAndTheSuiteRuns() throws Exception {
    sandbox.putOnPath("id", "echo 0");
    sandbox.putOnPath("apt-get", "echo 'E: no network' >&2; exit 100");
    Result result = sandbox.run(sandbox.script("tools/test"));
    assertEquals("E: no network", result.err().get(1));
    assertTrue(result.err().getLast().contains("will be skipped"), "" + result.err());
    assertEquals(3, result.exitCode());
    assertEquals(1, sandbox.linesOf("builds").size());
  }

  @Test
  void ci_noJdkToBeHad_failsWithTheLineThatNamesOne() throws Exception {
    Files.delete(temporary.resolve("jvms/jdk/bin/javac"));
    sandbox.putOnPath("apt-get", "exit 100");
    Result result = sandbox.run(sandbox.script(".ci/run"));
    assertEquals(1, result.exitCode());
    assertTrue(result.err().getLast().contains("openjdk-21-jdk-headless"), "" + result.err());
    assertEquals(List.of(), sandbox.linesOf("builds"));
  }

  @Test
  void ci_allThere_runsTheSuiteAndPassesItsExitCode() throws Exception {
    sandbox.putOnPath("chromium", "");
    assertEquals(3, sandbox.run(sandbox.script(".ci/run")).exitCode());
    assertEquals(List.of("-B -ntp verify"), sandbox.linesOf("builds"));
  }
}
