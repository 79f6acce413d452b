package io.weir.procfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.fakes.DeniedFileSystem;
import io.weir.procfs.ProcessIdentity.Life;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcfsTest {

  private static final OptionalLong ABSENT = OptionalLong.empty();

  @TempDir Path root;

  @Test
  void memInfo_onAModernKernel_isInBytes() {
    assertEquals(
        Optional.of(
            new MemInfo(
                bytes(24684084L << 10), bytes(24063476L << 10), bytes(1228 << 10), bytes(0))),
        Kernels.procfs(Kernels.V6_18_HYBRID).memInfo());
  }

  @Test
  void memInfo_beforeLinux3_14_hasNoMemAvailable() {
    assertEquals(
        Optional.of(
            new MemInfo(bytes(8060548L << 10), ABSENT, bytes(831204L << 10), bytes(12288 << 10))),
        Kernels.procfs(Kernels.V2_6_32).memInfo());
  }

  private void process(String number, long self, char state, long start) throws IOException {
    Path stat = root.resolve("proc/" + number + "/stat");
    Files.createDirectories(stat.getParent());
    Files.writeString(
        stat, "%d (a ) b) %c 1%s %d 7 7\n".formatted(self, state, " 0".repeat(17), start));
  }

  private ProcessIdentity self(String mounts) throws IOException {
    long number = ProcessHandle.current().pid();
    process("self", number, 'S', 4711);
    Files.writeString(root.resolve("proc/self/mountinfo"), mounts);
    Path boot = root.resolve("proc/sys/kernel/random/boot_id");
    Files.createDirectories(boot.getParent());
    Files.writeString(boot, "18a898f7-3a8d-4eba-8de7-57f0e2436599\n");
    Path namespaces = Files.createDirectories(root.resolve("proc/self/ns"));
    Files.createSymbolicLink(namespaces.resolve("pid"), Path.of("pid:[4026531836]"));
    Files.createSymbolicLink(namespaces.resolve("time"), Path.of("time:[4026531834]"));
    ProcessIdentity self = new Procfs(root).self().orElseThrow();
    assertEquals(new ProcessIdentity(number, 4711, "18a898f7", "4026531836.4026531834"), self);
    return self;
  }

  @Test
  void life_isWhatTheKernelShows() throws IOException {
    ProcessIdentity self = self("22 1 0:5 / /proc rw - proc proc rw\n");
    process("7", 7, 'T', 100);
    process("8", 8, 'Z', 100);
    Files.createDirectories(root.resolve("proc/10"));

    assertEquals(Life.ALIVE, life(7, 100, self, self));
    assertEquals(Life.ENDED, life(7, 99, self, self), "its number is used again");
    assertEquals(Life.ENDED, life(8, 100, self, self), "its parent has not asked yet");
    assertEquals(Life.ENDED, life(9, 100, self, self));
    assertEquals(Life.UNKNOWN, life(10, 100, self, self), "its file is denied");
    ProcessIdentity elsewhere = new ProcessIdentity(9, 100, self.boot(), "1.2");
    assertEquals(Life.UNKNOWN, life(9, 100, elsewhere, self));
    ProcessIdentity before = new ProcessIdentity(7, 100, "00000000", self.namespaces());
    assertEquals(Life.EARLIER_BOOT, life(7, 100, before, self));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hidepid=2", "hidepid=invisible", "hidepid=ptraceable", "hidepid=1"})
  void life_whereProcIsHidden_isUnknown(String option) throws IOException {
    ProcessIdentity self = self("22 1 0:5 / /proc rw - proc proc rw," + option + "\n");
    assertEquals(Life.UNKNOWN, life(9, 100, self, self));
  }

  private Life life(long number, long start, ProcessIdentity like, ProcessIdentity self) {
    return new Procfs(root)
        .life(new ProcessIdentity(number, start, like.boot(), like.namespaces()), self);
  }

  @Test
  void self_whereProcIsOfAnotherNamespaceOrMissing_isAbsent() throws IOException {
    assertEquals(Optional.empty(), new Procfs(root).self());
    self("");
    process("self", ProcessHandle.current().pid() + 1, 'S', 4711);
    assertEquals(Optional.empty(), new Procfs(root).self());
  }

  @Test
  void cpuTimes_isTheSumWithoutTheTimeOfGuests_whichIsInIt() {
    assertEquals(
        Optional.of(new CpuTimes(bytes(924269L), bytes(278134), bytes(178))),
        Kernels.procfs(Kernels.V6_18_HYBRID).cpuTimes());
    assertEquals(
        Optional.of(new CpuTimes(bytes(3728311), bytes(5945), bytes(130))),
        Kernels.procfs(Kernels.V2_6_32).cpuTimes());
  }

  @Test
  void vmStat_onAModernKernel_isPagesTimesThePageSize() {
    assertEquals(
        Optional.of(
            new VmStat(
                bytes(377171L * 4096),
                bytes(302324L * 4096),
                bytes(365206L * 4096),
                bytes(1203816L * 4096),
                bytes(601173L * 4096))),
        Kernels.procfs(Kernels.V6_18_HYBRID).vmStat());
  }

  @Test
  void vmStat_beforeLinux2_6_37_hasNoneOfTheFields() {
    assertEquals(
        Optional.of(new VmStat(ABSENT, ABSENT, ABSENT, ABSENT, ABSENT)),
        Kernels.procfs(Kernels.V2_6_32).vmStat());
  }

  @Test
  void vmStat_withPagesOf64KiB_countsThemWhole() {
    assertEquals(
        Optional.of(
            new VmStat(
                bytes(1_000_000L * 65536),
                bytes(999_000L * 65536),
                bytes(5_000L * 65536),
                bytes(389_000L * 65536),
                bytes(194_500L * 65536))),
        Kernels.procfs(Kernels.V5_14_64K).vmStat());
  }

  @Test
  void vmStat_withoutAKnownPageSize_isAbsentRatherThanGuessed() throws IOException {
    write("proc/vmstat", "nr_dirtied 10\nnr_written 10\n");

    assertEquals(
        Optional.of(new VmStat(ABSENT, ABSENT, ABSENT, ABSENT, ABSENT)), new Procfs(root).vmStat());
  }

  @Test
  void vmStat_readsThePageSizeAgain_afterItCouldNotBeRead() throws IOException {
    write("proc/vmstat", "nr_dirtied 10\n");
    Procfs procfs = new Procfs(root);
    procfs.vmStat();
    Files.createDirectories(root.resolve("proc/self"));
    Files.copy(
        Kernels.root(Kernels.V5_14_64K).resolve("proc/self/auxv"), root.resolve("proc/self/auxv"));

    assertEquals(bytes(655_360), procfs.vmStat().orElseThrow().dirtiedBytes());
  }

  @Test
  void selfRss_isResidentPagesTimesThePageSize() {
    assertEquals(bytes(430 * 4096), Kernels.procfs(Kernels.V6_18_HYBRID).selfRssBytes());
    assertEquals(bytes(310 * 65536), Kernels.procfs(Kernels.V5_14_64K).selfRssBytes());
    assertEquals(ABSENT, Kernels.procfs(Kernels.V6_1_CGROUP_V2).selfRssBytes());
  }

  @Test
  void selfIo_isWhatReachesStorage() {
    assertEquals(
        Optional.of(new IoCounters(bytes(5955584), bytes(7368704))),
        Kernels.procfs(Kernels.V6_18_HYBRID).selfIo());
  }

  @Test
  void selfIo_whereTheContainerForbidsIt_isEmpty() {
    assertEquals(Optional.empty(), Kernels.procfs(Kernels.V5_15_CONTAINER).selfIo());
  }

  /** The name of a command is whatever its owner likes. */
  @Test
  void selfFaults_onSeveralKernels_areReadBehindTheName() {
    assertEquals(faults(41_872, 173), Kernels.procfs(Kernels.V6_18_HYBRID).selfFaults());
    assertEquals(faults(9_031, 12), Kernels.procfs(Kernels.V2_6_32).selfFaults());
    assertEquals(faults(120, 4_294_967_296L), Kernels.procfs(Kernels.V4_14_CGROUP_V1).selfFaults());
    assertEquals(faults(77, 0), Kernels.procfs(Kernels.V5_14_64K).selfFaults());
    assertEquals(Optional.empty(), Kernels.procfs(Kernels.V5_15_CONTAINER).selfFaults());
  }

  @Test
  void selfFaults_ofATextThatIsNoneOrCutShort_areAbsent() throws IOException {
    Optional<FaultCounters> absent = Optional.of(new FaultCounters(ABSENT, ABSENT));
    for (String text : List.of("", "7 (java", "7 (java) S 1 7 7 0 -1 4194560 5 0 12", "7 ) (\n")) {
      write("proc/self/stat", text);
      assertEquals(absent, new Procfs(root).selfFaults(), text);
    }
  }

  @Test
  void selfTicks_areThoseOfUserAndKernel() throws IOException {
    assertEquals(bytes(221 + 40), Kernels.procfs(Kernels.V6_18_HYBRID).selfTicks());
    assertEquals(bytes(90 + 21), Kernels.procfs(Kernels.V2_6_32).selfTicks());
    assertEquals(ABSENT, Kernels.procfs(Kernels.V5_15_CONTAINER).selfTicks());
    write("proc/self/stat", "7 (java) S 1 7 7 0 -1 4194560 5 0 12 0 8");
    assertEquals(ABSENT, new Procfs(root).selfTicks());
  }

  @Test
  void ioPressure_readsBothLines() {
    assertEquals(
        Optional.of(new Pressure(bytes(981231234), bytes(900112233))),
        Kernels.procfs(Kernels.V6_1_CGROUP_V2).ioPressure());
  }

  @Test
  void ioPressure_beforeLinux4_20_isEmpty() {
    assertEquals(Optional.empty(), Kernels.procfs(Kernels.V2_6_32).ioPressure());
  }

  @Test
  void threadTimes_areThoseOfItsTwoFiles() throws IOException {
    write("proc/self/task/42/schedstat", "1500 700 12\n");
    write("proc/self/task/42/stat", "42 (Lucene (Merge)) R 1 42");
    write("proc/self/task/43/schedstat", "1 2 3\n");
    write("proc/self/task/43/stat", "43 (sleeps) S 1 42");
    write("proc/self/task/44/schedstat", "1 2 3\n");
    Procfs procfs = new Procfs(root);

    assertEquals(Optional.of(new ThreadTimes(1500, 700, true)), procfs.threadTimes(42));
    assertEquals(Optional.of(new ThreadTimes(1, 2, false)), procfs.threadTimes(43));
    assertEquals(Optional.empty(), procfs.threadTimes(44), "it has ended in between");
    assertEquals(List.of(42L, 43L, 44L), procfs.threadNumbers().stream().sorted().toList());
  }

  @ParameterizedTest
  @CsvSource({
    "0000000000000000, 0, 0, false", // as most processes are
    "0000000000800000, 0, 0, true", // CAP_SYS_NICE
    "000001ffff7fffff, 0, 0, false", // all but that
    "0000000000000000, 19, 0, false",
    "0000000000000000, 20, 0, true", // LimitNICE=+0
    "0000000000000000, 20, -5, false",
    "0000000000000000, 25, -5, true",
    "0000000000000000, 10, 10, true",
    "0000000000000000, unlimited, 0, true",
    "nonsense, 20, 0,", // unknown
  })
  void mayLeaveIdleClass_followsTheKernelsRule(
      String capabilities, String limit, String niceness, Boolean may) throws IOException {
    write("proc/self/status", "Name:\tjava\nCapEff:\t" + capabilities + "\nCapBnd:\t0\n");
    write(
        "proc/self/limits",
        "Limit  Soft Limit  Hard Limit  Units\nMax nice priority         " + limit + "  40\n");
    write(
        "proc/self/stat",
        "7 (java) S 1 7 7 0 -1 4194304 1 0 0 0 1 1 0 0 20 " + niceness + " 30 0 100 1 1");

    assertEquals(Optional.ofNullable(may), new Procfs(root).mayLeaveIdleClass());
  }

  @Test
  void mayLeaveIdleClass_thatIsUnknown_isEmpty() {
    assertEquals(Optional.empty(), new Procfs(root).mayLeaveIdleClass());
  }

  @Test
  void dirtySettings_areAsTheyRead() {
    assertEquals(
        new DirtySettings(
            bytes(20), bytes(10), bytes(0), bytes(0), OptionalLong.of(3000), OptionalLong.of(500)),
        Kernels.procfs(Kernels.V6_18_HYBRID).dirtySettings());
  }

  @Test
  void dirtySettings_missing_areAbsentOneByOne() throws IOException {
    write("proc/sys/vm/dirty_ratio", "40\n");
    write("proc/sys/vm/dirty_bytes", "-1\n");

    assertEquals(
        new DirtySettings(bytes(40), ABSENT, ABSENT, ABSENT, ABSENT, ABSENT),
        new Procfs(root).dirtySettings());
  }

  @Test
  void anyFile_thatVanishesBetweenTwoReads_isEmptyAndComesBack() throws IOException {
    write("proc/meminfo", "Dirty: 4 kB\n");
    Procfs procfs = new Procfs(root);
    assertEquals(bytes(4096), procfs.memInfo().orElseThrow().dirtyBytes());

    Files.delete(root.resolve("proc/meminfo"));
    assertEquals(Optional.empty(), procfs.memInfo());

    write("proc/meminfo", "Dirty: 8 kB\n");
    assertEquals(bytes(8192), procfs.memInfo().orElseThrow().dirtyBytes());
  }

  @Test
  void anyFile_thatIsADirectory_isEmpty() throws IOException {
    Files.createDirectories(root.resolve("proc/meminfo"));

    assertEquals(Optional.empty(), new Procfs(root).memInfo());
  }

  @Test
  void everything_onASystemWithoutTheseFiles_isAbsent() {
    Procfs procfs = new Procfs(root);

    assertEquals(Optional.empty(), procfs.memInfo());
    assertEquals(Optional.empty(), procfs.vmStat());
    assertEquals(Optional.empty(), procfs.selfIo());
    assertEquals(Optional.empty(), procfs.selfFaults());
    assertEquals(Optional.empty(), procfs.ioPressure());
    assertEquals(ABSENT, procfs.selfRssBytes());
    assertEquals(ABSENT, procfs.pageSizeBytes());
    assertEquals(
        new DirtySettings(ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT), procfs.dirtySettings());
    assertEquals(Optional.empty(), procfs.cgroup());
    assertEquals(Optional.empty(), procfs.kernelRelease());
    assertEquals(Optional.empty(), procfs.mountOf(Path.of("/")));
  }

  /** As under a security manager, or in an engine with entitlements. */
  @Test
  void denied_isAbsentWithTheReason() throws IOException {
    write("proc/meminfo", "Dirty: 1 kB\n");
    write("proc/self/io", "read_bytes: 1\n");
    write("proc/self/cgroup", "0::/\n");
    write("sys/dev/block/8:1/partition", "1\n");
    for (RuntimeException refusal :
        List.of(new SecurityException("access denied"), new RuntimeException("not entitled"))) {
      Procfs procfs = new Procfs(DeniedFileSystem.withoutFiles(root, refusal));
      assertEquals(Optional.empty(), procfs.denial());
      assertEquals(Optional.empty(), procfs.memInfo());
      assertEquals(Optional.of(denial(refusal)), procfs.denial());
      assertEquals(Optional.empty(), procfs.vmStat());
      assertEquals(Optional.empty(), procfs.cpuTimes());
      assertEquals(ABSENT, procfs.selfTicks());
      assertEquals(Optional.empty(), procfs.selfIo());
      assertEquals(Optional.empty(), procfs.selfFaults());
      assertEquals(ABSENT, procfs.threadNumber());
      assertEquals(Optional.empty(), procfs.threadIo(1));
      assertEquals(Optional.empty(), procfs.threadTimes(1));
      assertEquals(List.of(), procfs.threadNumbers());
      assertEquals(Optional.empty(), procfs.mayLeaveIdleClass());
      assertEquals(Optional.empty(), procfs.ioPressure());
      assertEquals(ABSENT, procfs.selfRssBytes());
      assertEquals(ABSENT, procfs.pageSizeBytes());
      assertEquals(Optional.empty(), procfs.cgroup());
      assertEquals(Optional.empty(), procfs.cgroupStat());
      assertEquals(Optional.empty(), procfs.kernelRelease());
      assertEquals(Optional.empty(), procfs.mountOf(Path.of("/")));
      assertEquals(
          Optional.of(new BlockDevice("8:1", Optional.empty(), Optional.empty())),
          procfs.blockDevice(new Mount("8:1", "/", "/", "ext4", "/dev/sda1", List.of("rw"))));
      assertEquals(Optional.of(denial(refusal)), procfs.denial(), "the first");
    }
  }

  private String denial(RuntimeException refusal) {
    return root.resolve("proc/meminfo") + ": " + refusal;
  }

  @Test
  void kernelRelease_isOneLineWithoutItsEnd() {
    assertEquals(
        Optional.of("5.14.0-427.el9.aarch64+64k"),
        Kernels.procfs(Kernels.V5_14_64K).kernelRelease());
    assertFalse(
        Kernels.procfs(Kernels.V6_1_CGROUP_V2).kernelRelease().orElseThrow().contains("\n"));
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static Optional<FaultCounters> faults(long minor, long major) {
    return Optional.of(new FaultCounters(OptionalLong.of(minor), OptionalLong.of(major)));
  }

  private static OptionalLong bytes(long bytes) {
    return OptionalLong.of(bytes);
  }

  /** A process of a container, which has its own number, mounts and group there. */
  @Test
  void of_anotherProcess_readsThatOne() throws IOException {
    process("4711", 4711, 'S', 1);
    Path directory = root.resolve("proc/4711");
    Files.writeString(directory.resolve("status"), "Name:\tjava\nNSpid:\t4711\t17\n");
    Files.writeString(
        directory.resolve("mountinfo"),
        "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n2 1 8:2 / /data rw - xfs /dev/sdb rw\n");
    Files.createDirectories(directory.resolve("task/18"));
    Files.writeString(directory.resolve("task/18/stat"), "18 (merge) D 1 0\n");
    Files.createDirectories(directory.resolve("task/19"));
    Files.writeString(directory.resolve("task/19/stat"), "19 (merge) S 1 0\n");
    Files.createDirectories(directory.resolve("fd"));
    Files.createSymbolicLink(directory.resolve("fd/3"), Path.of("/data/_1.cfs"));
    Files.createSymbolicLink(directory.resolve("fd/4"), Path.of("socket:[1]"));
    Procfs other = new Procfs(root).of(4711);

    assertEquals(true, other.isAlive());
    assertEquals(OptionalLong.of(17), other.innerNumber());
    assertEquals("xfs", other.mountOf(Path.of("/data/index")).orElseThrow().fileSystemType());
    assertEquals(List.of("/data/_1.cfs"), other.openFiles());
    assertEquals(true, other.waitOf(18).isForDisk());
    assertFalse(other.waitOf(19).isForDisk());
    assertFalse(other.waitOf(20).isForDisk());
    Files.writeString(directory.resolve("task/18/wchan"), "balance_dirty_pages");
    Files.writeString(directory.resolve("task/19/wchan"), "0");
    assertEquals(Optional.of("balance_dirty_pages"), other.waitOf(18).function());
    assertEquals(Optional.empty(), other.waitOf(19).function(), "it runs, or the kernel hides it");
    assertEquals(Optional.empty(), other.waitOf(20).function());
    assertEquals(Optional.empty(), other.fileMappings());
    process("4711", 4711, 'Z', 1);
    assertFalse(other.isAlive());
    assertFalse(new Procfs(root).of(4712).isAlive());
  }

  @Test
  void mappedFiles_ofAnIndex_haveTheirPlaces() throws IOException {
    Path directory = Files.createDirectories(root.resolve("proc/self"));
    Files.writeString(
        directory.resolve("maps"),
        """
        7ff2d83e3000-7ff2d8424000 r--s 00000000 fe:00 9979386                    /data/my index/_g.cfs
        7ff2d8424000-7ff2d8428000 ---p 00000000 00:00 0
        7ff2d8428000-7ff2d8429000 r--s 00001000 fe:00 9979387                    /data/_h.fdt
        ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
        """);

    assertEquals(
        List.of(
            new MappedFile("/data/my index/_g.cfs", 0x7ff2d83e3000L, 0, 266240),
            new MappedFile("/data/_h.fdt", 0x7ff2d8428000L, 4096, 4096)),
        new Procfs(root).mappedFiles().orElseThrow());
    assertEquals(Optional.empty(), new Procfs(root).of(7).mappedFiles());

    // Bit 63 says that a page is present; bit 62 that it is swapped out.
    ByteBuffer entries = ByteBuffer.allocate(4 * Long.BYTES).order(ByteOrder.nativeOrder());
    entries.putLong(1L << 62).putLong(-1).putLong(0).putLong(1L << 63);
    Files.write(directory.resolve("pagemap"), entries.array());
    try (PageTables tables = new Procfs(root).pageTables().orElseThrow()) {
      assertEquals(new Procfs(root).mappedFiles().orElseThrow(), tables.mappedFiles());
      List<Long> present = new ArrayList<>();
      tables.present(1, 3, present::add);
      assertEquals(List.of(0L, 2L), present);
      assertThrows(EOFException.class, () -> tables.present(3, 2, page -> {}));
    }
    assertEquals(Optional.empty(), new Procfs(root).of(7).pageTables());
  }

  /** Two mappings of an index and the memory between them, as Linux 6.18 shows them, cut short. */
  @Test
  void fileMappings_ofAnIndex_haveTheirAdvice() throws IOException {
    Path directory = Files.createDirectories(root.resolve("proc/7"));
    Files.writeString(
        directory.resolve("smaps"),
        """
        7ff2d83e3000-7ff2d8424000 r--s 00000000 fe:00 9979386                    /data/my index/_g.cfs
        Size:                260 kB
        VmFlags: rd mr me ms
        7ff2d8424000-7ff2d8428000 ---p 00000000 00:00 0
        Size:                 16 kB
        VmFlags: mr mw me ac
        7ff2d8428000-7ff2d8429000 r--s 00001000 fe:00 9979387                    /data/_h.fdt
        VmFlags: rd mr me ms rr
        7ff2d8429000-7ff2d842a000 r--s 00001000 fe:00 9979388                    /data/_i.fdt (deleted)
        VmFlags: rd mr me ms sr
        """);
    FileMappings mappings = new Procfs(root).of(7).fileMappings().orElseThrow();

    assertEquals(
        List.of(
            new FileMappings.One("/data/my index/_g.cfs", 266240, FileMappings.Advice.NONE),
            new FileMappings.One("/data/_h.fdt", 4096, FileMappings.Advice.RANDOM),
            new FileMappings.One("/data/_i.fdt (deleted)", 4096, FileMappings.Advice.SEQUENTIAL)),
        mappings.mappings());
    assertEquals(true, mappings.isWhole());
  }
}
