package io.weir.figure;

import java.util.Objects;

/** In what a {@link Figure} is counted; multiples are those of 1000. */
public enum Unit {
  /** It has none: a word, or a record whose members say their own. */
  NONE("", ""),
  /** How many. */
  COUNT("", ""),
  /** Bytes. */
  BYTES("B", "Bytes"),
  /** Millions of bytes. */
  MEGABYTES("MB", "Megabytes"),
  /** Bytes in a second. */
  BYTES_PER_SECOND("B/s", "BytesPerSecond"),
  /** Gigabytes in an hour. */
  GIGABYTES_PER_HOUR("GB/h", "GigabytesPerHour"),
  /** Nanoseconds. */
  NANOS("ns", "Nanos"),
  /** Milliseconds. */
  MILLIS("ms", "Millis"),
  /** Seconds. */
  SECONDS("s", "Seconds"),
  /** How many in a second. */
  PER_SECOND("/s", "PerSecond"),
  /** Hundredths. */
  PERCENT("%", "Percent"),
  /** A part of a whole, from 0 to 1. */
  SHARE("", ""),
  /** One figure divided by another of its unit. */
  TIMES("x", "");

  private final String symbol;
  private final String word;

  Unit(String symbol, String word) {
    this.symbol = symbol;
    this.word = word;
  }

  /** As people write it after a number; empty where nothing follows. */
  public String symbol() {
    return symbol;
  }

  /** As a part of a name, capitals between its words; empty where names go without it. */
  public String word() {
    return word;
  }

  /** Whether it is one of time. */
  public boolean isTime() {
    return this == NANOS || this == MILLIS || this == SECONDS;
  }

  /** A number of these in {@code other}; both are times, or parts of a whole. */
  public double convert(double value, Unit other) {
    Objects.requireNonNull(other, "other");
    if (other == this) {
      return value;
    }
    return this == SHARE && other == PERCENT ? value * 100 : value * nanos() / other.nanos();
  }

  private double nanos() {
    return switch (this) {
      case NANOS -> 1;
      case MILLIS -> 1e6;
      case SECONDS -> 1e9;
      default -> throw new IllegalArgumentException("unit must be one of time: " + this);
    };
  }
}
