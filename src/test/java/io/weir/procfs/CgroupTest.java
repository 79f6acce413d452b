package io.weir.procfs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CgroupTest {

  private static final String V2_MOUNT =
      "31 22 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n";
  private static final String V1_MOUNT =
      "40 34 0:35 / /sys/fs/cgroup/memory rw shared:16 - cgroup cgroup rw,memory\n";

  @Test
  void cgroup_v1InAContainer_readsTheLimitAtTheMountPoint() {
    assertEquals(
        cgroup(CgroupVersion.V1, OptionalLong.of(2L << 30)),
        Kernels.procfs(Kernels.V4_14_CGROUP_V1).cgroup());
  }

  @Test
  void cgroup_v2BelowALimitedSlice_hasTheSlicesLimit() {
    assertEquals(
        cgroup(CgroupVersion.V2, OptionalLong.of(8L << 30)),
        Kernels.procfs(Kernels.V6_1_CGROUP_V2).cgroup());
  }

  @Test
  void cgroup_v2WithItsOwnNamespace_readsTheLimitAtTheMountPoint() {
    assertEquals(
        cgroup(CgroupVersion.V2, OptionalLong.of(512L << 20)),
        Kernels.procfs(Kernels.V5_15_CONTAINER).cgroup());
  }

  @Test
  void cgroup_hybrid_takesTheMemoryControllerWhereItIs() {
    assertEquals(
        cgroup(CgroupVersion.HYBRID, OptionalLong.of(1L << 30)),
        Kernels.procfs(Kernels.V5_4_HYBRID).cgroup());
  }

  @Test
  void cgroup_v1WithoutALimit_hasNone() {
    assertEquals(
        cgroup(CgroupVersion.HYBRID, OptionalLong.empty()),
        Kernels.procfs(Kernels.V6_18_HYBRID).cgroup());
  }

  @Test
  void cgroup_withNoHierarchyMounted_isNone() {
    assertEquals(
        cgroup(CgroupVersion.NONE, OptionalLong.empty()), Kernels.procfs(Kernels.V2_6_32).cgroup());
  }

  @Test
  void cgroup_onAKernelThatDoesNotSay_isEmpty() {
    assertEquals(Optional.empty(), Kernels.procfs(Kernels.V5_14_64K).cgroup());
  }

  @Test
  void read_v2WithSeveralLimits_takesTheTightest() {
    assertEquals(
        OptionalLong.of(100),
        limit(
            "0::/a/b/c\n",
            V2_MOUNT,
            Map.of(
                "/sys/fs/cgroup/a/memory.max", "100\n",
                "/sys/fs/cgroup/a/b/memory.max", "max\n",
                "/sys/fs/cgroup/a/b/c/memory.max", "300\n")));
  }

  @Test
  void read_v1WithoutMemoryStat_fallsBackToTheGroupsOwnLimit() {
    assertEquals(
        OptionalLong.of(700),
        limit(
            "4:cpu,memory:/jobs\n",
            V1_MOUNT,
            Map.of("/sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "700\n")));
  }

  @Test
  void read_v1NoLimitOfKernelsBefore3_19_hasNone() {
    for (String unlimited : new String[] {"9223372036854775807\n", "18446744073709551615\n"}) {
      assertEquals(
          OptionalLong.empty(),
          limit(
              "4:memory:/\n",
              V1_MOUNT,
              Map.of("/sys/fs/cgroup/memory/memory.limit_in_bytes", unlimited)));
    }
  }

  @Test
  void read_ofAGroupOutsideTheNamespace_asksTheMountPoint() {
    assertEquals(
        OptionalLong.of(7),
        limit(
            "4:memory:/../other\n",
            V1_MOUNT,
            Map.of("/sys/fs/cgroup/memory/memory.limit_in_bytes", "7\n")));
    assertEquals(
        OptionalLong.of(5),
        limit("0::/../other\n", V2_MOUNT, Map.of("/sys/fs/cgroup/memory.max", "5\n")));
  }

  @Test
  void read_v1MountOfAnotherSubtree_asksTheMountPoint() {
    assertEquals(
        OptionalLong.of(9),
        limit(
            "4:memory:/jobs-two\n",
            "40 34 0:35 /jobs /cg rw - cgroup cgroup rw,memory\n",
            Map.of("/cg/memory.limit_in_bytes", "9\n", "/cg-two/memory.limit_in_bytes", "1\n")));
  }

  @Test
  void stat_v1_addsTheGroupsBelow_andHasNoPressure() {
    assertEquals(
        new CgroupStat(
            OptionalLong.of(5), OptionalLong.of(6), OptionalLong.empty(), Optional.empty()),
        stat(
            "4:memory:/jobs\n",
            V1_MOUNT,
            Map.of(
                "/sys/fs/cgroup/memory/jobs/memory.stat",
                "dirty 1\nwriteback 2\ntotal_dirty 5\ntotal_writeback 6\n",
                "/sys/fs/cgroup/memory/jobs/io.pressure",
                "some avg10=0.00 avg60=0.00 avg300=0.00 total=9\n")));
  }

  @Test
  void stat_v2_readsItsOwnGroup() {
    assertEquals(
        new CgroupStat(
            OptionalLong.of(4096),
            OptionalLong.of(0),
            OptionalLong.of(8 * 4096),
            Optional.of(new Pressure(OptionalLong.of(9), OptionalLong.of(3)))),
        stat(
            "0::/a/b\n",
            V2_MOUNT,
            Map.of(
                "/sys/fs/cgroup/a/memory.stat", "file_dirty 1\n",
                "/sys/fs/cgroup/a/b/memory.stat",
                    "file_mapped 7\nfile_dirty 4096\nfile_writeback 0\n"
                        + "workingset_refault_anon 3\nworkingset_refault_file 8\n",
                "/sys/fs/cgroup/a/b/io.pressure",
                    "some avg10=0.00 avg60=0.00 avg300=0.00 total=9\n"
                        + "full avg10=0.00 avg60=0.00 avg300=0.00 total=3\n")));
  }

  @Test
  void stat_hybrid_takesMemoryFromV1AndPressureFromV2() {
    assertEquals(
        new CgroupStat(
            OptionalLong.of(5),
            OptionalLong.empty(),
            OptionalLong.of(2 * 4096),
            Optional.of(new Pressure(OptionalLong.of(9), OptionalLong.empty()))),
        stat(
            "4:memory:/jobs\n0::/a\n",
            V1_MOUNT + V2_MOUNT,
            Map.of(
                "/sys/fs/cgroup/memory/jobs/memory.stat",
                    "workingset_refault_file 1\ntotal_dirty 5\ntotal_workingset_refault_file 2\n",
                "/sys/fs/cgroup/a/memory.stat", "file_dirty 1\nfile_writeback 1\n",
                "/sys/fs/cgroup/a/io.pressure", "some avg10=0.00 total=9\n")));
  }

  @Test
  void stat_ofAKernelThatTellsNothing_isAllAbsent() {
    assertEquals(
        new CgroupStat(
            OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), Optional.empty()),
        stat("0::/\n", V2_MOUNT, Map.of()));
    assertEquals(Optional.empty(), Kernels.procfs(Kernels.V5_14_64K).cgroupStat());
  }

  @Test
  void stat_ofEachKernel_hasWhatWasReadAgainWhereItIsTold() {
    assertEquals(OptionalLong.of(348 * 4096), refaultedBytes(Kernels.V6_18_HYBRID));
    assertEquals(OptionalLong.empty(), refaultedBytes(Kernels.V4_14_CGROUP_V1));
    assertEquals(OptionalLong.empty(), refaultedBytes(Kernels.V5_4_HYBRID));
    assertEquals(OptionalLong.empty(), refaultedBytes(Kernels.V6_1_CGROUP_V2));
  }

  /** One key until then counted files only, because no other page was known to be read again. */
  @Test
  void stat_v2BeforeLinux5_9_hasItUnderTheOlderKey() {
    assertEquals(
        OptionalLong.of(3 * 4096),
        stat(
                "0::/a\n",
                V2_MOUNT,
                Map.of(
                    "/sys/fs/cgroup/a/memory.stat",
                    "workingset_refault 3\nworkingset_activate 2\n"))
            .refaultedBytes());
  }

  @Test
  void stat_withoutAPageSize_doesNotGuessTheBytesOfPages() {
    CgroupStat stat =
        new CgroupReader(path -> Optional.of("file_dirty 5\nworkingset_refault_file 8\n"))
            .stat("0::/a\n", Mount.visible(V2_MOUNT), OptionalLong.empty());

    assertEquals(OptionalLong.empty(), stat.refaultedBytes());
    assertEquals(OptionalLong.of(5), stat.dirtyBytes());
  }

  /** The text of Linux 6.18, and of a parent whose quota has not been reached. */
  @Test
  void cpuPeriods_v1_areOfTheGroupAndThoseAboveIt() {
    assertEquals(
        List.of(new CpuPeriods(37, 13), new CpuPeriods(9, 1)),
        cpuPeriods(
            "4:cpu,cpuacct:/pod/jobs\n",
            "40 34 0:35 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n" + V2_MOUNT,
            Map.of(
                "/sys/fs/cgroup/cpu/pod/jobs/cpu.stat",
                "nr_periods 37\nnr_throttled 13\nthrottled_time 93376485\n"
                    + "nr_bursts 0\nburst_time 0\n",
                "/sys/fs/cgroup/cpu/pod/cpu.stat",
                "nr_periods 9\nnr_throttled 1\nthrottled_time 5\n")));
  }

  @Test
  void cpuPeriods_v2_areAbsentWithoutTheController() {
    assertEquals(
        List.of(new CpuPeriods(5, 2)),
        cpuPeriods(
            "0::/a\n",
            V2_MOUNT,
            Map.of(
                "/sys/fs/cgroup/a/cpu.stat",
                "usage_usec 9\nnr_periods 5\nnr_throttled 2\nthrottled_usec 1500\n",
                "/sys/fs/cgroup/cpu.stat",
                "usage_usec 90\n")));
    assertEquals(
        List.of(),
        cpuPeriods("0::/a\n", V2_MOUNT, Map.of("/sys/fs/cgroup/a/cpu.stat", "usage_usec 9\n")));
  }

  private static List<CpuPeriods> cpuPeriods(
      String selfCgroup, String mounts, Map<String, String> files) {
    return new CgroupReader(path -> Optional.ofNullable(files.get(path)))
        .cpuPeriods(selfCgroup, Mount.visible(mounts));
  }

  private static OptionalLong refaultedBytes(String kernel) {
    return Kernels.procfs(kernel).cgroupStat().orElseThrow().refaultedBytes();
  }

  private static CgroupStat stat(String selfCgroup, String mounts, Map<String, String> files) {
    return new CgroupReader(path -> Optional.ofNullable(files.get(path)))
        .stat(selfCgroup, Mount.visible(mounts), OptionalLong.of(4096));
  }

  private static OptionalLong limit(String selfCgroup, String mounts, Map<String, String> files) {
    return new CgroupReader(path -> Optional.ofNullable(files.get(path)))
        .read(selfCgroup, Mount.visible(mounts))
        .memoryLimitBytes();
  }

  private static Optional<Cgroup> cgroup(CgroupVersion version, OptionalLong limitBytes) {
    return Optional.of(new Cgroup(version, limitBytes));
  }
}
