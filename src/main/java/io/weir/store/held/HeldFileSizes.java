package io.weir.store.held;

/** The rule for how large files in memory may be, one by one and together. */
public final class HeldFileSizes {

  private HeldFileSizes() {}

  /**
   * Refuses sizes out of range; both may be 0, which is off.
   *
   * @param options the name of the options that have the sizes
   * @param mostFileBytes the largest value of {@code maxFileBytes}
   */
  public static void require(
      String options, long maxFileBytes, long mostFileBytes, long maxHeldBytes) {
    if (maxFileBytes == 0 && maxHeldBytes == 0) {
      return;
    }
    if (maxFileBytes < 1 || maxFileBytes > mostFileBytes) {
      throw new IllegalArgumentException(
          "maxFileBytes must be from 1 to %d bytes (for none use %s.OFF): %d"
              .formatted(mostFileBytes, options, maxFileBytes));
    }
    if (maxHeldBytes < maxFileBytes) {
      throw new IllegalArgumentException(
          "maxHeldBytes must be at least maxFileBytes, %d bytes: %d"
              .formatted(maxFileBytes, maxHeldBytes));
    }
  }
}
