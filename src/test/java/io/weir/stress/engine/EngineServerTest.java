package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.rest.EngineException;
import io.weir.stress.plan.Engine;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that do not live long; {@code CommandEngineIT} has real ones. */
@Slow("starts processes")
class EngineServerTest {

  @TempDir Path temp;

  @Test
  void start_ofAServerThatIsKilled_saysThatMemoryMayHaveRunOut() throws IOException {
    assertEquals(
        "opensearch ended with exit code 137 (it was killed, as the kernel does when memory runs"
            + " out): filling the heap",
        failureOf("echo filling the heap; kill -9 $$"));
  }

  @Test
  void start_ofAServerThatRefuses_saysItsLastLines() throws IOException {
    assertEquals(
        "opensearch ended with exit code 78: bad setting", failureOf("echo bad setting; exit 78"));
  }

  /** A JVM that was killed leaves a socket; a server of another user with its identifier fails. */
  @Test
  void start_ofAServerThatMetASocketOfADeadJvm_triesAgain() throws IOException {
    String failure =
        failureOf(
            "[ -e tried ] && { echo bad setting; exit 78; }; touch tried;"
                + " echo 'IOException: well-known file /tmp/.java_pid61 is not secure'; exit 1");

    assertEquals("opensearch ended with exit code 78: bad setting", failure);
    assertTrue(Files.readString(temp.resolve("server.log")).startsWith("IOException"));
  }

  @Test
  void start_stoppedWhileAServerMeetsASocketOfADeadJvm_startsNoOther() throws IOException {
    Path log = temp.resolve("server.log");

    failureOf("echo /tmp/.java_pid$$ is not secure; exit 1", () -> hasText(log));

    assertEquals(1, Files.readAllLines(log).size());
  }

  /** A server that is asked to end in a merge may take longer than its worker has. */
  @Test
  void start_stoppedWhileAServerIgnoresItsEnd_killsItInTimeForTheWorker() {
    assertTimeout(
        Duration.ofSeconds(20),
        () ->
            failureOf(
                "trap '' TERM; echo going on; exec sleep 600",
                () -> hasText(temp.resolve("server.log"))));
  }

  private static boolean hasText(Path file) {
    return file.toFile().length() > 0;
  }

  @Test
  void start_ofAServerThatAlwaysMeetsASocketOfADeadJvm_givesUp() throws IOException {
    String failure = failureOf("echo /tmp/.java_pid$$ is not secure; exit 1");

    assertTrue(failure.startsWith("opensearch ended with exit code 1: /tmp/.java_pid"), failure);
    assertEquals(3, Files.readAllLines(temp.resolve("server.log")).size());
  }

  /** A user's own variable once decided on the JVM of a distribution that brings one. */
  @Test
  void environment_ofADistributionWithAJvm_namesNoOther() throws IOException {
    Path home = Files.createDirectories(temp.resolve("home"));
    Map<String, String> users = Map.of("JAVA_HOME", "/a", "OPENSEARCH_JAVA_HOME", "/b");

    Map<String, String> without = new HashMap<>(users);
    RestEngine.OPENSEARCH.setEnvironment(without, setup(home), temp, temp);
    Files.createDirectory(home.resolve("jdk"));
    Map<String, String> with = new HashMap<>(users);
    RestEngine.OPENSEARCH.setEnvironment(with, setup(home), temp, temp);

    assertEquals(System.getProperty("java.home"), without.get("OPENSEARCH_JAVA_HOME"));
    assertFalse(with.containsKey("JAVA_HOME"), with.toString());
    assertFalse(with.containsKey("OPENSEARCH_JAVA_HOME"), with.toString());
  }

  private String failureOf(String script) throws IOException {
    return failureOf(script, () -> false);
  }

  private String failureOf(String script, BooleanSupplier stopped) throws IOException {
    Path shell = Path.of("/bin/sh");
    assumeTrue(Files.isExecutable(shell), "no /bin/sh");
    // Root starts servers as another user, who must be able to get there.
    Files.setPosixFilePermissions(temp, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path home = Files.createDirectories(temp.resolve("home"));
    Files.createDirectories(home.resolve("config"));
    Files.writeString(home.resolve("config/opensearch.yml"), "");
    Path program = home.resolve("bin/opensearch");
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!" + shell + "\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    EngineServer.Setup setup = setup(home);
    return assertThrows(EngineException.class, () -> EngineServer.start(setup, stopped))
        .getMessage();
  }

  private EngineServer.Setup setup(Path home) throws IOException {
    return new EngineServer.Setup(
        Engine.OPENSEARCH,
        home,
        Files.createDirectories(temp.resolve("data")),
        Files.createDirectories(temp.resolve("files")),
        temp.resolve("server.log"),
        List.of(),
        Map.of());
  }
}
