package io.weir.control;

import io.weir.procfs.BlockDevice;
import io.weir.procfs.DiskOfPath;
import io.weir.procfs.Mount;
import io.weir.procfs.OperationCounters;
import io.weir.procfs.Procfs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Counts the operations on the disk of a path between two looks.
 *
 * <p><b>Threads:</b> one at a time. <b>Failure:</b> a path without counters is refused; later on, a
 * look without a figure, and the next one with it, are empty.
 */
final class OperationsCounter {

  private final Procfs procfs;
  private final BlockDevice device;
  private final OperationsScope scope;
  private Optional<OperationCounters> seen;

  private OperationsCounter(Procfs procfs, BlockDevice device, OperationsScope scope) {
    this.procfs = procfs;
    this.device = device;
    this.scope = scope;
    this.seen = look();
  }

  /**
   * Counts in one scope from now on.
   *
   * @throws IOException if that is not known, with the reason
   */
  static OperationsCounter of(Path path, OperationsScope scope, Procfs procfs) throws IOException {
    BlockDevice device = device(path, procfs);
    OperationsCounter counter = new OperationsCounter(procfs, device, scope);
    if (counter.seen.isEmpty()) {
      throw refused(
          path,
          scope == OperationsScope.GROUP
              ? "no control group of version 2 below the root counts operations on "
                  + device.name()
                  + " for this process"
              : "/sys/class/block/" + device.name() + "/stat cannot be read",
          procfs);
    }
    return counter;
  }

  private static BlockDevice device(Path path, Procfs procfs) throws IOException {
    DiskOfPath found = DiskOfPath.find(path, procfs);
    if (found.mount().isEmpty()) {
      throw refused(path, "the kernel does not say which file system it is on", procfs);
    }
    Mount mount = found.mount().get();
    if (found.device().isEmpty()) {
      throw refused(
          path,
          "its file system, %s at %s, has no block device of its own"
              .formatted(mount.fileSystemType(), mount.mountPoint()),
          procfs);
    }
    return found.device().get();
  }

  private static IOException refused(Path path, String reason, Procfs procfs) {
    return new IOException(
        "operations on the disk of %s cannot be counted: %s%s"
            .formatted(
                path, reason, procfs.denial().map(denial -> " (" + denial + ")").orElse("")));
  }

  /** The name of the disk. */
  String device() {
    return device.name();
  }

  OperationsScope scope() {
    return scope;
  }

  /** The operations since the last look; empty if this look or the one before was in vain. */
  Optional<OperationCounters> sinceLast() {
    Optional<OperationCounters> before = seen;
    seen = look();
    return before.flatMap(earlier -> seen.flatMap(now -> now.since(earlier)));
  }

  private Optional<OperationCounters> look() {
    return scope == OperationsScope.GROUP
        ? procfs.groupOperations(device)
        : procfs.operations(device);
  }
}
