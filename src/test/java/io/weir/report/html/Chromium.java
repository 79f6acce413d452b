package io.weir.report.html;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A headless Chromium of this machine. */
final class Chromium {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

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
