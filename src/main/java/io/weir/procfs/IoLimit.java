package io.weir.procfs;

import java.util.OptionalLong;

/**
 * What a control group may do on one disk: a line of {@code io.max} (control groups version 2).
 *
 * <p><b>Units:</b> bytes and operations per second; absent means without limit.
 */
public record IoLimit(
    OptionalLong readBytes,
    OptionalLong writeBytes,
    OptionalLong readOperations,
    OptionalLong writeOperations) {

  static final IoLimit NONE =
      new IoLimit(
          OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

  /** Parses what follows the device on its line. */
  static IoLimit parse(String items) {
    return new IoLimit(
        item(items, "rbps="), item(items, "wbps="), item(items, "riops="), item(items, "wiops="));
  }

  /** The tighter of both, item by item. */
  IoLimit and(IoLimit other) {
    return new IoLimit(
        least(readBytes, other.readBytes),
        least(writeBytes, other.writeBytes),
        least(readOperations, other.readOperations),
        least(writeOperations, other.writeOperations));
  }

  private static OptionalLong least(OptionalLong a, OptionalLong b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.isEmpty() ? b : a;
    }
    return OptionalLong.of(Math.min(a.getAsLong(), b.getAsLong()));
  }

  /** The kernel writes {@code max} for no limit. */
  private static OptionalLong item(String items, String key) {
    for (String item : items.split(" ")) {
      if (item.startsWith(key)) {
        return KeyedNumbers.parse(item.substring(key.length()));
      }
    }
    return OptionalLong.empty();
  }
}
