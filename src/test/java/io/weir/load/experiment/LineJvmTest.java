package io.weir.load.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.jvm.WorkerJvm;
import io.weir.jvm.WorkerJvm.DiedException;
import io.weir.load.server.ServerMessage;
import io.weir.run.Failure;
import io.weir.stress.Await;
import io.weir.stress.plan.Login;
import io.weir.suite.ChildJvm;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LineJvmTest {

  @TempDir Path temp;

  private WorkerJvm start(List<String> command) throws DiedException {
    return WorkerJvm.start("the server", command, temp.resolve("errors.txt"), Map.of());
  }

  private static ServerMessage.Ready ready(WorkerJvm jvm) throws Exception {
    return jvm.await(ServerMessage.Answer.class, ServerMessage.Ready.class);
  }

  /** A server that logs to its standard output would stand still until the run reads it. */
  @Test
  @Slow("starts a JVM")
  void output_ofMoreThanAPipeHolds_holdsNothingUp() throws Exception {
    Path written = temp.resolve("written");
    List<String> command =
        ChildJvm.command(
            System.getProperty("java.class.path"), TalkativeJvm.class, written.toString());
    try (WorkerJvm jvm = start(command)) {
      assertEquals(7, ready(jvm).port());
      Await.until("it has written all", () -> Files.exists(written));

      jvm.kill();
      Failure failure = assertThrows(DiedException.class, () -> ready(jvm)).failure();
      assertEquals(20, failure.lastLines().size());
      assertEquals(failure, assertThrows(DiedException.class, () -> ready(jvm)).failure());
    }
  }

  @Test
  @Slow("starts a process")
  @DisabledOnOs(OS.WINDOWS)
  void kill_aScriptThatWaitsForItsChild_endsBoth() throws Exception {
    String script = "sleep 600 & echo '{\"answer\":\"ready\",\"port\":1}'; wait";
    try (WorkerJvm jvm = start(List.of("sh", "-c", script))) {
      ready(jvm);

      jvm.kill();

      assertEquals(
          "the JVM of the server was ended by signal 9",
          assertThrows(DiedException.class, () -> ready(jvm)).failure().reason());
    }
  }

  @Test
  void complete_withALoginInTheEnvironment_handsOnNoneButItsOwn() {
    Map<String, String> environment =
        new HashMap<>(Map.of(Login.USER_VARIABLE, "me", "PATH", "/bin"));

    WorkerJvm.complete(environment, Map.of("A", "b"));

    assertEquals(Map.of("PATH", "/bin", "A", "b"), environment);
  }
}
