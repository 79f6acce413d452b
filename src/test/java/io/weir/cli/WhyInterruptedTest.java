package io.weir.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.Await;
import io.weir.suite.Slow;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir why} as a process that is interrupted, and what its answer is good for. */
@EnabledOnOs(OS.LINUX)
@Slow("starts JVMs, and looks at one for seconds")
class WhyInterruptedTest {

  @TempDir Path temp;

  @Test
  void compare_withALookThatWasInterrupted_saysThatItCannot() throws Exception {
    Path before = Path.of("src/test/resources/io/weir/why/compared/before.json").toAbsolutePath();
    Process application =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                "io.weir.why.SickApplication",
                "WARMING",
                temp.resolve("index").toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertEquals("ready", application.inputReader().readLine());
      long pid = application.pid();
      try (WeirProcess weir =
          WeirProcess.start(temp, "why", Long.toString(pid), "--for", "1h", "--out", "after")) {
        Await.until("the attachment", () -> Files.exists(Path.of("/tmp/.java_pid" + pid)));

        weir.signal("INT");

        assertEquals(ExitCode.INTERRUPTED, weir.await(60).exitCode());
      }
    } finally {
      application.destroyForcibly().waitFor();
    }

    WeirProcess.Ended compared =
        WeirProcess.run(temp, "why", "--compare", before.toString(), "after");

    assertEquals(ExitCode.DONE, compared.exitCode(), compared.toString());
    String words = compared.out().replaceAll("\\s+", " ");
    assertTrue(words.startsWith("The two looks cannot be compared: "), words);
    assertTrue(words.contains("after, the look was interrupted after "), words);
  }
}
