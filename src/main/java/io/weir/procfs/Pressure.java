package io.weir.procfs;

import java.util.OptionalLong;

/**
 * How long tasks stalled on a resource, from a file below {@code /proc/pressure} (since Linux 4.20,
 * if the kernel is configured to record it).
 *
 * @param someTotalMicros time since boot in which at least one task stalled
 * @param fullTotalMicros time since boot in which all runnable tasks stalled
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
