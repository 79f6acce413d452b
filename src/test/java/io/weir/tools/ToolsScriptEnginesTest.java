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

/** {@code tools/engine} and {@code tools/matrix} with versions of engines; with a fake Maven. */
@Slow("starts a shell for each test")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ToolsScriptEnginesTest {

  private static final String MAVEN_WITHOUT_ANY =
      """
      echo "$*" >>builds
      echo '[ERROR] Could not find artifact org.opensearch:opensearch:zip:3.7.7'
      exit 1
      """;

  @TempDir Path temporary;
  @AutoClose private ScriptSandbox sandbox;

  @BeforeEach
  void makeSandbox() throws IOException {
    sandbox = ScriptSandbox.in(temporary);
    sandbox.putJdk("jdk", "21");
    sandbox.putOnPath("mvn", MAVEN_WITHOUT_ANY);
    for (String tool : List.of("cut", "grep")) {
      sandbox.linkOnPath(tool, ScriptSandbox.findOnMachine(tool).orElseThrow());
    }
    Path checkout = temporary.resolve("a checkout");
    Files.writeString(
        checkout.resolve("pom.xml"), "<opensearch.version>3.8.0</opensearch.version>\n");
    Path list = checkout.resolve("src/test/frameworks/versions");
    Files.createDirectories(list.getParent());
    Files.writeString(list, "# a list\nopensearch 3.7.7\nsolr 9.1.0\n");
    sandbox.set("WEIR_ENGINES", temporary.resolve("engines").toString());
    Files.createDirectories(temporary.resolve("engines/opensearch-3.6.0"));
  }

  @Test
  void engine_ofAVersionThatIsHere_isPrintedAndNotFetched() throws Exception {
    Result result = sandbox.run(sandbox.script("tools/engine"), "opensearch:3.6.0");

    assertEquals(List.of(temporary.resolve("engines/opensearch-3.6.0").toString()), result.out());
    assertEquals(List.of(), sandbox.linesOf("builds"));
  }

  @Test
  void engine_ofAVersionThatIsNotPublished_endsWithOneLineThatSaysSo() throws Exception {
    Result result = sandbox.run(sandbox.script("tools/engine"), "opensearch:3.7.7");

    assertEquals(1, result.exitCode());
    assertEquals(
        List.of(
            "weir: fetching opensearch 3.7.7 (up to 150 MB)...",
            "weir: Maven finds no opensearch 3.7.7, or no part of it: versions differ in what is"
                + " published"),
        result.err());
  }

  @ParameterizedTest
  @CsvSource({
    "tools/engine, opensearch:../x, weir: a version is letters",
    "tools/engine, sphinx:1, weir: tools/engine takes one name of opensearch",
    "tools/engine, opensearch:, weir: tools/engine takes one name of opensearch",
    "tools/package, --thrice, weir: tools/package takes --twice and --engine",
    "tools/package, --plug-in, weir: tools/package takes --twice and --engine",
    "tools/matrix, sphinx, 'weir: tools/matrix takes opensearch, elasticsearch or solr'",
    "tools/matrix, --java, weir: --java needs a directory with bin/java"
  })
  void arguments_thatAreWrong_areRefusedWithTheRule(String script, String argument, String reason)
      throws Exception {
    Result result = sandbox.run(sandbox.script(script), argument);

    assertEquals(2, result.exitCode(), () -> "" + result.err());
    assertTrue(result.err().getLast().startsWith(reason), () -> "" + result.err());
    assertEquals(List.of(), sandbox.linesOf("builds"));
  }

  /** It is made from what the build has left, and never compiles all for it. */
  @Test
  void plugIn_withoutABuild_isRefusedAndBuildsNothing() throws Exception {
    Result result =
        sandbox.run(sandbox.script("tools/package"), "--plug-in", "elasticsearch:9.2.8");

    assertEquals(1, result.exitCode());
    assertTrue(
        result.err().getLast().endsWith(" is not here; tools/package builds it"),
        () -> "" + result.err());
    assertEquals(List.of(), sandbox.linesOf("builds"));
  }

  @Test
  void help_ofTheMatrix_isThatOfTheTestScriptsOption() throws Exception {
    Result result = sandbox.run(sandbox.script("tools/test"), "--matrix", "--help");

    assertEquals(0, result.exitCode());
    assertEquals(
        "Usage: tools/matrix [--newest] [--java DIR] [ENGINE[:VERSION]...]",
        result.out().getFirst());
  }

  /** The plug-ins are packaged before any version is tried; this Maven packages nothing. */
  @Test
  void matrix_thatCannotPackage_failsAndTriesNothing() throws Exception {
    Result result = sandbox.run(sandbox.script("tools/test"), "--matrix", "opensearch");

    assertEquals(1, result.exitCode());
    assertTrue(
        sandbox.linesOf("builds").stream().noneMatch(line -> line.contains("-Dit.test")),
        () -> "" + result.err());
  }
}
