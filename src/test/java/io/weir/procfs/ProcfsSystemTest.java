package io.weir.procfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The same reader on the machine that runs the tests: relations that hold on any Linux. */
@EnabledOnOs(OS.LINUX)
class ProcfsSystemTest {

  private static final Procfs SYSTEM = Procfs.SYSTEM;

  @Test
  void memInfo_availableIsPartOfTotal() {
    MemInfo info = SYSTEM.memInfo().orElseThrow();

    assertTrue(info.memAvailableBytes().orElseThrow() < info.memTotalBytes().orElseThrow());
    assertTrue(info.dirtyBytes().orElseThrow() < info.memTotalBytes().orElseThrow());
  }

  @Test
  void vmStat_countersGrowAndThresholdsAreInOrder() {
    VmStat first = SYSTEM.vmStat().orElseThrow();
    VmStat second = SYSTEM.vmStat().orElseThrow();

    assertTrue(second.dirtiedBytes().orElseThrow() >= first.dirtiedBytes().orElseThrow());
    assertTrue(
        first.dirtyBackgroundThresholdBytes().orElseThrow()
            <= first.dirtyThresholdBytes().orElseThrow());
  }

  @Test
  void selfRss_agreesWithStatusWithinAFewMegabytes() throws IOException {
    long statusBytes =
        new KeyedNumbers(Files.readString(Path.of("/proc/self/status")))
                .number("VmRSS:", "kB")
                .orElseThrow()
            << 10;

    // A page size that is wrong by its smallest step would be off by a factor of two or more.
    long rssBytes = SYSTEM.selfRssBytes().orElseThrow();
    assertTrue(
        rssBytes > statusBytes / 2 && rssBytes < statusBytes * 2, rssBytes + " " + statusBytes);
  }

  @Test
  void mountOf_aTemporaryDirectory_agreesWithTheJdk(@TempDir Path directory) throws IOException {
    Mount mount = SYSTEM.mountOf(directory.toRealPath()).orElseThrow();

    assertEquals(Files.getFileStore(directory).type(), mount.fileSystemType());
    assertEquals(Files.getFileStore(directory).name(), mount.source());
  }
}
