package io.weir.procfs;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How long work stood still for want of a resource, from a file below {@code /proc/pressure} (since
 * Linux 4.20, and only where the kernel was told to keep it).
 *
 * @param someTotalMicros counter since boot: at least one task was stalled
 * @param fullTotalMicros counter since boot: every task that could run was stalled
 * @param someAvg10Percent share of the last ten seconds
 * @param fullAvg10Percent share of the last ten seconds
 */
public record Pressure(
    OptionalLong someTotalMicros,
    OptionalLong fullTotalMicros,
    OptionalDouble someAvg10Percent,
    OptionalDouble fullAvg10Percent) {

  static Pressure parse(String text) {
    KeyedNumbers lines = new KeyedNumbers(text);
    String some = lines.value("some");
    String full = lines.value("full");
    return new Pressure(total(some), total(full), avg10(some), avg10(full));
  }

  private static OptionalLong total(String line) {
    String total = item(line, "total=");
    return total == null ? OptionalLong.empty() : KeyedNumbers.parse(total);
  }

  /** Two numbers around a point; {@code Double.parseDouble} would take NaN, 1e9 and 1d as well. */
  private static OptionalDouble avg10(String line) {
    String percent = item(line, "avg10=");
    int point = percent == null ? -1 : percent.indexOf('.');
    if (point < 0
        || KeyedNumbers.parse(percent.substring(0, point)).isEmpty()
        || KeyedNumbers.parse(percent.substring(point + 1)).isEmpty()) {
      return OptionalDouble.empty();
    }
    double value = Double.parseDouble(percent);
    return value <= 100 ? OptionalDouble.of(value) : OptionalDouble.empty();
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
