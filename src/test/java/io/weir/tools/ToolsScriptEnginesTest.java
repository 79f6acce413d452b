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

  /** A test with that Java fails. */
  private static final String MAVEN_WITHOUT_JAVA_25 =
      """
      case "$*" in
        *weir.engine.jvm=*/newer*)
          echo '[ERROR]   PluginLinkageIT.plugIn:1 it differs in:, io/weir/A, io/weir/B'
          exit 1
          ;;
      esac
      mkdir -p target/failsafe-reports
      echo '<completed>5</completed><skipped>0</skipped>' >target/failsafe-reports/failsafe-summary.xml
      """;

  @TempDir Path temporary;
  @AutoClose private ScriptSandbox sandbox;

  @BeforeEach
  void makeSandbox() throws IOException {
    sandbox = ScriptSandbox.in(temporary);
    sandbox.putJdk("jdk", "21");
    sandbox.putOnPath("mvn", MAVEN_WITHOUT_ANY);
    for (String tool : List.of("cut", "grep", "touch")) {
      sandbox.linkOnPath(tool, ScriptSandbox.findOnMachine(tool).orElseThrow());
    }
    Path checkout = temporary.resolve("a checkout");
    Files.writeString(
        checkout.resolve("pom.xml"), "<opensearch.version>3.8.0</opensearch.version>\n");
    Path list = checkout.resolve("src/test/frameworks/versions");
    Files.createDirectories(list.getParent());
    Files.writeString(list, "# a list\nopensearch 3.7.7 node\nsolr 9.1.0 node\n");
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

  @Test
  void engine_thatIsAPluginOfAnEngine_isCopiedAsTheZipThatItIs() throws Exception {
    sandbox.run(sandbox.script("tools/engine"), "opensearch-knn:3.5.0.0");

    String fetched = sandbox.linesOf("builds").getFirst();
    assertTrue(
        fetched.contains(
            "dependency:copy -Dartifact=org.opensearch.plugin:opensearch-knn:3.5.0.0:zip"),
        fetched);
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
        "Usage: tools/matrix [--newest] [--resume] [--java DIR]... [ENGINE[:VERSION]...]",
        result.out().getFirst());
  }

  /** Each on Java 21 and the newest. What was tried before stays on the page. */
  @Test
  void matrix_ofOneVersion_changesItsOutcomesAndThePageOnly() throws Exception {
    sandbox.putJdk("newer", "25");
    sandbox.putOnPath("mvn", MAVEN_WITHOUT_JAVA_25);
    put("target/dist/a plug-in", "");
    put(
        "src/test/frameworks/outcomes",
        """
        elasticsearch 9.3.4 node - linked
        opensearch 3.6.0 node 25 passed
        opensearch 3.8.0 cluster 25 passed
        opensearch 3.8.0 node 21 passed
        opensearch 3.8.0 node 25 passed
        opensearch 3.9.0 node 25 framed
        opensearch 3.6.0..3.8.0 upgrade 25 passed
        """);
    put(
        "docs/COMPATIBILITY.md",
        """
        | | tested | works by design, not tested | does not work |
        | OpenSearch | what | was | here |
        | Elasticsearch | what | was | here |
        | Lucene | two  blanks | stay | here |
        """);

    Result result = sandbox.run(sandbox.script("tools/matrix"), "--resume", "opensearch:3.6.0");

    assertEquals(1, result.exitCode());
    assertEquals(
        List.of("opensearch 3.6.0 node 21 passed", "opensearch 3.6.0 node 25 failed"),
        result.out());
    assertEquals(
        List.of("[ERROR]   PluginLinkageIT.plugIn:1 it differs in:", "  io/weir/A", "  io/weir/B"),
        result.err());
    assertEquals(
        List.of(
            "| | tested | works by design, not tested | does not work |",
            "| OpenSearch | a server of each: 3.6.0 on Java 21; 3.8.0 on Java 21 and 25;"
                + " in its test framework: 3.9.0 on Java 25; clusters: 3.8.0 on Java 25;"
                + " upgraded under load, a node at a time: 3.6.0 to 3.8.0 on Java 25"
                + " | other patches | 3.6.0 on Java 25; older than 2.19 |",
            "| Elasticsearch | - | linked only: 9.3.4; clusters; other patches, each with a plug-in of"
                + " its own | older than 8.19 |",
            "| Lucene | two  blanks | stay | here |"),
        sandbox.linesOf("docs/COMPATIBILITY.md"));
    assertEquals(8, sandbox.linesOf("src/test/frameworks/outcomes").size());
  }

  /** A small runtime of Java says nothing about the plug-in. */
  @Test
  void matrix_onAJavaThatLacksWhatTheEngineNeeds_saysSoAndKeepsNoOutcome() throws Exception {
    sandbox.putOnPath("mvn", "echo 'FindException: Module jdk.jlink not found, required'; exit 1");
    put("target/dist/a plug-in", "");
    put("docs/COMPATIBILITY.md", "");

    Result result = sandbox.run(sandbox.script("tools/matrix"), "--resume", "opensearch:3.6.0");

    assertEquals(
        List.of(
            "weir: opensearch 3.6.0 node is not tried on Java 21: Module jdk.jlink not found;"
                + " --java names a whole JDK"),
        result.err());
    assertEquals(List.of(), sandbox.linesOf("src/test/frameworks/outcomes"));
  }

  private void put(String file, String text) throws IOException {
    Path path = temporary.resolve("a checkout").resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
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
