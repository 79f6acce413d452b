package io.weir.store;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.ToLongFunction;

/**
 * The memory that files may take in the page cache: that of the container, if it has a limit,
 * otherwise of the machine.
 *
 * <p>Lucene's merges write, and read, more than readers use. As long as memory is free, that pushes
 * nothing out, so none of it need be dropped.
 *
 * <p><b>Units:</b> bytes. <b>Threads:</b> any. <b>Failure:</b> throws nothing. Where it is not
 * known, memory is unbounded, and short.
 *
 * <p>Source: JDK 25, {@code OperatingSystemImpl.getFreeMemorySize}: what a container's limit leaves
 * beyond its use, which includes its page cache. The machine below may have less.
 */
interface PageCacheMemory {

  /** Of this machine or container. */
  PageCacheMemory OF_THIS_SYSTEM =
      new PageCacheMemory() {
        @Override
        public long bytes() {
          long total = ask(OperatingSystemMXBean::getTotalMemorySize);
          return total < 0 ? Long.MAX_VALUE : Math.max(0, total - Runtime.getRuntime().maxMemory());
        }

        @Override
        public boolean isShort() {
          return ask(OperatingSystemMXBean::getFreeMemorySize) < bytes() / FREE_PARTS;
        }

        private long ask(ToLongFunction<OperatingSystemMXBean> what) {
          try {
            return ManagementFactory.getOperatingSystemMXBean()
                    instanceof OperatingSystemMXBean system
                ? what.applyAsLong(system)
                : -1;
          } catch (RuntimeException | LinkageError e) {
            return -1; // the management interface is denied, or not part of this Java
          }
        }
      };

  /** Memory is short where less than one of so many parts of it is free. */
  int FREE_PARTS = 16;

  /** All that is not this JVM's heap, free or not. */
  long bytes();

  /** Whether so little of it is free that what is kept pushes out something else. */
  boolean isShort();
}
