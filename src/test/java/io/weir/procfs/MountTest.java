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
        List.of("a", "b"),
        Mount.parseAll("1 0 8:1 / /m rw - ext4 a rw\n2 1 8:2 / /m rw - ext4 b rw\n").stream()
            .map(Mount::source)
            .toList());
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
