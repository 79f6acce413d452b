package io.weir.stress.index;

/**
 * The primary keys: document number to a key that looks random.
 *
 * <p>Keys of neighbouring documents share no prefix, so resolving one touches the terms dictionary
 * at a random place, as keys like UUIDs do. The function is one to one, so there are no duplicates,
 * and needs no memory.
 *
 * <p>Source: the finalizer of SplitMix64 (Steele, Lea, Flood 2014), a bijection on 64 bits.
 */
public final class DocumentKeys {

  private static final int DIGITS = 16;

  private DocumentKeys() {}

  /** The key of document {@code number}: 16 hexadecimal digits. */
  public static String of(long number, long seed) {
    long z = number + seed * 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    z ^= z >>> 31;
    String digits = Long.toHexString(z);
    return "0".repeat(DIGITS - digits.length()) + digits;
  }
}
