package io.weir.undeploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.suite.ChildJvm;
import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Applications stayed in memory after their end: a thread of the server held an object of Weir's,
 * or a thread of Weir's the application's loader.
 */
@Slow("starts servers")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class UndeployTest {

  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"bundles", "shares"})
  void application_thatHasEnded_isCollected(String how) throws Exception {
    Path errors = temp.resolve("errors");
    List<String> command =
        ChildJvm.command(System.getProperty("java.class.path"), Server.class, temp.toString(), how);
    // Caches of the JDK hold what they have until memory is scarce; here it is so at once.
    command.add(1, "-XX:SoftRefLRUPolicyMSPerMB=0");
    Process server = new ProcessBuilder(command).redirectError(errors.toFile()).start();
    try {
      String said =
          new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      assertEquals(Server.COLLECTED, said, () -> said + "\n" + read(errors));
    } finally {
      server.destroyForcibly().onExit().join();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
