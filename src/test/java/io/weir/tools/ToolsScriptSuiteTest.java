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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code tools/test} and {@code .ci/run} bring and say; with a fake Maven and apt-get. */
@Slow("starts a shell for each test")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ToolsScriptSuiteTest {
  private static final String MAVEN_THAT_TESTS =
      """
      echo "$*" >>builds
      mkdir -p target/surefire-reports
      cat >target/surefire-reports/TEST-A.xml <<'END'
        <testcase name="slow" classname="A" time="1,234.5"/>
        <testcase name="fails" classname="A" time="0.25">
          <failure message="expected"><![CDATA[...]]></failure>
        </testcase>
      END
      cat >target/surefire-reports/TEST-B.xml <<'END'
        <testcase name="skipped" classname="B" time="0">
          <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: no browser
        at a.B]]></skipped>
        </testcase>
        <testcase name="skippedToo" classname="B" time="0.5">
          <skipped message="Assumption failed: no browser"/>
        </testcase>
      END
      echo '[INFO] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in A'
      echo '[INFO] Results:'
      echo '[ERROR] Failures: '
      echo '[ERROR]   ATest.a_b_c:12 expected: <1> but was: <2>'
      echo '[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 2'
      echo '[INFO] Copying a.jar'
      """;

  private static final String DISKS =
      "gcc libc6-dev nbdkit nbdkit-plugin-dev libnbd-bin e2fsprogs mount, gcc nbdkit nbdfuse mkfs.ext4"
          + " losetup /usr/include/stdio.h /usr/include/nbdkit-plugin.h";

  private static final String APT_THAT_INSTALLS =
      """
      echo "$DEBIAN_FRONTEND $*" >>"${0%/*}/../a checkout/apt"
      case $* in
        *chromium) made='chromium' ;;
        *prometheus) made='prometheus promtool' ;;
        *libnbd-bin*)
          made='gcc nbdkit nbdfuse mkfs.ext4 losetup'
          : >"$WEIR_TESTS_ROOT/usr/include/stdio.h"
          : >"$WEIR_TESTS_ROOT/usr/include/nbdkit-plugin.h"
          ;;
        *shellcheck) made='shellcheck' ;;
        *zsh) made='zsh' ;;
        *) made='' ;;
      esac
      for program in $made; do : >"${0%/*}/$program"; chmod +x "${0%/*}/$program"; done
      """;

  @TempDir Path temporary;
  @AutoClose private ScriptSandbox sandbox;
  private Path include;

  @BeforeEach
  void makeSandbox() throws IOException {
    sandbox = ScriptSandbox.in(temporary);
    sandbox.putOnPath("mvn", MAVEN_THAT_TESTS + "exit 3");
    sandbox.putJdk("jdk", "21");
    for (String program :
        List.of(
            "chromium",
            "prometheus",
            "promtool",
            "gcc",
            "nbdkit",
            "nbdfuse",
            "mkfs.ext4",
            "losetup",
            "shellcheck",
            "zsh")) {
      sandbox.putOnPath(program, "");
    }
    include = Files.createDirectories(temporary.resolve("system/usr/include"));
    sandbox.set("WEIR_TESTS_ROOT", temporary.resolve("system").toString());
    for (String header : List.of("stdio.h", "nbdkit-plugin.h")) {
      Files.createFile(include.resolve(header));
    }
    Files.writeString(
        temporary.resolve("a checkout/pom.xml"),
        "<opensearch.version>3</opensearch.version>\n<elasticsearch.version>9</elasticsearch.version>\n<solr.version>8</solr.version>\n<solr.older.version>7</solr.older.version>\n<!-- <solr.next.version>11</solr.next.version> -->\n");
    for (String server :
        List.of(
            "opensearch-3",
            "opensearch-tests-3",
            "opensearch-telemetry-3",
            "opensearch-3.4.0",
            "opensearch-security-3.4.0.0",
            "opensearch-job-scheduler-3.4.0.0",
            "opensearch-3.5.0",
            "opensearch-knn-3.5.0.0",
            "elasticsearch-9",
            "elasticsearch-tests-9",
            "solr-7",
            "solr-8")) {
      Files.createDirectories(temporary.resolve("engines").resolve(server));
    }
    sandbox.set("WEIR_ENGINES", temporary.resolve("engines").toString());
    sandbox.putOnPath("apt-get", APT_THAT_INSTALLS);
    sandbox.putOnPath("id", "echo 0");
    sandbox.linkOnPath("chmod", ScriptSandbox.findOnMachine("chmod").orElseThrow());
  }

  @Test
  void run_testsFail_endsWithTheFailuresAndMavensExitCode() throws Exception {
    Result result = sandbox.run(sandbox.script("tools/test"), "-Dtest=A b");

    assertEquals(3, result.exitCode());
    assertEquals(
        List.of(
            "-B -ntp test -Plong,interleavings -Dsurefire.failIfNoSpecifiedTests=false -Dtest=A b"),
        sandbox.linesOf("builds"));
    // A busy machine takes longer than no second.
    List<String> out =
        result.out().stream().map(line -> line.replaceFirst("min \\d+ s,", "min 0 s,")).toList();
    assertEquals(
        List.of(
            "[INFO] Copying a.jar",
            "",
            "[INFO] Results:",
            "[ERROR] Failures: ",
            "[ERROR]   ATest.a_b_c:12 expected: <1> but was: <2>",
            "[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 2",
            "",
            "4 tests in 0 min 0 s, 2 of them skipped:",
            "     2  no browser",
            "",
            "The slowest tests, in seconds:",
            " 1234.50  A.slow",
            "    0.50  B.skippedToo",
            "    0.25  A.fails",
            "    0.00  B.skipped"),
        out.subList(out.size() - 15, out.size()));
    assertEquals(List.of(), result.err());
  }

  /** Results of an earlier run counted as those of this one. */
  @Test
  void run_nothingTested_failsWhateverAnEarlierRunLeft() throws Exception {
    sandbox.run(sandbox.script("tools/test"));
    sandbox.putOnPath("mvn", "exit 0");

    Result result = sandbox.run(sandbox.script("tools/test"), "-Dtest=NoSuchTest");

    assertEquals(1, result.exitCode());
    assertEquals(List.of("weir: no test was run"), result.err());
  }

  @Test
  void fast_leavesOutWhatIsSlowAndNeedsNoPackages() throws Exception {
    sandbox.removeFromPath("chromium");

    Result result = sandbox.run(sandbox.script("tools/test"), "--fast");

    assertEquals(
        List.of("-B -ntp test -Pfast -Dsurefire.failIfNoSpecifiedTests=false"),
        sandbox.linesOf("builds"));
    assertEquals(List.of(), result.err());
  }

  @Test
  void long_addsToTheWholeSuiteAndNeedsTheFrameworksAndOlderVersionsOfEngines() throws Exception {
    Files.delete(temporary.resolve("engines/opensearch-tests-3"));
    Files.delete(temporary.resolve("engines/solr-7"));

    Result whole = sandbox.run(sandbox.script("tools/test"));
    Result all = sandbox.run(sandbox.script("tools/test"), "--long");
    Result both = sandbox.run(sandbox.script("tools/test"), "--long", "--fast");

    assertEquals(
        List.of(
            "-B -ntp -Pdist verify -Dsurefire.failIfNoSpecifiedTests=false",
            "-B -ntp -Pdist,long,interleavings verify -Dsurefire.failIfNoSpecifiedTests=false"),
        sandbox.linesOf("builds"));
    assertEquals(List.of(), whole.err());
    assertEquals(
        List.of(
            "weir: opensearch-tests is not here; the tests that need it will be skipped"
                + " (tools/engine opensearch-tests, or tools/test --install)",
            "weir: solr:7 is not here; the tests that need it will be skipped"
                + " (tools/engine solr:7, or tools/test --install)"),
        all.err());
    assertEquals(2, both.exitCode());
    assertEquals(
        List.of("weir: --fast leaves tests out and --long adds some; give one of them"),
        both.err());
  }

  @Test
  void help_showsTheOptionsAndRunsNothing() throws Exception {
    Result result = sandbox.run(sandbox.script("tools/test"), "--help");

    assertEquals(0, result.exitCode());
    assertEquals(
        "Usage: tools/test [--fast | --long] [--install] [MAVEN ARGS...]", result.out().getFirst());
    assertEquals(List.of(), sandbox.linesOf("builds"));
  }

  @ParameterizedTest
  @CsvSource({
    "chromium, chromium, chromium or google-chrome",
    "promtool, prometheus, prometheus promtool",
    "gcc, " + DISKS,
    "nbdfuse, " + DISKS,
    "/usr/include/stdio.h, " + DISKS,
    "/usr/include/nbdkit-plugin.h, " + DISKS,
    "shellcheck, shellcheck, shellcheck",
    "zsh, zsh, zsh"
  })
  void need_missing_isNamedInOneLineAndInstalledOnlyWhenAskedFor(
      String program, String packages, String programs) throws Exception {
    if (program.startsWith("/")) {
      Files.delete(temporary.resolve("system" + program));
    } else {
      sandbox.removeFromPath(program);
    }

    Result left = sandbox.run(sandbox.script("tools/test"));

    assertEquals(1, left.err().size(), () -> "" + left.err());
    String line = left.err().get(0);
    assertTrue(line.startsWith("weir: no " + programs + " here; the test"), line);
    assertTrue(
        line.endsWith(
            " will be skipped (Debian: apt-get install " + packages + ", or tools/test --install)"),
        line);
    assertEquals(List.of(), sandbox.linesOf("apt"));
    assertEquals(1, sandbox.linesOf("builds").size());

    Result installed = sandbox.run(sandbox.script("tools/test"), "--install");

    assertEquals(1, installed.err().size(), () -> "" + installed.err());
    assertTrue(
        installed.err().get(0).startsWith("weir: installing " + packages + " for the "),
        installed.err().get(0));
    assertEquals(
        List.of(
            "noninteractive update -qq",
            "noninteractive install -y -qq --no-install-recommends " + packages),
        sandbox.linesOf("apt"));
    assertEquals(2, sandbox.linesOf("builds").size());
  }

  @Test
  void server_missing_isNamedInOneLineAndFetchedOnlyWhenAskedFor() throws Exception {
    Files.delete(temporary.resolve("engines/opensearch-3"));

    Result left = sandbox.run(sandbox.script("tools/test"));

    assertEquals(
        List.of(
            "weir: opensearch is not here; the tests that need it will be skipped"
                + " (tools/engine opensearch, or tools/test --install)"),
        left.err());
    assertEquals(1, sandbox.linesOf("builds").size());

    Result tried = sandbox.run(sandbox.script("tools/test"), "--install");

    assertEquals("weir: fetching opensearch 3 (up to 150 MB)...", tried.err().getFirst());
    assertEquals(left.err().getLast(), tried.err().getLast()); // this Maven fetches nothing
    assertTrue(sandbox.linesOf("builds").get(1).contains("dependency:unpack"));
    assertEquals(3, sandbox.linesOf("builds").size());
  }

  @Test
  void install_withoutRoot_saysSoAndTheSuiteRuns() throws Exception {
    sandbox.removeFromPath("chromium");
    sandbox.putOnPath("id", "echo 1000");

    Result result = sandbox.run(sandbox.script("tools/test"), "--install");

    assertEquals("weir: --install needs root and apt-get", result.err().get(0));
    assertTrue(result.err().getLast().contains("will be skipped"), "" + result.err());
    assertEquals(List.of(), sandbox.linesOf("apt"));
    assertEquals(1, sandbox.linesOf("builds").size());
  }

  @Test
  void install_thatFails_saysWhyAndTheSuiteRuns() throws Exception {
    sandbox.removeFromPath("chromium");
    sandbox.putOnPath("apt-get", "echo 'E: no network' >&2; exit 100");

    Result result = sandbox.run(sandbox.script("tools/test"), "--install");

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
  void ci_aPackageMissing_installsItRunsTheSuiteAndPassesItsExitCode() throws Exception {
    sandbox.removeFromPath("chromium");

    Result result = sandbox.run(sandbox.script(".ci/run"));

    assertEquals(3, result.exitCode());
    assertEquals(
        List.of("weir: installing chromium for the tests of the report in a browser..."),
        result.err());
    assertEquals(
        List.of("-B -ntp -Pdist,long,interleavings verify -Dsurefire.failIfNoSpecifiedTests=false"),
        sandbox.linesOf("builds"));
  }
}
