package io.weir.stress.result;

import java.util.Locale;

/** Where a moment of an arm stands against the large merge. */
public enum Phase {
  /** Load runs, the large merge has not been asked for. */
  BEFORE,
  /** From the call that asks for the large merge until it returns. */
  DURING,
  /** Load still runs, the large merge is over. */
  AFTER;

  /** As files spell it: {@code before}, {@code during}, {@code after}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The phase whose {@link #label} this is. */
  public static Phase ofLabel(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
