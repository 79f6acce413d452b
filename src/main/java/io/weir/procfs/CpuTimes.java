package io.weir.procfs;

import java.util.OptionalLong;

/**
 * What the machine's processors did since boot, from {@code /proc/stat}.
 *
 * <p><b>Units:</b> clock ticks, added over processors; only shares of one in the other mean
 * anything.
 *
 * @param totalTicks all there were
 * @param stealTicks those in which a hypervisor let another machine run; since Linux 2.6.11
 */
public record CpuTimes(OptionalLong totalTicks, OptionalLong stealTicks) {

  /** What comes behind it, time of guests, is in user time already. */
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
