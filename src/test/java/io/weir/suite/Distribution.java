package io.weir.suite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The distributions of engines that {@code tools/engine} fetches once and keeps. */
public final class Distribution {

  private static final int FETCH_SECONDS = 300;

  private Distribution() {}

  /**
   * Where the distribution of {@code engine} is. It is shared: nothing may write in it. The test is
   * skipped where it cannot be had.
   */
  public static Path of(String engine) throws IOException, InterruptedException {
    Path errors = Files.createTempFile("weir-engine", ".log");
    Process fetch =
        new ProcessBuilder("tools/engine", engine).redirectError(errors.toFile()).start();
    try {
      String home = new String(fetch.getInputStream().readAllBytes(), UTF_8).strip();
      boolean fetched = fetch.waitFor(FETCH_SECONDS, TimeUnit.SECONDS) && fetch.exitValue() == 0;
      assumeTrue(
          fetched, () -> "no " + engine + ", so it is not tested with Weir: " + text(errors));
      return Path.of(home);
    } finally {
      fetch.destroyForcibly();
      Files.delete(errors);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return e.toString();
    }
  }
}
