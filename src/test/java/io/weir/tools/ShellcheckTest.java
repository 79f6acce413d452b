package io.weir.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.Slow;
import io.weir.tools.ScriptSandbox.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every script of the project, read by shellcheck; skipped on a machine without it. */
@Slow("starts a shell for each test")
@Timeout(60)
class ShellcheckTest {

  @TempDir Path temporary;
  @AutoClose private ScriptSandbox sandbox;

  @BeforeEach
  void makeSandbox() throws IOException {
    assumeTrue(
        ScriptSandbox.findOnMachine("shellcheck").isPresent(),
        "no shellcheck; Debian: apt-get install shellcheck");
    sandbox = ScriptSandbox.in(temporary);
    sandbox.linkOnPath("shellcheck", ScriptSandbox.findOnMachine("shellcheck").orElseThrow());
  }

  @Test
  void scripts_all_areClean() throws Exception {
    List<String> command = new ArrayList<>(List.of("bash", "-c", "cd \"$1\" && shift && \"$@\""));
    command.addAll(List.of("-", sandbox.checkout.toString(), "shellcheck", "-x"));
    for (String directory : List.of("tools", ".ci", "src/main/dist/bin")) {
      try (Stream<Path> scripts = Files.list(Path.of(directory))) {
        List<String> names =
            scripts.map(Path::toString).filter(name -> !name.endsWith(".bat")).sorted().toList();
        for (String name : names) {
          assertTrue(Files.exists(sandbox.checkout.resolve(name)), "not in the sandbox: " + name);
        }
        command.addAll(names);
      }
    }
    Result result = sandbox.run(command.toArray(String[]::new));

    assertEquals(List.of(), result.out());
    assertEquals(0, result.exitCode(), () -> "" + result.err());
  }

  @Test
  void scripts_aFaultInOne_isFound() throws Exception {
    Path script = sandbox.checkout.resolve("tools/weir");
    Files.writeString(script, Files.readString(script) + "cat $unquoted\n");

    assertEquals(1, sandbox.run("shellcheck", "-x", script.toString()).exitCode());
  }
}
