package io.weir.store;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import org.apache.lucene.store.MergeInfo;

/** Of which merges a {@link WritebackDirectory} drops from the page cache what is on the disk. */
public enum DropWritten {
  /** Of none: the kernel keeps what it likes. */
  NEVER,

  /**
   * Of those that are expected to write more than half of what the machine, or the container, has
   * for the page cache beside this JVM's heap. So much would push out what readers use, and cannot
   * stay itself; what smaller merges write is left for the readers of the merged segment.
   */
  LARGE,

  /** Of all. A merged segment is then read from the disk as soon as it is searched. */
  ALWAYS;

  /**
   * Whether to drop what this merge writes.
   *
   * @param merge null for files of no merge, such as copies
   */
  boolean drops(MergeInfo merge) {
    return drops(merge, DropWritten::pageCacheBytes);
  }

  /**
   * Whether to drop what this merge writes.
   *
   * @param pageCacheBytes what there is for the page cache; negative if that is unknown. Asked only
   *     when it matters; what it throws counts as unknown
   */
  boolean drops(MergeInfo merge, LongSupplier pageCacheBytes) {
    return switch (this) {
      case NEVER -> false;
      case LARGE -> merge != null && isLarge(merge.estimatedMergeBytes(), pageCacheBytes);
      case ALWAYS -> true;
    };
  }

  private static boolean isLarge(long mergeBytes, LongSupplier pageCacheBytes) {
    try {
      long bytes = pageCacheBytes.getAsLong();
      return bytes >= 0 && mergeBytes > bytes / 2;
    } catch (RuntimeException | LinkageError e) {
      return false; // the management interface is denied, or not part of this Java
    }
  }

  private static long pageCacheBytes() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? Math.max(0, system.getTotalMemorySize() - Runtime.getRuntime().maxMemory())
        : -1;
  }
}
