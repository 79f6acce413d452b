package io.weir.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The run directory of a command without {@code --out}: named after the time. */
final class DefaultOut {

  private static final Path RUNS = Path.of("weir-runs");
  private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HHmmss");

  private DefaultOut() {}

  /** What the user gave, or a directory that is not there yet. */
  static Path orGiven(Path out) {
    return Optional.ofNullable(out).orElseGet(() -> free(LocalDateTime.now()));
  }

  private static Path free(LocalDateTime now) {
    String name = NAME.format(now);
    Path free = RUNS.resolve(name);
    for (int i = 2; Files.exists(free); i++) { // of a run that began in the same second
      free = RUNS.resolve(name + "-" + i);
    }
    return free;
  }
}
