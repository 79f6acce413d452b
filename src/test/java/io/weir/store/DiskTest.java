package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.procfs.Procfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two partitions of one disk, another disk, and memory; on a clock that the test moves. */
class DiskTest {

  private static final long WINDOW = Disk.WINDOW_NANOS;

  @TempDir Path temp;

  private final AutoClock clock = new AutoClock();
  private Path root;
  private Path files;
  private Disk.All disks;

  @BeforeEach
  void machine() throws IOException {
    root = temp.resolve("root");
    files = Files.createDirectory(temp.toRealPath().resolve("files"));
    StringBuilder mounts = new StringBuilder();
    for (String[] mount :
        new String[][] {{"8:1", "a1"}, {"8:2", "a2"}, {"8:16", "b"}, {"0:44", "memory"}}) {
      Path point = Files.createDirectory(files.resolve(mount[1]));
      mounts.append("30 22 %s / %s rw - ext4 none rw\n".formatted(mount[0], point));
    }
    write("proc/self/mountinfo", mounts.toString());
    write("sys/devices/sda/sda1/partition", "1\n");
    write("sys/devices/sda/sda2/partition", "2\n");
    write("sys/devices/sdb/dev", "8:16\n");
    link("sys/dev/block/8:1", "sys/devices/sda/sda1");
    link("sys/dev/block/8:2", "sys/devices/sda/sda2");
    link("sys/dev/block/8:16", "sys/devices/sdb");
    queue("sda", 1000);
    queue("sdb", 1000);
    disks = new Disk.All(new Procfs(root), clock, Runnable::run);
  }

  @Test
  void of_directoriesOnOneDisk_isOne_whateverThePartition() throws IOException {
    Disk a = of("a1");
    assertSame(a, of("a1"));
    assertSame(a, of("a2"));
    assertNotSame(a, of("b"));
    assertNotSame(a, of("memory"));
    assertSame(of("memory"), of("memory"));
  }

  @Test
  void of_layersOverADirectory_isThatOfTheDirectory() throws IOException {
    try (Directory plain = new NIOFSDirectory(files.resolve("b"));
        Directory layers = new NRTCachingDirectory(new DeferredSyncDirectory(plain), 1, 1)) {
      assertSame(of("b"), disks.of(layers));
    }
  }

  @Test
  void of_directoriesWithoutAPath_areTheirOwn() {
    Directory memory = new ByteBuffersDirectory();
    assertSame(disks.of(memory), disks.of(new DeferredSyncDirectory(memory)));
    assertNotSame(disks.of(memory), disks.of(new ByteBuffersDirectory()));
  }

  @Test
  void of_directoriesWhoseDiskTheKernelDoesNotSay_areTheirOwn() throws IOException {
    Files.delete(root.resolve("proc/self/mountinfo"));
    assertNotSame(of("a1"), of("a2"));
  }

  /** It was on every disk that merges paused. */
  @Test
  void commit_onOneDisk_needsThatDiskOnly() throws IOException {
    of("a1").commits().begins("one");
    assertTrue(of("a2").isNeededByCommits());
    assertFalse(of("b").isNeededByCommits());
    of("b").commits().ended("one");
    assertTrue(of("a2").isNeededByCommits());
    of("a2").commits().ended("one");
    assertFalse(of("a1").isNeededByCommits());
  }

  /** Whoever had one too many started the oldest of the process, also on a disk that hangs. */
  @Test
  void shortFiles_onOneDisk_startNoWriteOnAnother() throws IOException {
    List<String> started = new ArrayList<>();
    of("b").unstarted().add("on b", "_0.si", 4 << 20, () -> started.add("b"));
    of("a1").unstarted().add("on a1", "_0.si", 4 << 20, () -> started.add("a1"));
    of("a2").unstarted().add("on a2", "_0.si", 4 << 20, () -> started.add("a2"));
    assertEquals(List.of("a1"), started);
  }

  /** It may read from anywhere, so its disk cannot be told. */
  @Test
  void of_aForeignDirectoryBelowWeirsLayers_isItsOwn() throws IOException {
    try (Directory plain = new NIOFSDirectory(files.resolve("b"));
        Directory foreign = new FilterDirectory(plain) {}) {
      assertNotSame(of("b"), disks.of(new DeferredSyncDirectory(foreign)));
      assertSame(disks.of(foreign), disks.of(new DeferredSyncDirectory(foreign)));
    }
  }

  @Test
  void commit_onADiskWithoutPressure_doesNotNeedIt() throws IOException {
    Disk disk = of("a1");
    assertFalse(disk.isNeededByCommits());
    clock.advanceNanos(WINDOW);
    queue("sda", 1000 + 249);
    disk.commits().begins("one");
    assertFalse(disk.isNeededByCommits());

    clock.advanceNanos(WINDOW);
    queue("sda", 1000 + 249 + 250);
    disk.commits().begins("one");
    assertTrue(disk.isNeededByCommits());

    clock.advanceNanos(WINDOW - 1);
    disk.commits().begins("one");
    assertTrue(disk.isNeededByCommits(), "it was read twice in a window");
    clock.advanceNanos(1);
    assertFalse(disk.isNeededByCommits());
  }

  /**
   * Until it is known: a while ago there were no merges that looked, or there is no such figure.
   */
  @Test
  void commit_onADiskWhosePressureIsUnknown_needsIt() throws IOException {
    Disk disk = of("a1");
    disk.commits().begins("one");
    assertTrue(disk.isNeededByCommits());
    clock.advanceNanos(WINDOW);
    assertFalse(disk.isNeededByCommits());
    clock.advanceNanos(20 * WINDOW);
    disk.commits().begins("one");
    assertTrue(disk.isNeededByCommits());
    Files.delete(root.resolve("sys/class/block/sda/stat"));
    clock.advanceNanos(WINDOW);
    disk.commits().begins("one");
    assertTrue(disk.isNeededByCommits());

    of("memory").commits().begins("one");
    assertTrue(of("memory").isNeededByCommits());
  }

  private Disk of(String mount) throws IOException {
    try (Directory directory = FSDirectory.open(files.resolve(mount).resolve("index"))) {
      return disks.of(directory);
    }
  }

  private void queue(String device, long millis) throws IOException {
    write(
        "sys/class/block/" + device + "/stat",
        "  77 1 2 3  4 5 6 7  0 9 %d 0 0 0 0 0 0\n".formatted(millis));
  }

  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void link(String path, String target) throws IOException {
    Files.createDirectories(root.resolve(path).getParent());
    Files.createSymbolicLink(root.resolve(path), root.resolve(target));
  }
}
