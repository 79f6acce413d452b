package io.weir.procfs;

import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the Linux kernel's text files below {@code /proc} and {@code /sys}.
 *
 * <p><b>Units:</b> bytes, unless a name says otherwise.
 *
 * <p><b>Threads:</b> any. Each call reads its files again, except for the page size, which is
 * cached. A call costs tens of microseconds and allocates some tens of kilobytes; it is meant for
 * about ten calls a second.
 *
 * <p><b>Failure:</b> no method throws. A file that is missing, unreadable or has vanished gives an
 * empty result. A line that is missing or malformed gives an absent field. On a system without
 * these files everything is absent. The same holds if a security policy denies access; that is
 * logged once, and {@link #denial} returns the reason.
 */
public final class Procfs {

  private static final int USER_TIME_FIELD = 11;
  private static final int SYSTEM_TIME_FIELD = 12;
  private static final int NICENESS_FIELD = 16;
  private static final int CAP_SYS_NICE = 23;
  private static final int NICE_WIDTH = 20;

  /** The machine this runs on. */
  public static final Procfs SYSTEM = new Procfs(Path.of("/"));

  private static final String SELF = "/proc/self";
  private static final int MAX_FILES = 20_000;

  private final KernelFiles files;

  /** The directory of the process whose figures are read. */
  private final String self;

  /** Empty until it was read; if two threads read it concurrently, both find the same value. */
  private volatile OptionalLong pageSizeBytes = OptionalLong.empty();

  /**
   * @param root the directory that contains {@code proc} and {@code sys}
   */
  public Procfs(Path root) {
    this(new KernelFiles(Objects.requireNonNull(root, "root")), SELF);
  }

  private Procfs(KernelFiles files, String self) {
    this.files = files;
    this.self = self;
  }

  /**
   * The same kernel, with another process in place of this one: what is said of "this process" is
   * then that one's, as far as it may be read. Its calling thread has no figures there.
   *
   * @param processNumber the number of the process in the namespace of this one
   */
  public Procfs of(long processNumber) {
    return new Procfs(files, "/proc/" + processNumber);
  }

  /** Whether the process is there and has not ended. */
  public boolean isAlive() {
    return files.text(self + "/stat").flatMap(ProcessStat::parse).stream()
        .anyMatch(stat -> !stat.hasEnded());
  }

  /**
   * The number of the process in its own namespace, which is another than here if it is in a
   * container; empty if the kernel does not say.
   */
  public OptionalLong innerNumber() {
    return innerNumber(self);
  }

  private OptionalLong innerNumber(String directory) {
    return files
        .text(directory + "/status")
        .flatMap(status -> status.lines().filter(line -> line.startsWith("NSpid:")).findFirst())
        .map(line -> KeyedNumbers.parse(line.substring(line.lastIndexOf('\t') + 1).strip()))
        .orElse(OptionalLong.empty());
  }

  /** What a thread waits for; it may have ended. */
  public ThreadWait waitOf(long threadNumber) {
    return new ThreadWait(files, self + "/task/" + threadNumber);
  }

  /** The number of a thread in the namespace of the process; empty if the kernel does not say. */
  public OptionalLong innerNumber(long threadNumber) {
    return innerNumber(self + "/task/" + threadNumber);
  }

  /** The files that the process has open, in the order of their descriptors; at most 20,000. */
  public List<String> openFiles() {
    return files.names(self + "/fd").stream()
        .limit(MAX_FILES)
        .flatMap(number -> files.link(self + "/fd/" + number).stream())
        .filter(name -> name.startsWith("/"))
        .toList();
  }

  /**
   * The open files of the process's address space; empty if access is denied. The caller closes it.
   */
  public Optional<PageTables> pageTables() {
    return files.pageTables(self + "/maps", self + "/pagemap");
  }

  /**
   * The files that the process has mapped, those in the first 4 MB of what the kernel says. Empty
   * if it may not be read.
   */
  public Optional<List<MappedFile>> mappedFiles() {
    return files.text(self + "/maps").map(MappedFile::all);
  }

  /**
   * The files that the process has mapped, with its advice. The kernel visits each page of them:
   * ask once, not often. Empty if it may not be read.
   */
  public Optional<FileMappings> fileMappings() {
    return files.text(self + "/smaps").map(FileMappings::parse);
  }

  /** A setting below {@code /proc/sys/vm}, such as {@code max_map_count}. */
  public OptionalLong memorySetting(String name) {
    return setting(Objects.requireNonNull(name, "name"));
  }

  /** What a disk has done since boot; empty if the kernel does not say. */
  public Optional<DeviceIo> deviceIo(BlockDevice device) {
    Objects.requireNonNull(device, "device");
    return files.line("/sys/class/block/" + device.name() + "/stat").flatMap(DeviceIo::parse);
  }

  /** The first denied file, with the exception; empty if nothing has been denied so far. */
  public Optional<String> denial() {
    return files.denial();
  }

  /** The machine's memory, including its dirty pages. */
  public Optional<MemInfo> memInfo() {
    return files.text("/proc/meminfo").map(MemInfo::parse);
  }

  /** The machine's page cache: counters and the thresholds in force. */
  public Optional<VmStat> vmStat() {
    return files.text("/proc/vmstat").map(text -> VmStat.parse(text, pageSizeBytes()));
  }

  /** The times of the processors. */
  public Optional<CpuTimes> cpuTimes() {
    return files.text("/proc/stat").map(CpuTimes::parse);
  }

  /** This process's reads and writes. Some containers deny access. */
  public Optional<IoCounters> selfIo() {
    return files.text(self + "/io").map(IoCounters::parse);
  }

  /** This process's page faults. */
  public Optional<FaultCounters> selfFaults() {
    return files.text(self + "/stat").map(FaultCounters::parse);
  }

  /** The processor time of all threads of this process, ended ones included, in ticks. */
  public OptionalLong selfTicks() {
    String[] fields = files.text(self + "/stat").map(ProcessStat::fields).orElse(new String[0]);
    if (fields.length <= SYSTEM_TIME_FIELD) {
      return OptionalLong.empty();
    }
    OptionalLong user = KeyedNumbers.parse(fields[USER_TIME_FIELD]);
    OptionalLong system = KeyedNumbers.parse(fields[SYSTEM_TIME_FIELD]);
    return user.isPresent() && system.isPresent()
        ? OptionalLong.of(user.getAsLong() + system.getAsLong())
        : OptionalLong.empty();
  }

  /** The kernel's id of the calling thread, for {@link #threadIo}. */
  public OptionalLong threadNumber() {
    return files
        .line("/proc/thread-self/stat")
        .map(stat -> KeyedNumbers.parse(stat.split(" ", 2)[0]))
        .orElse(OptionalLong.empty());
  }

  /**
   * The reads and writes of a thread of this process. Some containers deny access.
   *
   * @param threadNumber the value that {@link #threadNumber} returned to that thread
   */
  public Optional<IoCounters> threadIo(long threadNumber) {
    return files.text(self + "/task/" + threadNumber + "/io").map(IoCounters::parse);
  }

  /** The kernel's numbers of all threads of this process; none if they cannot be read. */
  public List<Long> threadNumbers() {
    return files.names(self + "/task").stream()
        .map(KeyedNumbers::parse)
        .flatMapToLong(OptionalLong::stream)
        .boxed()
        .toList();
  }

  /**
   * What a thread of this process has had of the processors; empty if it has ended, or if the
   * kernel keeps no such figures.
   *
   * @param threadNumber the value that {@link #threadNumber} returned to that thread
   */
  public Optional<ThreadTimes> threadTimes(long threadNumber) {
    String thread = self + "/task/" + threadNumber;
    return files
        .text(thread + "/schedstat")
        .flatMap(
            times -> files.text(thread + "/stat").flatMap(stat -> ThreadTimes.parse(times, stat)));
  }

  /**
   * Whether a thread of this process that has entered the class {@code SCHED_IDLE} may leave it
   * again: with CAP_SYS_NICE, or if the limit of niceness covers that of the process; empty if the
   * kernel does not say. (sched(7), getrlimit(2): a limit of 20 allows a niceness of 0.)
   */
  public Optional<Boolean> mayLeaveIdleClass() {
    Optional<String> capabilities =
        files.text("/proc/self/status").flatMap(status -> after("CapEff:", status));
    Optional<String> limit =
        files.text("/proc/self/limits").flatMap(limits -> after("Max nice priority", limits));
    Optional<String> niceness =
        files
            .text("/proc/self/stat")
            .map(ProcessStat::fields)
            .filter(fields -> fields.length > NICENESS_FIELD)
            .map(fields -> fields[NICENESS_FIELD]);
    try {
      boolean isCapable =
          capabilities.isPresent()
              && (Long.parseUnsignedLong(capabilities.get(), 16) >> CAP_SYS_NICE & 1) == 1;
      if (!isCapable && (capabilities.isEmpty() || limit.isEmpty() || niceness.isEmpty())) {
        return Optional.empty();
      }
      return Optional.of(
          isCapable
              || limit.get().equals("unlimited")
              || NICE_WIDTH - Long.parseLong(niceness.get()) <= Long.parseLong(limit.get()));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  /** The first word after a text that begins a line. */
  private static Optional<String> after(String start, String text) {
    return text.lines()
        .filter(line -> line.startsWith(start))
        .map(line -> line.substring(start.length()).strip().split("\\s+", 2)[0])
        .findFirst();
  }

  /** The open file of {@link #selfIo}; empty if access is denied. The caller closes it. */
  public Optional<IoFile> selfIoFile() {
    return files.ioFile(self + "/io");
  }

  /** The open file of {@link #threadIo}; empty if access is denied. The caller closes it. */
  public Optional<IoFile> threadIoFile(long threadNumber) {
    return files.ioFile(self + "/task/" + threadNumber + "/io");
  }

  /**
   * This process; empty if the kernel does not say, or if {@code /proc} is not of its namespace.
   */
  public Optional<ProcessIdentity> self() {
    Optional<ProcessStat> stat = files.text("/proc/self/stat").flatMap(ProcessStat::parse);
    Optional<String> boot = files.line("/proc/sys/kernel/random/boot_id");
    Optional<String> numbers = files.link("/proc/self/ns/pid");
    long number = ProcessHandle.current().pid();
    if (stat.isEmpty() || boot.isEmpty() || numbers.isEmpty() || stat.get().number() != number) {
      return Optional.empty();
    }
    String namespaces =
        numbers.get() + files.link("/proc/self/ns/time").map(time -> "." + time).orElse("");
    return Optional.of(
        new ProcessIdentity(
            number,
            stat.get().startTicks(),
            boot.get().split("-", 2)[0],
            namespaces.replaceAll("[^0-9.]", "")));
  }

  /**
   * Whether a process has ended.
   *
   * @param self the value of {@link #self}
   */
  public ProcessIdentity.Life life(ProcessIdentity process, ProcessIdentity self) {
    Objects.requireNonNull(process, "process");
    Objects.requireNonNull(self, "self");
    if (!process.boot().equals(self.boot())) {
      return ProcessIdentity.Life.EARLIER_BOOT;
    }
    if (!process.namespaces().equals(self.namespaces()) || hidesProcesses()) {
      return ProcessIdentity.Life.UNKNOWN;
    }
    String directory = "/proc/" + process.number();
    Optional<ProcessStat> stat = files.text(directory + "/stat").flatMap(ProcessStat::parse);
    if (stat.isEmpty()) {
      return files.exists(directory) ? ProcessIdentity.Life.UNKNOWN : ProcessIdentity.Life.ENDED;
    }
    return stat.get().hasEnded() || stat.get().startTicks() != process.startTicks()
        ? ProcessIdentity.Life.ENDED
        : ProcessIdentity.Life.ALIVE;
  }

  /** Whether {@code /proc} may lack processes of other users (the option {@code hidepid}). */
  private boolean hidesProcesses() {
    return mounts().orElse(List.of()).stream()
        .filter(mount -> mount.mountPoint().equals("/proc"))
        .flatMap(mount -> mount.superOptions().stream())
        .anyMatch(
            option ->
                option.startsWith("hidepid=")
                    && !option.equals("hidepid=0")
                    && !option.equals("hidepid=off"));
  }

  /** The machine's stalls on input and output. */
  public Optional<Pressure> ioPressure() {
    return files.text("/proc/pressure/io").map(Pressure::parse);
  }

  /** Resident memory of this process, including mapped file pages. */
  public OptionalLong selfRssBytes() {
    String[] fields = files.text(self + "/statm").orElse("").strip().split(" ");
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

  /** This process's control group; empty when unknown. */
  public Optional<Cgroup> cgroup() {
    return files
        .text(self + "/cgroup")
        .flatMap(
            group -> mounts().map(mounts -> new CgroupReader(files::text).read(group, mounts)));
  }

  /** The figures of this process's control group; empty when the group is unknown. */
  public Optional<CgroupStat> cgroupStat() {
    return files
        .text(self + "/cgroup")
        .flatMap(
            group ->
                mounts()
                    .map(
                        mounts ->
                            new CgroupReader(files::text).stat(group, mounts, pageSizeBytes())));
  }

  /**
   * The periods of the processor quotas of this process's control group and of its visible
   * ancestors, its own first; without those of which the kernel says none.
   */
  public List<CpuPeriods> cpuPeriods() {
    Optional<String> group = files.text(self + "/cgroup");
    Optional<List<Mount>> mounts = mounts();
    return group.isPresent() && mounts.isPresent()
        ? new CgroupReader(files::text).cpuPeriods(group.get(), mounts.get())
        : List.of();
  }

  /** What this process's control group may do on a disk; without limits if that is unknown. */
  public IoLimit ioLimit(BlockDevice device) {
    Objects.requireNonNull(device, "device");
    Optional<String> number = files.line("/sys/class/block/" + device.name() + "/dev");
    Optional<String> group = files.text(self + "/cgroup");
    Optional<List<Mount>> mounts = mounts();
    return number.isPresent() && group.isPresent() && mounts.isPresent()
        ? new CgroupReader(files::text).ioLimit(group.get(), mounts.get(), number.get())
        : IoLimit.NONE;
  }

  /** {@link DeviceIo#queueMillis} of a disk; empty if the kernel does not say. */
  public OptionalLong queueMillis(BlockDevice device) {
    Objects.requireNonNull(device, "device");
    return deviceIo(device).map(DeviceIo::queueMillis).orElse(OptionalLong.empty());
  }

  /** The kernel's release, such as {@code 6.12.1}. */
  public Optional<String> kernelRelease() {
    return files.line("/proc/sys/kernel/osrelease");
  }

  /** The size of a page of memory. */
  public OptionalLong pageSizeBytes() {
    OptionalLong size = pageSizeBytes;
    if (size.isEmpty()) {
      size =
          files
              .bytes("/proc/self/auxv")
              .map(auxv -> PageSize.parse(auxv, ByteOrder.nativeOrder()))
              .orElse(OptionalLong.empty());
      pageSizeBytes = size;
    }
    return size;
  }

  /**
   * The file system that contains a path.
   *
   * @param path absolute and free of links, as {@link Path#toRealPath} gives it
   */
  public Optional<Mount> mountOf(Path path) {
    Objects.requireNonNull(path, "path");
    String name = kernelsName(path);
    return files.text(self + "/mountinfo").map(Mount::visible).orElse(List.of()).stream()
        .filter(mount -> mount.holds(name))
        .max(Comparator.comparingInt(mount -> mount.mountPoint().length()));
  }

  /** A path as text. Java has its bytes, but no text for those that are not of the locale. */
  private static String kernelsName(Path path) {
    String name = path.toString();
    return name.indexOf('\uFFFD') < 0 ? name : path.toUri().getPath();
  }

  /** The disk of a file system; empty for one without a disk of its own, such as overlay. */
  public Optional<BlockDevice> blockDevice(Mount mount) {
    Objects.requireNonNull(mount, "mount");
    return files
        .real("/sys/dev/block/" + mount.deviceNumber())
        .or(() -> sourceDevice(mount.source()))
        .map(
            device -> {
              // A partition's directory is inside its disk's.
              Path disk = files.exists(device.resolve("partition")) ? device.getParent() : device;
              return new BlockDevice(
                  disk.getFileName().toString(),
                  files.line(disk.resolve("device/model")),
                  files.line(disk.resolve("queue/rotational")).flatMap(Procfs::flag));
            });
  }

  /** For file systems that span devices, such as btrfs, whose number belongs to no device. */
  private Optional<Path> sourceDevice(String source) {
    return source.startsWith("/dev/")
        ? files.real(source).flatMap(node -> files.real("/sys/class/block/" + node.getFileName()))
        : Optional.empty();
  }

  private static Optional<Boolean> flag(String digit) {
    return switch (digit) {
      case "0" -> Optional.of(false);
      case "1" -> Optional.of(true);
      default -> Optional.empty();
    };
  }

  /** Those of this process, also where another's group is looked for. */
  private Optional<List<Mount>> mounts() {
    return files.text("/proc/self/mountinfo").map(Mount::visible);
  }

  private OptionalLong setting(String name) {
    return files.line("/proc/sys/vm/" + name).map(KeyedNumbers::parse).orElse(OptionalLong.empty());
  }
}
