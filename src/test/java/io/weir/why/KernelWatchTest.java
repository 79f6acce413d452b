package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.procfs.Procfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made of the kernel's text files, which a test writes as Linux 6.18 does. */
class KernelWatchTest {

  private static final Path AUXV =
      Path.of("src/test/resources/io/weir/procfs/linux-6.18-x86_64-hybrid/proc/self/auxv");
  private static final long SECOND = 1_000_000_000;

  @TempDir Path root;

  private KernelWatch watch;
  private long now;

  @BeforeEach
  void machine() throws IOException {
    write(
        "proc/self/mountinfo",
        "1 0 8:0 / / rw - ext4 /dev/sda rw\n"
            + "2 1 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n");
    write("proc/self/cgroup", "1:cpu:/jobs\n");
    Files.copy(AUXV, root.resolve("proc/self/auxv"));
    write("sys/class/block/sda/stat", "0 0 0 0 0 0 0 0 0 0 0\n");
    Files.createDirectories(root.resolve("sys/dev/block"));
    Files.createSymbolicLink(
        root.resolve("sys/dev/block/8:0"), root.resolve("sys/class/block/sda"));
    watch = new KernelWatch(new Procfs(root), Optional.of(Path.of("/index")));
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void sample() {
    watch.sample(now, Double.NaN, 0);
    now += SECOND;
  }

  /** The line of a machine of two processors, and what it is after ten busy seconds. */
  @Test
  void facts_ofAHypervisorThatTakesAThird_areAnsweredSo() throws IOException {
    write(
        "proc/stat", "cpu  226330 0 50512 636457 9500 0 1292 178 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
    sample();
    now += 9 * SECOND;
    write(
        "proc/stat", "cpu  227430 0 50612 636557 9500 0 1292 878 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
    sample();

    assertEquals(35, watch.facts().get(Fact.CPU_STEAL), 0.1);
    assertEquals("processor-steal", answered(watch.facts()));
    Map<Fact, Double> usual = watch.facts();
    usual.put(Fact.CPU_STEAL, 2.1); // as this suite's machine has it at times
    assertEquals("", answered(usual));
  }

  private static String answered(Map<Fact, Double> facts) {
    Map<Fact, Double> seen = new HashMap<>(facts);
    seen.put(Fact.STACKS, 40.0);
    seen.put(Fact.REFRESH_STACKS, 4.0);
    seen.put(Fact.REFRESH_SHARE, 9.0);
    return Answer.of(Observation.of(seen)).rule().map(Rule::id).orElse("");
  }

  @Test
  void facts_ofProcessors_tellThisProcessFromOthers() throws IOException {
    write("proc/stat", "cpu  1000 0 0 1000 0 0 0 0 0 0\n");
    write("proc/self/stat", "7 (java) S 1 7 7 0 -1 4194304 1 0 0 0 100 10 0 0 20 0 30 0 5 1 1\n");
    sample();
    write("proc/stat", "cpu  1150 0 0 1050 0 0 0 0 0 0\n");
    write("proc/self/stat", "7 (java) S 1 7 7 0 -1 4194304 1 0 0 0 130 20 0 0 20 0 30 0 5 1 1\n");
    sample();

    assertEquals(75, watch.facts().get(Fact.CPU_BUSY), 1e-9);
    assertEquals(55, watch.facts().get(Fact.CPU_OTHERS), 1e-9);
  }

  /** However long its threads stood: on many processors that is more than the time. */
  @Test
  void facts_ofAQuota_haveTheShareOfPeriodsInWhichItStopped() throws IOException {
    String stat = "nr_periods %d\nnr_throttled %d\nthrottled_time %d\nnr_bursts 0\nburst_time 0\n";
    write("sys/fs/cgroup/cpu/jobs/cpu.stat", stat.formatted(9, 3, 5 * SECOND));
    sample();
    write("sys/fs/cgroup/cpu/jobs/cpu.stat", stat.formatted(19, 6, 90 * SECOND));
    sample();
    assertEquals(30, watch.facts().get(Fact.CPU_THROTTLED), 1e-9);
  }

  @Test
  void facts_ofAQuotaInWhosePeriodsNothingRan_areThatItStoppedNothing() throws IOException {
    write("sys/fs/cgroup/cpu/jobs/cpu.stat", "nr_periods 9\nnr_throttled 3\n");
    sample();
    sample();
    assertEquals(0, watch.facts().get(Fact.CPU_THROTTLED), 1e-9);
  }

  @Test
  void facts_withoutAQuotaThatIsSeen_haveNone() {
    sample();
    sample();

    assertFalse(watch.facts().containsKey(Fact.CPU_THROTTLED), "absent, not 0");
    assertFalse(watch.facts().containsKey(Fact.DISK_OTHERS), "its file io is not there");
    assertTrue(
        watch.unseen().stream().anyMatch(one -> one.startsWith("What the process reads")),
        watch.unseen().toString());
  }

  /** 1000 and 2000 pages: the kernel leaves writers alone until 1500 of them, 6000 kB. */
  @Test
  void facts_ofDirtyPages_countSecondsAboveWhereTheKernelHoldsWritersUp() throws IOException {
    write("proc/vmstat", "nr_dirty_threshold 2000\nnr_dirty_background_threshold 1000\n");
    for (String text :
        new String[] {
          "Dirty: 5000 kB\nWriteback: 999 kB\n",
          "Dirty: 5000 kB\nWriteback: 1001 kB\n",
          "Dirty: 100 kB\nWriteback: 7000 kB\n",
          "Dirty: 6001 kB\nWriteback: 0 kB\n"
        }) {
      write("proc/meminfo", text);
      sample();
    }

    assertEquals(75, watch.facts().get(Fact.DIRTY_ABOVE), 1e-9);
    assertEquals(6.145, watch.facts().get(Fact.DIRTY_PEAK), 0.001);
  }

  @Test
  void facts_ofADisk_areHowBusyItWas_andHowManyRequestsWereThere() throws IOException {
    sample();
    write("sys/class/block/sda/stat", "100 0 2000 300 50 0 8000 900 4 950 3500\n");
    sample();

    Map<Fact, Double> facts = watch.facts();
    assertEquals(95, facts.get(Fact.DISK_BUSY), 1e-9);
    assertEquals(3.5, facts.get(Fact.DISK_QUEUE), 1e-9);
    assertEquals(150, facts.get(Fact.DISK_OPERATIONS), 1e-9);
  }

  /** The disk reads 10 MB and writes 10 MB; what this process reads and dirties is its own. */
  @Test
  void facts_ofADisk_tellBytesOfOthers_andNotThoseThatWereDirtyBefore() throws IOException {
    disk(0, 0);
    io(1_000_000, 1_000_000);
    write("proc/meminfo", "Dirty: 0 kB\nWriteback: 0 kB\n");
    sample();
    disk(10_000_000, 10_000_000);
    io(3_000_000, 2_000_000);
    sample();
    assertEquals(100 * 17.0 / 20, watch.facts().get(Fact.DISK_OTHERS), 0.1);

    io(21_000_000, 31_000_000);
    sample();
    assertEquals(0, watch.facts().get(Fact.DISK_OTHERS), 1e-9);
  }

  @Test
  void facts_ofADiskThatWritesWhatWasDirtyBefore_areOfNoNeighbour() throws IOException {
    disk(0, 0);
    io(0, 0);
    write("proc/meminfo", "Dirty: 9000 kB\nWriteback: 1000 kB\n");
    sample();
    disk(0, 10_240_000);
    write("proc/meminfo", "Dirty: 0 kB\nWriteback: 0 kB\n");
    sample();

    assertEquals(0, watch.facts().get(Fact.DISK_OTHERS), 1e-9);
  }

  private void disk(long readBytes, long writtenBytes) throws IOException {
    write(
        "sys/class/block/sda/stat",
        "9 0 %d 9 9 0 %d 9 0 9 9\n".formatted(readBytes / 512, writtenBytes / 512));
  }

  private void io(long readBytes, long writeBytes) throws IOException {
    write("proc/self/io", "read_bytes: %d\nwrite_bytes: %d\n".formatted(readBytes, writeBytes));
  }
}
