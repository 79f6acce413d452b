package io.weir.store;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Decides whether the heap has room for Weir's optional memory: a quarter of the maximum heap stays
 * free for the application.
 *
 * <p>Before a collection, garbage cannot be distinguished from live objects. The first check counts
 * all used heap, which is cheap. If that is too much, the second one leaves out the eden spaces:
 * most of their contents is garbage, and the next collection empties them. Garbage among old
 * objects still counts as used, so a refused request may succeed later: ask again.
 *
 * <p><b>Threads:</b> any; nothing blocks. If the memory beans are missing or denied, all garbage
 * counts as used.
 */
final class HeapHeadroom {

  static final HeapHeadroom OF_THIS_JVM =
      new HeapHeadroom(
          Runtime.getRuntime().maxMemory(),
          () -> Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory(),
          HeapHeadroom::usedOutsideEdenBytes);

  private static final int FREE_PARTS = 4;
  private static final String EDEN = "Eden";

  private final long usableBytes;
  private final LongSupplier usedBytes;
  private final LongSupplier usedOutsideEdenBytes;

  HeapHeadroom(long maxBytes, LongSupplier usedBytes, LongSupplier usedOutsideEdenBytes) {
    this.usableBytes = maxBytes - maxBytes / FREE_PARTS;
    this.usedBytes = usedBytes;
    this.usedOutsideEdenBytes = usedOutsideEdenBytes;
  }

  /** Whether this many more bytes would leave the application its share. */
  boolean admits(long bytes) {
    return bytes <= usableBytes - usedBytes.getAsLong()
        || bytes <= usableBytes - usedOutsideEdenBytes.getAsLong();
  }

  private static long usedOutsideEdenBytes() {
    try {
      long bytes = 0;
      for (MemoryPoolMXBean pool : Pools.OUTSIDE_EDEN) {
        bytes += pool.getUsage().getUsed();
      }
      return bytes;
    } catch (RuntimeException | LinkageError e) {
      return Long.MAX_VALUE; // only the first check counts
    }
  }

  /** The memory pools, looked up at first use. */
  private static final class Pools {

    static final List<MemoryPoolMXBean> OUTSIDE_EDEN =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && !pool.getName().contains(EDEN))
            .toList();
  }
}
