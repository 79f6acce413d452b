package io.weir.host;

import java.util.Optional;
import oshi.hardware.GlobalMemory;
import oshi.spi.SystemInfoFactory;

/**
 * The memory of this machine, as OSHI counts it. Figures are in bytes, and at most as old as OSHI
 * keeps them, 300 ms.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> a machine whose memory OSHI cannot tell has none.
 */
public final class HostMemory {

  private final GlobalMemory memory;

  private HostMemory(GlobalMemory memory) {
    this.memory = memory;
  }

  /** Empty where OSHI does not know it. */
  public static Optional<HostMemory> find() {
    try {
      GlobalMemory memory = SystemInfoFactory.create().getHardware().getMemory();
      return memory.getTotal() > 0 ? Optional.of(new HostMemory(memory)) : Optional.empty();
    } catch (RuntimeException | LinkageError e) { // a linkage error: no native library
      return Optional.empty();
    }
  }

  /** All there is. */
  public long totalBytes() {
    return memory.getTotal();
  }

  /** What can still be had without swapping; the page cache is most of it. */
  public long availableBytes() {
    return memory.getAvailable();
  }

  /** What was moved out to swap. */
  public long swapUsedBytes() {
    return memory.getVirtualMemory().getSwapUsed();
  }
}
