package io.weir.procfs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads what the Linux kernel tells in text files below {@code /proc} and {@code /sys}.
 *
 * <p><b>Units:</b> bytes, unless a name says otherwise.
 *
 * <p><b>Threads:</b> any thread may call any method at any time; each call reads its files anew
 * (only the page size is kept). A call costs tens of microseconds and allocates a few tens of
 * kilobytes, for a sampler of some ten calls a second.
 *
 * <p><b>Failure:</b> no method throws. A file that is missing, cannot be read or has vanished gives
 * an empty result; a line that is missing or makes no sense gives an absent field. On a system
 * without these files everything is absent.
 */
public final class Procfs {

  /** The machine this runs on. */
  public static final Procfs SYSTEM = new Procfs(Path.of("/"));

  /** The largest file of interest, mountinfo on a busy container host, stays well below. */
  private static final int MAX_FILE_BYTES = 4 << 20;

  private final Path root;

  /** Empty until it could be read; two threads may both read it, and find the same. */
  private volatile OptionalLong pageSizeBytes = OptionalLong.empty();

  /**
   * @param root the directory that holds {@code proc} and {@code sys}
   */
  public Procfs(Path root) {
    this.root = root;
  }

  /** The machine's memory, its dirty pages among it. */
  public Optional<MemInfo> memInfo() {
    return text("/proc/meminfo").map(MemInfo::parse);
  }

  /** The machine's page cache: counters and the thresholds in force. */
  public Optional<VmStat> vmStat() {
    return text("/proc/vmstat").map(text -> VmStat.parse(text, pageSizeBytes()));
  }

  /** What the processors did. */
  public Optional<CpuTimes> cpuTimes() {
    return text("/proc/stat").map(CpuTimes::parse);
  }

  /** This process's reads and writes. Some containers forbid it. */
  public Optional<IoCounters> selfIo() {
    return text("/proc/self/io").map(IoCounters::parse);
  }

  /** This process's page faults. */
  public Optional<FaultCounters> selfFaults() {
    return text("/proc/self/stat").map(FaultCounters::parse);
  }

  /** The kernel's number of the calling thread, for {@link #threadIo}. */
  public OptionalLong threadNumber() {
    return line("/proc/thread-self/stat")
        .map(stat -> KeyedNumbers.parse(stat.split(" ", 2)[0]))
        .orElse(OptionalLong.empty());
  }

  /**
   * The reads and writes of a thread of this process. Some containers forbid it.
   *
   * @param threadNumber as {@link #threadNumber} gave it to that thread
   */
  public Optional<IoCounters> threadIo(long threadNumber) {
    return text("/proc/self/task/" + threadNumber + "/io").map(IoCounters::parse);
  }

  /** {@link #selfIo}, kept open; empty where it is forbidden. The caller closes it. */
  public Optional<IoFile> selfIoFile() {
    return ioFile("/proc/self/io");
  }

  /** {@link #threadIo}, kept open; empty where it is forbidden. The caller closes it. */
  public Optional<IoFile> threadIoFile(long threadNumber) {
    return ioFile("/proc/self/task/" + threadNumber + "/io");
  }

  /** The machine's stalls on input and output. */
  public Optional<Pressure> ioPressure() {
    return text("/proc/pressure/io").map(Pressure::parse);
  }

  /** Memory of this process that is in RAM, file pages it has mapped included. */
  public OptionalLong selfRssBytes() {
    String[] fields = text("/proc/self/statm").orElse("").strip().split(" ");
    return fields.length < 2
        ? OptionalLong.empty()
        : KeyedNumbers.times(KeyedNumbers.parse(fields[1]), pageSizeBytes());
  }

  /** The kernel's settings for dirty pages. */
  public DirtySettings dirtySettings() {
    return new DirtySettings(
        setting("dirty_ratio"),
        setting("dirty_background_ratio"),
        setting("dirty_bytes"),
        setting("dirty_background_bytes"),
        setting("dirty_expire_centisecs"),
        setting("dirty_writeback_centisecs"));
  }

