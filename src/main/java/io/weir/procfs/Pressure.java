package io.weir.procfs;

import java.util.OptionalLong;

/**
 * How long work stood still for want of a resource, from a file below {@code /proc/pressure} (since
 * Linux 4.20, and only where the kernel was told to keep it).
 *
 * @param someTotalMicros counter since boot: at least one task was stalled
 * @param fullTotalMicros counter since boot: every task that could run was stalled
 */
public record Pressure(OptionalLong someTotalMicros, OptionalLong fullTotalMicros) {

  static Pressure parse(String text) {
    KeyedNumbers lines = new KeyedNumbers(text);
    return new Pressure(total(lines.value("some")), total(lines.value("full")));
  }

  private static OptionalLong total(String line) {
    String total = item(line, "total=");
    return total == null ? OptionalLong.empty() : KeyedNumbers.parse(total);
  }

  private static String item(String line, String key) {
    if (line != null) {
      for (String item : line.split(" ")) {
        if (item.startsWith(key)) {
          return item.substring(key.length());
        }
      }
    }
    return null;
  }
}
