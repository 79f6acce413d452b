package io.weir.procfs;

import java.util.OptionalLong;

/**
 * The times of the machine's processors since boot, from {@code /proc/stat}.
 *
 * <p><b>Units:</b> clock ticks, summed over processors.
 *
 * @param totalTicks all ticks
 * @param busyTicks those in which a processor did something for this machine
 * @param stealTicks ticks in which the hypervisor ran another machine; since Linux 2.6.11
 */
public record CpuTimes(OptionalLong totalTicks, OptionalLong busyTicks, OptionalLong stealTicks) {

  /**
   * What a tick is in each file of the kernel, on all machines that have a JVM ({@code USER_HZ} of
   * Linux is 100 there).
   */
  public static final long TICK_NANOS = 10_000_000;

  private static final int IDLE_FIELD = 3;
  private static final int IO_WAIT_FIELD = 4;

  /** The fields after it are guest times, which user time includes. */
  private static final int STEAL_FIELD = 7;

  private static final CpuTimes UNKNOWN =
      new CpuTimes(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

  static CpuTimes parse(String text) {
    String line = new KeyedNumbers(text).value("cpu");
    String[] fields = line == null ? new String[0] : line.split(" +");
    if (fields.length <= STEAL_FIELD) {
      return UNKNOWN;
    }
    long total = 0;
    long busy = 0;
    for (int i = 0; i <= STEAL_FIELD; i++) {
      OptionalLong ticks = KeyedNumbers.parse(fields[i]);
      if (ticks.isEmpty()) {
        return UNKNOWN;
      }
      total += ticks.getAsLong();
      if (i != IDLE_FIELD && i != IO_WAIT_FIELD && i != STEAL_FIELD) {
        busy += ticks.getAsLong();
      }
    }
    return new CpuTimes(
        OptionalLong.of(total), OptionalLong.of(busy), KeyedNumbers.parse(fields[STEAL_FIELD]));
  }
}