  /** This process's control group; empty when the kernel does not say. */
  public Optional<Cgroup> cgroup() {
    return text("/proc/self/cgroup")
        .flatMap(group -> mounts().map(mounts -> new CgroupReader(this::text).read(group, mounts)));
  }

  /** What this process's control group does; empty when the kernel does not say which it is. */
  public Optional<CgroupStat> cgroupStat() {
    return text("/proc/self/cgroup")
        .flatMap(group -> mounts().map(mounts -> new CgroupReader(this::text).stat(group, mounts)));
  }

  /** The kernel's release, such as {@code 6.12.1}. */
  public Optional<String> kernelRelease() {
    return line("/proc/sys/kernel/osrelease");
  }

  /** The size of a page of memory. */
  public OptionalLong pageSizeBytes() {
    OptionalLong size = pageSizeBytes;
    if (size.isEmpty()) {
      size =
          bytes("/proc/self/auxv")
              .map(auxv -> PageSize.parse(auxv, ByteOrder.nativeOrder()))
              .orElse(OptionalLong.empty());
      pageSizeBytes = size;
    }
    return size;
  }

  /**
   * The file system a file would be found on.
   *
   * @param path absolute and free of links, as {@link Path#toRealPath} gives it
   */
  public Optional<Mount> mountOf(Path path) {
    Mount nearest = null;
    for (Mount mount : mounts().orElse(List.of())) {
      // Of several mounts on one point the last hides the others.
      if (mount.holds(path.toString())
          && (nearest == null || mount.mountPoint().length() >= nearest.mountPoint().length())) {
        nearest = mount;
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** The disk below a file system; empty for one that has none of its own, such as overlay. */
  public Optional<BlockDevice> blockDevice(Mount mount) {
    return real("/sys/dev/block/" + mount.deviceNumber())
        .or(() -> sourceDevice(mount.source()))
        .map(
            device -> {
              // A partition's directory lies inside its disk's.
              Path disk = Files.exists(device.resolve("partition")) ? device.getParent() : device;
              return new BlockDevice(
                  disk.getFileName().toString(),
                  line(disk.resolve("device/model")),
                  line(disk.resolve("queue/rotational")).flatMap(Procfs::flag));
            });
  }

  /** For file systems that span devices, such as btrfs, and so have a number of no device. */
  private Optional<Path> sourceDevice(String source) {
    return source.startsWith("/dev/")
        ? real(source).flatMap(node -> real("/sys/class/block/" + node.getFileName()))
        : Optional.empty();
  }

  private Optional<IoFile> ioFile(String path) {
    try {
      return Optional.of(IoFile.open(below(path)));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Optional<Path> real(String path) {
    try {
      return Optional.of(below(path).toRealPath()).filter(real -> real.getFileName() != null);
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static Optional<Boolean> flag(String digit) {
    return switch (digit) {
      case "0" -> Optional.of(false);
      case "1" -> Optional.of(true);
      default -> Optional.empty();
    };
  }

  private Optional<List<Mount>> mounts() {
    return text("/proc/self/mountinfo").map(Mount::parseAll);
  }

  private OptionalLong setting(String name) {
    return line("/proc/sys/vm/" + name).map(KeyedNumbers::parse).orElse(OptionalLong.empty());
  }

  private Optional<String> line(String path) {
    return text(path).map(String::strip).filter(line -> !line.isEmpty());
  }

  private static Optional<String> line(Path file) {
    return bytes(file).map(Procfs::decode).map(String::strip).filter(line -> !line.isEmpty());
  }

  private Optional<String> text(String path) {
    return bytes(path).map(Procfs::decode);
  }

  private static String decode(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private Optional<byte[]> bytes(String path) {
    try {
      return bytes(below(path));
    } catch (InvalidPathException e) {
      return Optional.empty(); // a path the kernel told, such as a group's, can hold anything
    }
  }

  /** These files tell no size, so the stream is read to its end rather than asked for it. */
  private static Optional<byte[]> bytes(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return Optional.of(in.readNBytes(MAX_FILE_BYTES));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private Path below(String absolutePath) {
    return root.resolve(absolutePath.substring(1));
  }
}
