package io.weir.figure;

/** In what a {@link Figure} is counted; multiples are those of 1000. */
public enum Unit {
  /** It has none: a word, or a record whose members say their own. */
  NONE(""),
  /** How many. */
  COUNT(""),
  /** Bytes. */
  BYTES("B"),
  /** Millions of bytes. */
  MEGABYTES("MB"),
  /** Bytes in a second. */
  BYTES_PER_SECOND("B/s"),
  /** Gigabytes in an hour. */
  GIGABYTES_PER_HOUR("GB/h"),
  /** Nanoseconds. */
  NANOS("ns"),
  /** Milliseconds. */
  MILLIS("ms"),
  /** Seconds. */
  SECONDS("s"),
  /** How many in a second. */
  PER_SECOND("/s"),
  /** Hundredths. */
  PERCENT("%"),
  /** A part of a whole, from 0 to 1. */
  SHARE(""),
  /** One figure divided by another of its unit. */
  TIMES("x");

  private final String symbol;

  Unit(String symbol) {
    this.symbol = symbol;
  }

  /** As people write it after a number; empty where nothing follows. */
  public String symbol() {
    return symbol;
  }
}
