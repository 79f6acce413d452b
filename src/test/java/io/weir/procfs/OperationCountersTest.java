package io.weir.procfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperationCountersTest {

  private static BlockDevice device(String name) {
    return new BlockDevice(name, Optional.empty(), Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({
    Kernels.V2_6_32 + ", sda, 184221, 931887",
    Kernels.V5_4_HYBRID + ", sda, 91277, 5120993",
    Kernels.V5_15_CONTAINER + ", nvme0n1, 2101922, 88120011",
    Kernels.V6_1_CGROUP_V2 + ", dm-0, 402117, 2204112",
    Kernels.V6_18_HYBRID + ", vda, 73540, 110733"
  })
  void operations_onSeveralKernels_areThoseOfTheDevice(
      String kernel, String name, long reads, long writes) {
    OperationCounters counters = Kernels.procfs(kernel).operations(device(name)).orElseThrow();
    assertEquals(new OperationCounters(reads, writes), counters);
    assertEquals(reads + writes, counters.all());
  }

  @Test
  void operations_ofADeviceThatIsNotThere_areAbsent() {
    assertEquals(Optional.empty(), Kernels.procfs(Kernels.V6_18_HYBRID).operations(device("vdb")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "1 2 3 4", "1 2 3 4 x 6", "-1 0 0 0 1 0", "a 0 0 0 1 0"})
  void operations_ofALineThatIsNone_areAbsent(String stat) {
    assertEquals(Optional.empty(), OperationCounters.ofDevice(stat));
  }

  @Test
  void groupOperations_v2_areThoseOfTheOwnGroup() {
    assertEquals(
        Optional.of(new OperationCounters(371_580, 1_547_682)),
        Kernels.procfs(Kernels.V6_1_CGROUP_V2).groupOperations(device("dm-0")));
  }

  @Test
  void groupOperations_inAContainer_areThoseAtTheMountPoint() {
    assertEquals(
        Optional.of(new OperationCounters(18, 24)),
        Kernels.procfs(Kernels.V5_15_CONTAINER).groupOperations(device("nvme0n1")));
  }

  /** In a hybrid system the controller is in version 1; the root has no group of its own. */
  @Test
  void groupOperations_hybridAndRoot_areAbsent() {
    assertEquals(
        Optional.empty(), Kernels.procfs(Kernels.V5_4_HYBRID).groupOperations(device("sda")));
    assertEquals(
        Optional.empty(), Kernels.procfs(Kernels.V6_18_HYBRID).groupOperations(device("vda")));
    assertEquals(Optional.empty(), Kernels.procfs(Kernels.V2_6_32).groupOperations(device("sda")));
  }

  /** Kernels write a device without figures with no line end after it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "7:7 7:6 rbytes=1 wbytes=2 rios=22 wios=3 | 7:6 | 25",
        "7:7 7:6 rbytes=1 wbytes=2 rios=22 wios=3 | 7:7 | ",
        "252:0 | 252:0 | ",
        "8:0 wios=3 new=1 rios=4 | 8:0 | 7",
        "8:0 rios=4 | 8:0 | ",
        "8:0 rios=x wios=3 | 8:0 | ",
        "18:0 rios=1 wios=3 | 8:0 | ",
        "(unknown) rios=6 wios=3 | 8:0 | "
      })
  void groupOperations_ofOddLines_areThoseOfTheDeviceOrAbsent(
      String line, String deviceNumber, Long expected) {
    assertEquals(
        Optional.ofNullable(expected),
        OperationCounters.ofGroup(line + "\n", deviceNumber).map(OperationCounters::all));
  }

  /** On the machine that runs the tests: what is written and synced is counted. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void operations_ofThisMachine_growWithWhatIsWritten(@TempDir Path directory) throws IOException {
    Optional<BlockDevice> device =
        Procfs.SYSTEM.mountOf(directory.toRealPath()).flatMap(Procfs.SYSTEM::blockDevice);
    assumeTrue(device.isPresent(), "SKIPPED: temporary files are on no block device");
    Optional<OperationCounters> before = Procfs.SYSTEM.operations(device.get());
    assumeTrue(before.isPresent(), "SKIPPED: the kernel does not count operations on " + device);

    try (RandomAccessFile file = new RandomAccessFile(directory.resolve("file").toFile(), "rw")) {
      for (int i = 0; i < 20; i++) {
        file.write(new byte[4096]);
        file.getFD().sync();
      }
    }
    OperationCounters after = Procfs.SYSTEM.operations(device.get()).orElseThrow();
    assertTrue(after.writes() - before.get().writes() >= 20, () -> before + " then " + after);
    assertTrue(after.reads() >= before.get().reads(), () -> before + " then " + after);
  }
}
