package io.weir.run;

import java.util.List;
import java.util.Locale;

/**
 * Where a moment of an arm stands: whether its measuring has begun, and against the large merge.
 */
public enum Phase {
  /** Load runs and the JVM still compiles it; kept in the raw files, left out of every figure. */
  WARMUP,
  /** Load runs, the large merge has not begun. */
  BEFORE,
  /** From the call that asks for the large merge until it returns. */
  DURING,
  /** Load still runs, the large merge is over. */
  AFTER;

  /** The phases that are measured, in their order. */
  public static final List<Phase> MEASURED = List.of(BEFORE, DURING, AFTER);

  /** As files spell it: {@code warmup}, {@code before}, {@code during}, {@code after}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
