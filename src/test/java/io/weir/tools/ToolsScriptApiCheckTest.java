package io.weir.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.Slow;
import io.weir.tools.ScriptSandbox.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code tools/api-check} compares and concludes; with a real git and a fake Maven. */
@Slow("starts a shell for each test")
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ToolsScriptApiCheckTest {

  /** Builds jars; asked to compare, it finds a change and fails if that is forbidden. */
  private static final String MAVEN =
      """
      case $* in
        *-Papi*)
          mkdir -p target/japicmp
          echo 'REMOVED METHOD a()' >target/japicmp/api.diff
          case $* in *strict=true*) exit 1 ;; esac ;;
        *)
          mkdir -p target/modules
          echo jar >target/weir-0.jar
          echo cli >target/weir-0-cli.jar
          echo cache >target/weir-0-query-cache.jar
          echo cache >target/modules/weir-0-query-cache.jar ;;
      esac
      """;

  @TempDir Path temporary;
  @AutoClose private ScriptSandbox sandbox;

  @BeforeEach
  void makeSandbox() throws IOException {
    sandbox = ScriptSandbox.in(temporary);
    sandbox.putOnPath("mvn", MAVEN);
    sandbox.putJdk("jdk", "21");
    for (String tool : List.of("git", "tar")) {
      Optional<Path> found = ScriptSandbox.findOnMachine(tool);
      assumeTrue(found.isPresent(), "no " + tool + " here");
      sandbox.linkOnPath(tool, found.get());
    }
  }

  @Test
  void check_noTag_comparesNothingAndSucceeds() throws Exception {
    assertEquals(
        new Result(
            0,
            List.of("the public API is compared with nothing: there is no tag v* yet"),
            List.of()),
        check());
  }

  @Test
  void check_breakWithinAVersion_fails() throws Exception {
    release("0.1.0");
    version("0.1.1");
    Result result = check();
    assertEquals(1, result.exitCode());
    assertEquals(
        "weir: the public API of 0.1.1 breaks that of v0.1.0; restore it, or raise the first number of the version (in 0.x the second)",
        result.err().getLast());
  }

  @Test
  void check_breakThatTheVersionTells_isListed() throws Exception {
    release("0.1.0");
    version("0.2.0");
    Result result = check();
    assertEquals(0, result.exitCode(), () -> "" + result.err());
    assertEquals(
        "the public API of 0.2.0 may break that of v0.1.0: the version says so",
        result.out().getLast());
  }

  private Result check() throws Exception {
    return sandbox.run(sandbox.script("tools/api-check"));
  }

  private void release(String version) throws Exception {
    version(version);
    String commands =
        "cd \"$1\" && git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm a"
            + " && git tag v"
            + version;
    Result result = sandbox.run("bash", "-c", commands, "-", sandbox.checkout.toString());
    assertEquals(0, result.exitCode(), () -> "" + result.err());
  }

  private void version(String version) throws IOException {
    Files.writeString(
        sandbox.checkout.resolve("pom.xml"), "  <version>" + version + "</version>\n");
  }
}
