package io.weir.procfs;

import java.util.OptionalLong;

/**
 * The times of the machine's processors since boot, from {@code /proc/stat}.
 *
 * <p><b>Units:</b> clock ticks, summed over processors; only ratios are meaningful.
 *
 * @param totalTicks all ticks
 * @param stealTicks ticks in which the hypervisor ran another machine; since Linux 2.6.11
 */
public record CpuTimes(OptionalLong totalTicks, OptionalLong stealTicks) {

  /** The fields after it are guest times, which user time includes. */
  private static final int STEAL_FIELD = 7;

  static CpuTimes parse(String text) {
    String line = new KeyedNumbers(text).value("cpu");
    String[] fields = line == null ? new String[0] : line.split(" +");
    if (fields.length <= STEAL_FIELD) {
      return new CpuTimes(OptionalLong.empty(), OptionalLong.empty());
    }
    long total = 0;
    for (int i = 0; i <= STEAL_FIELD; i++) {
      OptionalLong ticks = KeyedNumbers.parse(fields[i]);
      if (ticks.isEmpty()) {
        return new CpuTimes(OptionalLong.empty(), OptionalLong.empty());
      }
      total += ticks.getAsLong();
    }
    return new CpuTimes(OptionalLong.of(total), KeyedNumbers.parse(fields[STEAL_FIELD]));
  }
}
