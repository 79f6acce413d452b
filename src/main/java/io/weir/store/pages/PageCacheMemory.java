package io.weir.store.pages;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The memory that files may take in the page cache: that of the container, if it has a limit,
 * otherwise of the machine.
 *
 * <p><b>Units:</b> bytes. <b>Threads:</b> any. <b>Failure:</b> throws nothing. Where it is not
 * known, memory is unbounded, and none is free.
 *
 * <p>Source: JDK 25, {@code OperatingSystemImpl.getFreeMemorySize}: what a container's limit leaves
 * beyond its use, which includes its page cache. The machine below may have less.
 */
public interface PageCacheMemory {

  /** Of this machine or container. */
  PageCacheMemory OF_THIS_SYSTEM =
      new PageCacheMemory() {
        @Override
        public long bytes() {
          OptionalLong total = ask(OperatingSystemMXBean::getTotalMemorySize);
          return total.isPresent()
              ? Math.max(0, total.getAsLong() - Runtime.getRuntime().maxMemory())
              : Long.MAX_VALUE;
        }

        @Override
        public long freeBytes() {
          return ask(OperatingSystemMXBean::getFreeMemorySize).orElse(0);
        }

        private OptionalLong ask(ToLongFunction<OperatingSystemMXBean> what) {
          try {
            return ManagementFactory.getOperatingSystemMXBean()
                    instanceof OperatingSystemMXBean system
                ? OptionalLong.of(what.applyAsLong(system))
                : OptionalLong.empty();
          } catch (RuntimeException | LinkageError e) {
            return OptionalLong.empty(); // the interface is denied, or not part of this Java
          }
        }
      };

  /** All that is not this JVM's heap, free or not. */
  long bytes();

  /** What no one uses, not even the page cache. */
  long freeBytes();
}
