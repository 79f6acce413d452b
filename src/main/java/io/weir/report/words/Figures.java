package io.weir.report.words;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/**
 * How figures are spelled, the same in every form and in every locale.
 *
 * <p>{@code MB} is 1,000,000 bytes. Figures in a column have a fixed number of decimals, so that
 * they align; figures in sentences have about three digits.
 */
public final class Figures {
  private Figures() {}

  /** One decimal, for a column. */
  public static String oneDecimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** Two decimals, for a column. */
  public static String twoDecimals(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** Bytes as megabytes with one decimal, for a column. */
  public static String megabytes(long bytes) {
    return oneDecimal(bytes / 1e6);
  }

  /** As few digits as it has, and no more than six: {@code 50}, {@code 99.9}, {@code 0.001}. */
  public static String plain(double value) {
    BigDecimal digits = new BigDecimal(value).round(new MathContext(6)).stripTrailingZeros();
    return digits.signum() == 0 ? "0" : digits.toPlainString();
  }

  /** About three digits: {@code 0.42}, {@code 7.4}, {@code 41}, {@code 1129}. */
  public static String brief(double value) {
    double size = Math.abs(value);
    if (size >= 9.95) {
      return String.format(Locale.ROOT, "%.0f", value);
    }
    return String.format(Locale.ROOT, size >= 0.995 || size == 0 ? "%.1f" : "%.2f", value);
  }

  /** Three digits: {@code 7.41}, {@code 31.2}, {@code 210}. */
  public static String threeDigits(double value) {
    String form = value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, form, value);
  }

  /** {@code 38.1 to 41.0}, or one figure when both are spelled alike. */
  public static String range(double least, double most) {
    String from = threeDigits(least);
    String to = threeDigits(most);
    return from.equals(to) ? from : from + " to " + to;
  }

  /** Bytes in a fitting unit, for a sentence. */
  public static String bytes(double bytes) {
    double size = Math.abs(bytes);
    if (size >= 999.5e6) {
      return String.format(Locale.ROOT, "%.1f GB", bytes / 1e9);
    }
    if (size >= 999.5e3) {
      return brief(bytes / 1e6) + " MB";
    }
    return size >= 999.5 ? brief(bytes / 1e3) + " kB" : String.format(Locale.ROOT, "%.0f B", bytes);
  }

  /** {@code 0.4 s}, {@code 31.2 s}, {@code 4 min 10 s}, for a sentence. */
  public static String seconds(double seconds) {
    if (seconds < 120) {
      return oneDecimal(seconds) + " s";
    }
    long whole = Math.round(seconds);
    return whole < 7200
        ? "%d min %d s".formatted(whole / 60, whole % 60)
        : "%d h %d min".formatted(whole / 3600, whole % 3600 / 60);
  }

  /** {@code 1 reopen}, {@code 2 reopens}. */
  public static String count(long count, String one) {
    return count + " " + one + (count == 1 ? "" : "s");
  }
}
