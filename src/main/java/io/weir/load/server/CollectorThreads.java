package io.weir.load.server;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The processor time of the garbage collector's threads, which no interface of the JVM reports: the
 * sum over the threads of this process whose names are a collector's. The serial collector works in
 * the {@code VM Thread}. ZGC without generations has an X in Java 21 and 22. Empty off Linux, and
 * where access is denied.
 */
final class CollectorThreads {

  private static final Pattern NAMES =
      Pattern.compile(
          "GC Thread.*|G1 .*|[XZ](Director|Driver|Worker|Stat|Unmap|Uncommit|Reclaim).*"
              + "|RuntimeWorker.*|Shenandoah.*|VM Thread");

  /** Of {@code /proc/PID/stat}, after the name in brackets. */
  private static final int USER_FIELD = 11;

  /** The kernel's unit for programs: 100 a second on every architecture of Linux. */
  private static final long NANOS_PER_TICK = 10_000_000;

  private CollectorThreads() {}

  /** Nanoseconds since this process started. */
  static Optional<Long> nanos() {
    long ticks = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path thread : threads) {
        ticks += ticks(thread);
      }
    } catch (IOException | RuntimeException e) {
      return Optional.empty();
    }
    return Optional.of(ticks * NANOS_PER_TICK);
  }

  /** Whether a thread of this name is a collector's. */
  static boolean isCollector(String name) {
    return NAMES.matcher(name).matches();
  }

  private static long ticks(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      int end = stat.lastIndexOf(')');
      if (!isCollector(stat.substring(stat.indexOf('(') + 1, end))) {
        return 0;
      }
      String[] fields = stat.substring(end + 2).split(" ");
      return Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[USER_FIELD + 1]);
    } catch (IOException e) {
      return 0; // it has ended since
    }
  }
}
