package io.weir.procfs;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.OptionalLong;

/**
 * The kernel's page size, from the auxiliary vector of this process.
 *
 * <p>{@code /proc/self/auxv} contains pairs of 64-bit words, a tag and a value, in the machine's
 * byte order, terminated by the tag 0. It has a few hundred bytes, needs no native call, and never
 * changes in a process. The other source, {@code KernelPageSize} in {@code /proc/self/smaps}, walks
 * every page table of the process under the lock that page faults take; that would disturb a large
 * mapped index. A 32-bit process has narrower pairs; there the size is absent.
 */
final class PageSize {

  private static final long AT_NULL = 0;
  private static final long AT_PAGESZ = 6;
  private static final int PAIR_BYTES = 2 * Long.BYTES;

  /** Pages have 4 KiB to 256 KiB on all kernels; other values are invalid. */
  private static final long MIN_BYTES = 4 << 10;

  private static final long MAX_BYTES = 256 << 10;

  private PageSize() {}

  static OptionalLong parse(byte[] auxv, ByteOrder order) {
    ByteBuffer pairs = ByteBuffer.wrap(auxv).order(order);
    while (pairs.remaining() >= PAIR_BYTES) {
      long tag = pairs.getLong();
      long value = pairs.getLong();
      if (tag == AT_NULL) {
        break;
      }
      if (tag == AT_PAGESZ) {
        boolean plausible = value >= MIN_BYTES && value <= MAX_BYTES && Long.bitCount(value) == 1;
        return plausible ? OptionalLong.of(value) : OptionalLong.empty();
      }
    }
    return OptionalLong.empty();
  }
}
