package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Slow("starts processes")
class ServerUserTest {

  @TempDir Path temp;
  private Path setPrivileges;

  @BeforeEach
  void makeSetPrivileges() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/id")), "SKIPPED: asks id");
    setPrivileges = Files.createFile(temp.resolve("setpriv"));
    assumeTrue(setPrivileges.toFile().setExecutable(true), "SKIPPED: no executable files");
  }

  /** The group was nogroup once, which is what Debian alone calls it. */
  @Test
  void privileges_haveThePrimaryGroupByNumber() throws Exception {
    List<String> passwd = Files.readAllLines(Path.of("/etc/passwd"));
    Optional<String> nobody =
        passwd.stream().filter(line -> line.startsWith("nobody:")).findFirst();
    assumeTrue(nobody.isPresent(), "SKIPPED: there is no nobody");

    assertEquals(
        List.of("--reuid=nobody", "--regid=" + nobody.get().split(":")[3], "--clear-groups"),
        ServerUser.privileges());
  }

  @Test
  void obstacleForRoot_whatServersNeed_isNamed() {
    assertEquals(Optional.empty(), ServerUser.obstacleForRoot(setPrivileges, "root"));
    Path missing = temp.resolve("missing");
    assertEquals(
        Optional.of(
            "servers do not run as root, and %s is missing, which starts them as nobody: install"
                    .formatted(missing)
                + " util-linux, or run as another user"),
        ServerUser.obstacleForRoot(missing, "nobody"));
    String message = ServerUser.obstacleForRoot(setPrivileges, "no-such-user-1").orElseThrow();
    assertTrue(message.contains("cannot run as no-such-user-1"), message);
  }
}
