package io.weir.benchmark.residentkeys;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * An index of which no page is in memory, looked up in a JVM of its own, which has compiled
 * nothing.
 */
final class ColdIndex {

  private static final long CHUNK_BYTES = 64 << 10;

  private ColdIndex() {}

  /**
   * What the JVM does. Arguments: index, arm, lookups, documents, and the file for its answer: how
   * many nanoseconds it took to open the index and look keys up.
   */
  public static void main(String[] arguments) throws IOException {
    int lookups = Integer.parseInt(arguments[2]);
    try (KeyIndex index = KeyIndex.open(Path.of(arguments[0]), KeyArm.valueOf(arguments[1]))) {
      long nanos =
          index.lookUp(lookups, 0, Long.parseLong(arguments[3]), lookups, System::nanoTime);
      Files.writeString(Path.of(arguments[4]), Long.toString(index.openNanos() + nanos));
    }
  }

  /** Nanoseconds to open and to look so many keys up; empty when the pages cannot be dropped. */
  static OptionalLong nanos(Path index, KeyArm arm, int lookups, int documents)
      throws IOException, InterruptedException {
    if (!drop(index)) {
      return OptionalLong.empty();
    }
    Path answer = index.resolveSibling(index.getFileName() + ".nanos");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                ColdIndex.class.getName(),
                index.toString(),
                arm.name(),
                Integer.toString(lookups),
                Integer.toString(documents),
                answer.toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("the JVM for " + arm.title() + " ended with " + process.exitValue());
    }
    long nanos = Long.parseLong(Files.readString(answer));
    Files.delete(answer);
    return OptionalLong.of(nanos);
  }

  /** Whether the kernel has let go of every page. {@code dd} is what can ask it from a shell. */
  private static boolean drop(Path index) throws IOException, InterruptedException {
    boolean dropped = true;
    for (Path file : files(index)) {
      try {
        Process dd =
            new ProcessBuilder(
                    "dd", "if=" + file, "of=/dev/null", "iflag=nocache", "count=0", "status=none")
                .redirectErrorStream(true)
                .start();
        dropped &= dd.waitFor() == 0 && !isAnyPartLoaded(file);
      } catch (IOException e) { // no such program
        return false;
      }
    }
    return dropped;
  }

  private static boolean isAnyPartLoaded(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      for (long at = 0; at < channel.size(); at += CHUNK_BYTES) {
        long bytes = Math.min(CHUNK_BYTES, channel.size() - at);
        if (channel.map(FileChannel.MapMode.READ_ONLY, at, bytes).isLoaded()) {
          return true;
        }
      }
      return false;
    }
  }

  private static List<Path> files(Path index) throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      return files.toList();
    }
  }
}
