package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Paths on two disks, one of them with two partitions, and on a file system in memory. */
@DisabledOnOs(OS.WINDOWS)
class DiskBudgetsTest {

  @TempDir Path temp;

  private final ByteBudget all = ByteBudget.unlimited();
  private KernelTree kernel;
  private Path files;

  @BeforeEach
  void machine() throws IOException {
    kernel = new KernelTree(Files.createDirectory(temp.resolve("root")));
    files = Files.createDirectory(temp.toRealPath().resolve("files"));
    StringBuilder mounts = new StringBuilder();
    for (String[] mount :
        new String[][] {
          {"8:1", "a1", "/dev/sda1"},
          {"8:2", "a2", "/dev/sda2"},
          {"8:16", "b", "/dev/sdb"},
          {"0:44", "memory", "tmpfs"}
        }) {
      Path point = Files.createDirectory(files.resolve(mount[1]));
      mounts.append("30 22 %s / %s rw - ext4 %s rw\n".formatted(mount[0], point, mount[2]));
    }
    mounts.append("31 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    kernel.write("proc/self/mountinfo", mounts.toString());
    kernel.write("proc/self/cgroup", "0::/search/node\n");
    kernel.write("sys/devices/sda/dev", "8:0\n");
    kernel.write("sys/devices/sda/sda1/partition", "1\n");
    kernel.write("sys/devices/sda/sda2/partition", "2\n");
    kernel.write("sys/devices/sdb/dev", "8:16\n");
    kernel.link("sys/dev/block/8:1", "sys/devices/sda/sda1");
    kernel.link("sys/dev/block/8:2", "sys/devices/sda/sda2");
    kernel.link("sys/dev/block/8:16", "sys/devices/sdb");
    kernel.link("sys/class/block/sda", "sys/devices/sda");
    kernel.link("sys/class/block/sdb", "sys/devices/sdb");
  }

  private DiskBudgets disks() {
    return new DiskBudgets(all, kernel.procfs());
  }

  @Test
  void of_pathsOnOneDisk_isOneBudget_whateverThePartition() throws IOException {
    DiskBudgets disks = disks();
    ByteBudget a = disks.of(files.resolve("a1"));

    assertEquals("sda", a.name());
    assertSame(all, a.parent().orElseThrow());
    assertSame(a, disks.of(files.resolve("a2")));
    assertSame(a, disks.of(files.resolve("a1/not/yet/there")));
    assertNotSame(a, disks.of(files.resolve("b")));
    assertNotSame(a, disks.of(files.resolve("memory")));
    assertEquals(3, disks.all().size());
    assertEquals(Rate.UNLIMITED, a.rate());
  }

  @Test
  void of_aLinkToAnotherDisk_isThatDisks() throws IOException {
    Files.createSymbolicLink(files.resolve("a1/elsewhere"), files.resolve("b"));
    assertEquals("sdb", disks().of(files.resolve("a1/elsewhere")).name());
  }

  @Test
  void of_aDiskWithALimitOfTheContainer_beginsWithFourFifthsOfTheTightest() throws IOException {
    kernel.write(
        "sys/fs/cgroup/search/io.max", "8:0 rbps=max wbps=100000000 riops=3000 wiops=max\n");
    kernel.write(
        "sys/fs/cgroup/search/node/io.max", "8:0 rbps=1 wbps=200000000 riops=max wiops=max\n");
    DiskBudgets disks = disks();

    assertEquals(Rate.perSecond(80_000_000), disks.of(files.resolve("a2")).rate());
    assertEquals(Rate.UNLIMITED, disks.of(files.resolve("b")).rate());
  }

  @Test
  void of_whereTheKernelSaysNothing_isOneBudgetForAll() throws IOException {
    kernel.delete("proc/self/mountinfo");
    DiskBudgets disks = disks();

    assertEquals("unknown disk", disks.of(files.resolve("a1")).name());
    assertSame(disks.of(files.resolve("a1")), disks.of(files.resolve("b")));
  }
}
