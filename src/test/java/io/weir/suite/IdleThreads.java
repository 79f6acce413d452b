package io.weir.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The scheduling class of the threads of another process, as the kernel shows it (see
 * proc_pid_stat(5)), and the permission to leave {@code SCHED_IDLE} again.
 */
public final class IdleThreads {

  private static final int CAP_SYS_NICE = 23;
  private static final int POLICY_FIELD = 38; // of the fields after the name
  private static final String SCHED_IDLE = "5";

  private IdleThreads() {}

  /** Options of {@code setpriv} that give a user the permission; none where nobody can give it. */
  public static List<String> permission() throws IOException {
    return isGiven() ? List.of("--inh-caps=+sys_nice", "--ambient-caps=+sys_nice") : List.of();
  }

  /** Whether this process, and so each that has the {@link #permission} from it, may do that. */
  public static boolean isGiven() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("CapEff:"))
          .map(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
          .anyMatch(capabilities -> (capabilities >> CAP_SYS_NICE & 1) == 1);
    }
  }

  /** How many threads of a process and its descendants are in the class. */
  public static long count(Process process) {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .map(each -> Path.of("/proc", Long.toString(each.pid()), "task"))
        .flatMap(IdleThreads::stats)
        .filter(IdleThreads::isIdle)
        .count();
  }

  private static Stream<Path> stats(Path tasks) {
    try (Stream<Path> threads = Files.list(tasks)) {
      return threads.map(thread -> thread.resolve("stat")).toList().stream();
    } catch (IOException e) {
      return Stream.empty(); // it has ended
    }
  }

  private static boolean isIdle(Path stat) {
    try {
      String text = Files.readString(stat);
      return text.substring(text.lastIndexOf(')') + 2).split(" ")[POLICY_FIELD].equals(SCHED_IDLE);
    } catch (IOException e) {
      return false;
    }
  }
}
