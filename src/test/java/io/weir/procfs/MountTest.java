package io.weir.procfs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class MountTest {

  @TempDir Path root;

  @Test
  void mountOf_aPathBelowTwoMounts_isTheDeeper() {
    Procfs procfs = Kernels.procfs(Kernels.V2_6_32);

    assertEquals(
        new Mount(
            "8:17",
            "/",
            "/index",
            "ext3",
            "/dev/sdb1",
            List.of("rw", "errors=continue", "data=ordered")),
        procfs.mountOf(Path.of("/index/one")).orElseThrow());
    assertEquals("/", procfs.mountOf(Path.of("/indexes")).orElseThrow().mountPoint());
  }

  @Test
  void mountOf_aPathWithABlank_readsTheKernelsEscape() {
    Mount mount =
        Kernels.procfs(Kernels.V4_14_CGROUP_V1).mountOf(Path.of("/data one/x")).orElseThrow();

    assertEquals("/data one", mount.mountPoint());
    assertEquals("/srv/search index", mount.root());
    assertEquals("xfs", mount.fileSystemType());
  }

  @Test
  void mountOf_aPointMountedTwice_isTheUpperOne() {
    assertEquals(
        List.of("b"), sources("1 0 8:1 / /m rw - ext4 a rw\n2 1 8:2 / /m rw - ext4 b rw\n"));
    assertEquals(
        "tmpfs",
        Kernels.procfs(Kernels.V6_18_HYBRID)
            .mountOf(Path.of("/dev/shm"))
            .orElseThrow()
            .fileSystemType());
    assertEquals(
        "0:27",
        Kernels.procfs(Kernels.V6_18_HYBRID)
            .mountOf(Path.of("/dev/shm"))
            .orElseThrow()
            .deviceNumber());
  }

  /** Files below it were taken for files of a disk that no path leads to. */
  @Test
  void mountOf_aMountHiddenByALaterOneOfItsParent_isTheLater() throws IOException {
    mounts(
        """
        20 1 8:2 / / rw - ext4 /dev/sda2 rw
        21 20 8:17 / /data/index rw - ext4 /dev/sdb1 rw
        22 20 0:50 / /data rw - tmpfs tmpfs rw
        """);
    assertEquals("tmpfs", mountOf("/data/index/0/_0.cfs"));
    assertEquals("tmpfs", mountOf("/data"));
    assertEquals("/dev/sda2", mountOf("/database"));
    assertEquals(List.of("/dev/sda2", "tmpfs"), sources(text()));
  }

  @Test
  void mountOf_aMountInTheOneThatHides_isFound() throws IOException {
    mounts(
        """
        20 1 8:2 / / rw - ext4 /dev/sda2 rw
        21 20 8:17 / /data/index rw - ext4 /dev/sdb1 rw
        22 20 0:50 / /data rw - tmpfs tmpfs rw
        23 22 8:33 / /data/index rw - ext4 /dev/sdc1 rw
        24 21 8:49 / /data/index/old rw - ext4 /dev/sdd1 rw
        """);
    assertEquals("/dev/sdc1", mountOf("/data/index"));
    assertEquals("/dev/sdc1", mountOf("/data/index/old"), "its parent is hidden");
  }

  /** The kernel gives a mount another parent when one is put beneath it. */
  @Test
  void mountOf_mountsOnOnePoint_isTheOneThatNoOtherIsMountedOn() throws IOException {
    mounts(
        """
        20 1 8:2 / / rw - ext4 /dev/sda2 rw
        21 23 8:17 / /data rw - ext4 /dev/sdb1 rw
        22 21 8:33 / /data rw - ext4 /dev/sdc1 rw
        23 20 8:49 / /data rw - ext4 beneath rw
        24 23 8:65 / /data/sub rw - ext4 hidden rw
        """);
    assertEquals("/dev/sdc1", mountOf("/data/sub"));
  }

  @Test
  void mountOf_aBindMount_isTheOneThatIsBound() throws IOException {
    mounts(
        """
        20 1 8:2 / / rw - ext4 /dev/sda2 rw
        21 20 8:17 / /data rw - ext4 /dev/sdb1 rw
        22 20 8:17 /shards/a\\040b /srv/a\\040b rw - ext4 /dev/sdb1 rw
        23 21 8:2 /var/cache /data/cache rw - ext4 /dev/sda2 rw
        """);
    assertEquals("/dev/sdb1", mountOf("/srv/a b/_0.si"));
    assertEquals("/dev/sda2", mountOf("/srv"));
    assertEquals("/dev/sda2", mountOf("/data/cache/x"));
  }

  /** The mount of a root that is a plain directory is not listed; all others have it as parent. */
  @Test
  void mountOf_inAChroot_isKnownBelowMountsAlone() throws IOException {
    mounts(
        """
        31 20 8:17 / /data/index rw - ext4 /dev/sdb1 rw
        32 20 0:4 / /proc rw - proc proc rw
        33 20 0:50 / /data rw - tmpfs tmpfs rw
        """);
    assertEquals("tmpfs", mountOf("/data/index"));
    assertEquals(Optional.empty(), new Procfs(root).mountOf(Path.of("/srv")));
  }

  /** Before Linux 3 the initial root file system was listed, below the one in use. */
  @Test
  void mountOf_onAnOldKernel_isNotTheInitialRoot() throws IOException {
    mounts(
        """
        1 1 0:1 / / rw - rootfs rootfs rw
        20 1 8:2 / / rw - ext4 /dev/sda2 rw
        21 20 8:17 / /index rw - ext3 /dev/sdb1 rw
        22 1 8:33 / /index rw - ext3 hidden rw
        """);
    assertEquals("/dev/sda2", mountOf("/x"));
    assertEquals("/dev/sdb1", mountOf("/index/x"));
  }

  @Test
  void visible_linesThatContradictEachOther_end() {
    assertEquals(
        List.of(),
        sources("1 2 8:1 / /a rw - ext4 a rw\n2 1 8:1 / /a rw - ext4 b rw\n"),
        "no way leads to them");
  }

  @Test
  void unescape_octalOfUtf8_isOneCharacterAgain() {
    assertEquals(
        "é \\ x\\9", Mount.unescape("\\303\\251\\040\\134 x\\9".replace("\\134 ", "\\134\\040")));
  }

  @Test
  void blockDevice_ofAPartition_isItsDisk() throws IOException {
    Path disk = root.resolve("sys/devices/pci/block/sda");
    write(disk.resolve("device/model"), "Spinning Rust 9000  \n");
    write(disk.resolve("queue/rotational"), "1\n");
    write(disk.resolve("sda1/partition"), "1\n");
    link("sys/dev/block/8:1", disk.resolve("sda1"));

    assertEquals(
        Optional.of(new BlockDevice("sda", Optional.of("Spinning Rust 9000"), Optional.of(true))),
        new Procfs(root).blockDevice(mount("8:1", "/dev/sda1")));
  }

  @Test
  void blockDevice_withoutModelOrKnownQueue_hasThemAbsent() throws IOException {
    Path disk = root.resolve("sys/devices/virtio/block/vda");
    write(disk.resolve("queue/rotational"), "?\n");
    link("sys/dev/block/254:0", disk);

    assertEquals(
        Optional.of(new BlockDevice("vda", Optional.empty(), Optional.empty())),
        new Procfs(root).blockDevice(mount("254:0", "/dev/vda")));
  }

  @Test
  void blockDevice_ofAFileSystemThatSpansDevices_isFoundByItsSource() throws IOException {
    Path disk = root.resolve("sys/devices/virtual/block/dm-0");
    write(disk.resolve("queue/rotational"), "0\n");
    link("sys/class/block/dm-0", disk);
    write(root.resolve("dev/dm-0"), "");
    link("dev/mapper/vg-root", root.resolve("dev/dm-0"));

    assertEquals(
        Optional.of(new BlockDevice("dm-0", Optional.empty(), Optional.of(false))),
        new Procfs(root).blockDevice(mount("0:45", "/dev/mapper/vg-root")));
  }

  @Test
  void blockDevice_ofOverlay_isEmpty() {
    assertEquals(Optional.empty(), new Procfs(root).blockDevice(mount("0:52", "overlay")));
  }

  private void mounts(String text) throws IOException {
    write(root.resolve("proc/self/mountinfo"), text);
  }

  private String text() throws IOException {
    return Files.readString(root.resolve("proc/self/mountinfo"));
  }

  private String mountOf(String path) {
    return new Procfs(root).mountOf(Path.of(path)).orElseThrow().source();
  }

  private static List<String> sources(String text) {
    return Mount.visible(text).stream().map(Mount::source).toList();
  }

  private static Mount mount(String deviceNumber, String source) {
    return new Mount(deviceNumber, "/", "/", "ext4", source, List.of("rw"));
  }

  private void link(String path, Path target) throws IOException {
    Path link = root.resolve(path);
    Files.createDirectories(link.getParent());
    Files.createSymbolicLink(link, target);
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
