package io.weir.host;

import java.util.Optional;
import oshi.hardware.GlobalMemory;
import oshi.spi.SystemInfoFactory;

/**
 * The memory of this machine, from OSHI. Figures are in bytes and at most 300 ms old, because OSHI
 * caches them.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> if OSHI cannot read the memory, {@link #find} returns
 * empty.
 */
public final class HostMemory {

  private final GlobalMemory memory;

  private HostMemory(GlobalMemory memory) {
    this.memory = memory;
  }

  /** The memory; empty if OSHI cannot read it. */
  public static Optional<HostMemory> find() {
    try {
      GlobalMemory memory = SystemInfoFactory.create().getHardware().getMemory();
      return memory.getTotal() > 0 ? Optional.of(new HostMemory(memory)) : Optional.empty();
    } catch (RuntimeException | LinkageError e) { // a linkage error: no native library
      return Optional.empty();
    }
  }

  /** The total memory. */
  public long totalBytes() {
    return memory.getTotal();
  }

  /** Memory available without swapping, mostly page cache. */
  public long availableBytes() {
    return memory.getAvailable();
  }

  /** Memory that was swapped out. */
  public long swapUsedBytes() {
    return memory.getVirtualMemory().getSwapUsed();
  }
}
