package io.weir.control;

import io.weir.procfs.BlockDevice;
import io.weir.procfs.DiskOfPath;
import io.weir.procfs.IoLimit;
import io.weir.procfs.Procfs;
import io.weir.rate.BudgetOptions;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One budget for each disk, found from the path of an index, so that indexes on different disks do
 * not hold each other back.
 *
 * <pre>{@code
 * DiskBudgets disks = new DiskBudgets(ByteBudget.unlimited());
 * Weir products = Weir.builder().budget(disks.of(fast)).open(fast);
 * Weir orders = Weir.builder().budget(disks.of(slow)).open(slow);
 * }</pre>
 *
 * <p>A disk is a block device with all its partitions. Each file system without a block device of
 * its own (overlay, network, memory) counts as a disk.
 *
 * <p>If the control group of this process (version 2) limits the bytes per second written to the
 * disk, the budget starts at four fifths of that limit. Above the limit, the kernel stops every
 * thread of the group that writes, not only merges. Without a limit, the budget is unlimited.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> the budgets are children of the given one, and need no
 * close. <b>Failure:</b> if the kernel does not say which disk it is, all such paths share one
 * budget.
 */
public final class DiskBudgets {

  private static final String UNKNOWN = "unknown disk";

  private static final double SHARE_OF_LIMIT = 0.8;

  private final ByteBudget all;
  private final Procfs procfs;
  private final Map<String, ByteBudget> byDisk = new LinkedHashMap<>(); // guarded by this

  /**
   * For this machine.
   *
   * @param all the parent of the budgets; its cap holds for all disks together
   */
  public DiskBudgets(ByteBudget all) {
    this(all, Procfs.SYSTEM);
  }

  DiskBudgets(ByteBudget all, Procfs procfs) {
    this.all = Objects.requireNonNull(all, "all");
    this.procfs = procfs;
  }

  /**
   * The budget of the disk that contains a path, always the same for one disk.
   *
   * @param path or its nearest parent that exists
   * @throws IOException if no part of the path can be resolved, or a security policy denies it
   */
  public ByteBudget of(Path path) throws IOException {
    DiskOfPath found = DiskOfPath.find(path, procfs);
    Optional<BlockDevice> device = found.device();
    String disk = found.disk().orElse(UNKNOWN);
    synchronized (this) {
      return byDisk.computeIfAbsent(
          disk,
          name ->
              all.child(
                  BudgetOptions.named(name)
                      .withRate(
                          device
                              .map(procfs::ioLimit)
                              .map(DiskBudgets::rate)
                              .orElse(Rate.UNLIMITED))));
    }
  }

  /** All budgets so far, by the names of their disks. */
  public synchronized Map<String, ByteBudget> all() {
    return Map.copyOf(byDisk);
  }

  private static Rate rate(IoLimit limit) {
    return limit.writeBytes().isEmpty()
        ? Rate.UNLIMITED
        : Rate.perSecond(
            Math.clamp(
                Math.round(limit.writeBytes().getAsLong() * SHARE_OF_LIMIT),
                Rate.MIN_BYTES_PER_SECOND,
                Rate.MAX_BYTES_PER_SECOND));
  }
}
