package io.weir.procfs;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a thread has had of the processors (see the kernel's documentation, sched-stats, "per-task
 * schedstat", and proc_pid_stat(5)).
 *
 * @param ranNanos how long it ran
 * @param waitedNanos how long it was ready and did not run; a wait counts once it has ended
 * @param isReady whether it runs now or waits for a processor; false while it sleeps
 */
public record ThreadTimes(long ranNanos, long waitedNanos, boolean isReady) {

  /** From the thread's files {@code schedstat} and {@code stat}. */
  static Optional<ThreadTimes> parse(String schedstat, String stat) {
    String[] times = schedstat.strip().split(" ");
    String[] fields = ProcessStat.fields(stat);
    if (times.length < 2 || fields.length == 0) {
      return Optional.empty();
    }
    OptionalLong ran = KeyedNumbers.parse(times[0]);
    OptionalLong waited = KeyedNumbers.parse(times[1]);
    return ran.isPresent() && waited.isPresent()
        ? Optional.of(new ThreadTimes(ran.getAsLong(), waited.getAsLong(), fields[0].equals("R")))
        : Optional.empty();
  }
}
