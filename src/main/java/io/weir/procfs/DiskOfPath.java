package io.weir.procfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a path is. A disk is a block device with all its partitions; each file system without a
 * block device of its own (overlay, network, memory) counts as a disk.
 *
 * @param mount the file system; empty if the kernel does not say
 * @param device its block device, with all partitions; empty for a file system without one
 */
public record DiskOfPath(Optional<Mount> mount, Optional<BlockDevice> device) {

  /** Refuses nulls. */
  public DiskOfPath {
    Objects.requireNonNull(mount, "mount");
    Objects.requireNonNull(device, "device");
  }

  /**
   * Finds it.
   *
   * @param path or its nearest parent that exists
   * @throws IOException if no part of the path can be resolved, or a security policy denies it
   */
  public static DiskOfPath find(Path path, Procfs procfs) throws IOException {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(procfs, "procfs");
    Path real;
    try {
      real = real(path);
    } catch (RuntimeException e) { // an engine's entitlements throw an exception of their own
      throw new IOException("access to the path is denied: " + path, e);
    }
    Optional<Mount> mount = procfs.mountOf(real);
    return new DiskOfPath(mount, mount.flatMap(procfs::blockDevice));
  }

  /** The same for all paths on one disk; empty if the kernel does not say. */
  public Optional<String> disk() {
    return device.map(BlockDevice::name).or(() -> mount.map(Mount::mountPoint));
  }

  private static Path real(Path path) throws IOException {
    Path absolute = path.toAbsolutePath().normalize();
    for (Path at = absolute; at.getParent() != null; at = at.getParent()) {
      if (Files.exists(at)) {
        return at.toRealPath();
      }
    }
    return absolute.getRoot().toRealPath();
  }
}
