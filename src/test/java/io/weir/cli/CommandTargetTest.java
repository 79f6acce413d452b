package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.run.RunFiles;
import io.weir.stress.engine.StubEngine;
import io.weir.suite.Slow;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir stress --target} against the REST paths of an engine. */
@Slow("runs the command line")
class CommandTargetTest {

  private static final String PASSWORD = "s3cret-of-the-cluster";

  @TempDir Path temp;

  /** The command in run.json and the report, and --dry-run, once showed the password. */
  @Test
  void stress_aPasswordInTheAddress_isSentAndRecordedNowhere() throws Exception {
    try (StubEngine engine = new StubEngine()) {
      String target = engine.url().toString().replace("//", "//weir:" + PASSWORD + "@");

      // The JDK's threads of its client would end at some collection: no run in this JVM.
      WeirProcess.Ended planned = WeirProcess.run(temp, arguments(target, "--dry-run"));
      WeirProcess.Ended ended = WeirProcess.run(temp, arguments(target, "--json"));

      assertEquals(0, planned.exitCode(), planned.toString());
      assertFalse(planned.toString().contains(PASSWORD), planned.toString());
      assertEquals(0, ended.exitCode(), ended.toString());
      assertFalse(ended.toString().contains(PASSWORD), ended.toString());
      assertEquals(1, Set.copyOf(engine.authorizations).size());
      assertEquals(engine.requests.size(), engine.authorizations.size(), "each has the login");
      List<String> command = new RunFiles(temp.resolve("out")).read().command();
      assertTrue(
          command.contains(engine.url().toString().replace("//", "//***@")), command.toString());
      try (Stream<Path> files = Files.walk(temp.resolve("out"))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          String content = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
          assertFalse(content.contains(PASSWORD), file.toString());
        }
      }
    }
  }

  private static String[] arguments(String target, String how) {
    return new String[] {
      "stress",
      "--target",
      target,
      "--docs=synthetic:200",
      "--merge=none",
      "--warmup=300ms",
      "--before=400ms",
      "--during=400ms",
      "--after=400ms",
      "--out=out",
      how
    };
  }
}
