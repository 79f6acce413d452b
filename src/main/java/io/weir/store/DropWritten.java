package io.weir.store;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * The merges whose output a {@link WritebackDirectory} drops from the page cache once it is on the
 * disk.
 */
public enum DropWritten {
  /** None: the kernel decides what to keep. */
  NEVER,

  /**
   * Merges expected to write more than half of the memory that the machine or container has for the
   * page cache, beside this JVM's heap. So much output would push out the pages that readers use,
   * and could not stay in the cache itself. The output of smaller merges stays for the readers of
   * the merged segment.
   */
  LARGE,

  /** All merges. Searches then read a merged segment from the disk. */
  ALWAYS;

  /**
   * Whether to drop the output of this merge.
   *
   * @param mergeBytes what the merge is expected to write; empty for files that are not a merge's,
   *     such as copies
   */
  boolean drops(OptionalLong mergeBytes) {
    return drops(mergeBytes, DropWritten::pageCacheBytes);
  }

  /**
   * Whether to drop the output of this merge.
   *
   * @param pageCacheBytes returns the memory for the page cache, negative if unknown. Called only
   *     if needed; an exception counts as unknown
   */
  boolean drops(OptionalLong mergeBytes, LongSupplier pageCacheBytes) {
    return switch (this) {
      case NEVER -> false;
      case LARGE -> mergeBytes.isPresent() && isLarge(mergeBytes.getAsLong(), pageCacheBytes);
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
