package io.weir.store;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Whether the heap has room for memory that Weir can do without: a quarter of the largest heap
 * stays free for the application.
 *
 * <p>Garbage cannot be told from what is in use until it is collected. All that is used is looked
 * at first, which is cheap. If that is too much, what is in the eden spaces is left out: most of it
 * is garbage, and the next collection empties them whatever it is. Garbage among the old objects
 * still counts as used, so an answer may be no where a later one is yes: ask again.
 *
 * <p><b>Threads:</b> any; nothing blocks. Where the JVM has no memory beans, or does not let them
 * be read, all garbage counts as used.
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

  /** Whether so many bytes more would leave the application its part. */
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
      return Long.MAX_VALUE; // the first look, at all that is used, has to do
    }
  }

  /** Looked up when they are first needed. */
  private static final class Pools {

    static final List<MemoryPoolMXBean> OUTSIDE_EDEN =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && !pool.getName().contains(EDEN))
            .toList();
  }
}
