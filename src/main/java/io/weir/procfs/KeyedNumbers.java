package io.weir.procfs;

import java.util.OptionalLong;

/**
 * Finds numbers in kernel text that has one value per line, after its key.
 *
 * <p>Lines may come in any order, and unknown lines are skipped. A number that is missing,
 * negative, not decimal or too large for a {@code long} is absent.
 *
 * <p><b>Threads:</b> immutable.
 */
final class KeyedNumbers {

  /** {@code Long.MAX_VALUE} has 19 digits; longer text is not parsed. */
  private static final int MAX_DIGITS = 19;

  private final String text;

  KeyedNumbers(String text) {
    this.text = text;
  }

  /** The number after {@code key} and blanks, on the first line that starts with the key. */
  OptionalLong number(String key) {
    return number(key, "");
  }

  /** The same; absent unless {@code unit} follows the number. */
  OptionalLong number(String key, String unit) {
    String value = value(key);
    if (value == null || !value.endsWith(unit)) {
      return OptionalLong.empty();
    }
    return parse(value.substring(0, value.length() - unit.length()).strip());
  }

  /** The number of the first of some keys that has one. */
  OptionalLong numberOfAny(String... keys) {
    for (String key : keys) {
      OptionalLong number = number(key);
      if (number.isPresent()) {
        return number;
      }
    }
    return OptionalLong.empty();
  }

  /** The text after {@code key} on its line, without surrounding blanks; null if there is none. */
  String value(String key) {
    for (int start = 0; start < text.length(); ) {
      int newline = text.indexOf('\n', start);
      int end = newline < 0 ? text.length() : newline;
      int afterKey = start + key.length();
      if (text.startsWith(key, start) && afterKey < end && isBlank(text.charAt(afterKey))) {
        return text.substring(afterKey, end).strip();
      }
      start = end + 1;
    }
    return null;
  }

  /** A decimal number from 0 to {@code Long.MAX_VALUE}. */
  static OptionalLong parse(String digits) {
    if (digits.isEmpty() || digits.length() > MAX_DIGITS) {
      return OptionalLong.empty();
    }
    long value = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return OptionalLong.empty();
      }
      value = value * 10 + digit;
    }
    return value < 0 ? OptionalLong.empty() : OptionalLong.of(value); // 19 digits overflow once
  }

  /** The product; absent if a factor is absent or the product exceeds a {@code long}. */
  static OptionalLong times(OptionalLong count, OptionalLong unitBytes) {
    if (count.isEmpty() || unitBytes.isEmpty()) {
      return OptionalLong.empty();
    }
    long high = Math.multiplyHigh(count.getAsLong(), unitBytes.getAsLong());
    long low = count.getAsLong() * unitBytes.getAsLong();
    return high == 0 && low >= 0 ? OptionalLong.of(low) : OptionalLong.empty();
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }
}
