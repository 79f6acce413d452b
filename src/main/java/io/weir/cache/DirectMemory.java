package io.weir.cache;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.System.Logger.Level;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * The JVM's memory for direct buffers; a quarter of it stays free for the application.
 *
 * <p>{@code -XX:MaxDirectMemorySize} limits it; the default is the maximum heap. At the limit the
 * JVM collects the whole heap in the hope that buffers become free, and makes the caller wait. So
 * this asks for the free memory first, and never again after the JVM has refused.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> too little memory is an empty answer; the first is
 * logged.
 *
 * <p>Source: JDK 25, {@code java.nio.Bits.reserveMemory}.
 */
final class DirectMemory implements Memory {

  static final DirectMemory OF_THIS_JVM =
      new DirectMemory(maxBytes(), DirectMemory::usedBytes, ByteBuffer::allocateDirect);

  private static final System.Logger LOGGER = System.getLogger(DirectMemory.class.getName());

  private static final int FREE_PARTS = 4;
  private static final String POOL = "direct";

  private final long usableBytes;
  private final LongSupplier usedBytes;
  private final IntFunction<ByteBuffer> allocator;

  // Guarded by this.
  private boolean exhausted;
  private boolean logged;

  DirectMemory(long maxBytes, LongSupplier usedBytes, IntFunction<ByteBuffer> allocator) {
    this.usableBytes = maxBytes - maxBytes / FREE_PARTS;
    this.usedBytes = usedBytes;
    this.allocator = allocator;
  }

  @Override
  public synchronized Optional<ByteBuffer> allocate(int bytes) {
    if (exhausted) {
      return Optional.empty();
    }
    if (bytes > usableBytes - usedBytes.getAsLong()) {
      return refuse("less than a quarter of it would stay free");
    }
    try {
      return Optional.of(allocator.apply(bytes));
    } catch (OutOfMemoryError e) {
      exhausted = true;
      return refuse(e.toString());
    }
  }

  private Optional<ByteBuffer> refuse(String reason) {
    if (!logged) {
      logged = true;
      log(reason);
    }
    return Optional.empty();
  }

  /** A failing log must not affect a search. */
  private void log(String reason) {
    try {
      LOGGER.log(
          Level.WARNING,
          "The query cache does not grow to its limit, because the JVM has too little direct"
              + " memory: {0}. Searches work without it. To cache more, raise"
              + " -XX:MaxDirectMemorySize, which is {1} bytes. This is logged once.",
          reason,
          Long.toString(usableBytes / (FREE_PARTS - 1) * FREE_PARTS));
    } catch (Throwable unheard) {
      // The cache's figures show it.
    }
  }

  private static long maxBytes() {
    try {
      long option =
          Long.parseLong(
              ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                  .getVMOption("MaxDirectMemorySize")
                  .getValue());
      return option > 0 ? option : Runtime.getRuntime().maxMemory();
    } catch (RuntimeException | LinkageError e) { // not this JVM, or denied
      return Runtime.getRuntime().maxMemory();
    }
  }

  private static long usedBytes() {
    try {
      return Pool.DIRECT.map(BufferPoolMXBean::getMemoryUsed).orElse(0L);
    } catch (RuntimeException | LinkageError e) { // denied; allocating will tell
      return 0;
    }
  }

  /** The JVM's figures, looked up at first use. */
  private static final class Pool {

    static final Optional<BufferPoolMXBean> DIRECT =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals(POOL))
            .findFirst();
  }
}
