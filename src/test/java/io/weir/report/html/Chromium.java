package io.weir.report.html;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A headless Chromium of this machine, started once a question, killed when it takes too long. */
final class Chromium {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final int TIMEOUT_SECONDS = 30;

  private final Path binary;
  private final Path scratch;

  private Chromium(Path binary, Path scratch) {
    this.binary = binary;
    this.scratch = scratch;
  }

  /** The first one on PATH; empty when there is none. */
  static Optional<Chromium> find(Path scratch) {
    String path = System.getenv().getOrDefault("PATH", "");
    return NAMES.stream()
        .flatMap(
            name ->
                Arrays.stream(path.split(File.pathSeparator))
                    .filter(directory -> !directory.isEmpty())
                    .map(directory -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .map(binary -> new Chromium(binary, scratch));
  }

  /** The page's document after its scripts ran. */
  String dom(Path page, boolean dark, int width, int height)
      throws IOException, InterruptedException {
    return Files.readString(run(page, dark, width, height, "--dump-dom"));
  }

  /** A picture of the page. */
  Path screenshot(Path page, boolean dark, int width, int height)
      throws IOException, InterruptedException {
    Path picture = Files.createTempFile(scratch, "page", ".png");
    run(page, dark, width, height, "--screenshot=" + picture);
    return picture;
  }

  private Path run(Path page, boolean dark, int width, int height, String action)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(scratch, "chromium", ".out");
    Path err = Files.createTempFile(scratch, "chromium", ".err");
    Path profile = Files.createTempDirectory(scratch, "profile");
    List<String> command = command(profile);
    command.add("--blink-settings=preferredColorScheme=" + (dark ? 0 : 1));
    command.add("--window-size=" + width + "," + height);
    command.add(action);
    command.add(page.toUri().toString());
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      process.getOutputStream().close();
      if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(
            "%s took more than %d s:%n%s"
                .formatted(binary, TIMEOUT_SECONDS, Files.readString(err)));
      }
      if (process.exitValue() != 0) {
        throw new IOException(
            "%s ended with %d:%n%s".formatted(binary, process.exitValue(), Files.readString(err)));
      }
      return out;
    } finally {
      List<ProcessHandle> children = process.descendants().toList();
      process.destroyForcibly().waitFor();
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** One tab that stays open, to be asked many things. */
  ChromiumTab tab() throws IOException, InterruptedException {
    Path profile = Files.createTempDirectory(scratch, "profile");
    List<String> command = command(profile);
    command.add("--remote-debugging-port=0");
    command.add("about:blank");
    Path out = Files.createTempFile(scratch, "chromium", ".out");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    return ChromiumTab.of(process, profile);
  }

  private List<String> command(Path profile) {
    List<String> command =
        new ArrayList<>(
            List.of(
                binary.toString(),
                "--headless",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-quic",
                "--hide-scrollbars",
                "--force-device-scale-factor=1",
                "--user-data-dir=" + profile));
    if ("root".equals(System.getProperty("user.name"))) {
      // Chromium refuses its sandbox to root; the page is one of our own making.
      command.add("--no-sandbox");
    }
    return command;
  }
}
