package io.weir.host;

import io.weir.procfs.BlockDevice;
import io.weir.procfs.Cgroup;
import io.weir.procfs.MemInfo;
import io.weir.procfs.Mount;
import io.weir.procfs.Procfs;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Describes the machine.
 *
 * <p>Figures come from {@link Procfs} first, and from OSHI otherwise.
 *
 * <p><b>Threads:</b> any; a call reads about a hundred small files, and the first one takes a
 * fraction of a second.
 *
 * <p><b>Failure:</b> no method throws; an unknown value is null, also if OSHI is not on the class
 * path.
 */
public final class HostProbe {

  private HostProbe() {}

  /**
   * Describes this machine, this JVM and the storage below a directory.
   *
   * @param indexDirectory need not exist yet; the nearest existing parent is used
   */
  public static Environment read(Path indexDirectory, Procfs procfs) {
    return read(indexDirectory, procfs, OshiReader::read);
  }

  static Environment read(Path indexDirectory, Procfs procfs, Supplier<HardwareFacts> oshi) {
    HardwareFacts hardware = guarded(oshi);
    return new Environment(
        new Environment.Cpu(hardware.cpuModel(), hardware.physicalCores(), hardware.logicalCores()),
        procfs
            .memInfo()
            .map(MemInfo::memTotalBytes)
            .map(HostProbe::orNull)
            .orElse(hardware.memoryBytes()),
        new Environment.OperatingSystem(hardware.osName(), hardware.osVersion()),
        procfs.kernelRelease().orElse(null),
        jvm(),
        storage(indexDirectory, procfs),
        dirtySettings(procfs),
        procfs.cgroup().map(HostProbe::controlGroup).orElse(null),
        hardware.virtualization());
  }

  private static HardwareFacts guarded(Supplier<HardwareFacts> oshi) {
    try {
      return oshi.get();
    } catch (RuntimeException | LinkageError e) {
      return HardwareFacts.NONE;
    }
  }

  private static Environment.Jvm jvm() {
    return new Environment.Jvm(
        Runtime.version().toString(),
        System.getProperty("java.vendor"),
        System.getProperty("java.vm.name"),
        List.copyOf(ManagementFactory.getRuntimeMXBean().getInputArguments()),
        Runtime.getRuntime().maxMemory());
  }

  private static Environment.Storage storage(Path indexDirectory, Procfs procfs) {
    Optional<Path> existing = nearestExisting(indexDirectory);
    Optional<FileStore> store = existing.flatMap(HostProbe::fileStore);
    Optional<Mount> mount = existing.flatMap(procfs::mountOf);
    Optional<BlockDevice> disk = mount.flatMap(procfs::blockDevice);
    return new Environment.Storage(
        mount.map(Mount::fileSystemType).or(() -> store.map(FileStore::type)).orElse(null),
        mount.map(Mount::mountPoint).orElse(null),
        mount.map(Mount::source).or(() -> store.map(FileStore::name)).orElse(null),
        disk.flatMap(BlockDevice::model).orElse(null),
        disk.flatMap(BlockDevice::rotational).orElse(null),
        store.map(found -> bytes(found::getTotalSpace)).filter(bytes -> bytes > 0).orElse(null),
        store.map(found -> bytes(found::getUsableSpace)).filter(bytes -> bytes >= 0).orElse(null));
  }

  /** The real path without links, for the lookup among mount points. */
  private static Optional<Path> nearestExisting(Path directory) {
    for (Path path = directory.toAbsolutePath().normalize();
        path != null;
        path = path.getParent()) {
      try {
        return Optional.of(path.toRealPath());
      } catch (IOException e) {
        continue; // does not exist yet, or access is denied: try its parent
      }
    }
    return Optional.empty();
  }

  private static Optional<FileStore> fileStore(Path path) {
    try {
      return Optional.of(Files.getFileStore(path));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private interface Space {
    long bytes() throws IOException;
  }

  private static Long bytes(Space space) {
    try {
      return space.bytes();
    } catch (IOException e) {
      return null;
    }
  }

  private static Environment.DirtySettings dirtySettings(Procfs procfs) {
    io.weir.procfs.DirtySettings settings = procfs.dirtySettings();
    return new Environment.DirtySettings(
        orNull(settings.dirtyRatioPercent()),
        orNull(settings.dirtyBackgroundRatioPercent()),
        orNull(settings.dirtyBytes()),
        orNull(settings.dirtyBackgroundBytes()),
        orNull(settings.dirtyExpireCentisecs()),
        orNull(settings.dirtyWritebackCentisecs()));
  }

  private static Environment.ControlGroup controlGroup(Cgroup cgroup) {
    return new Environment.ControlGroup(cgroup.version(), orNull(cgroup.memoryLimitBytes()));
  }

  private static Long orNull(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }
}
