package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.procfs.OperationCounters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Which counters are those of a path, and what is refused. */
@DisabledOnOs(OS.WINDOWS)
class OperationsCounterTest {

  @TempDir Path temp;

  private SimulatedMachine machine;

  @BeforeEach
  void machine() throws IOException {
    machine = new SimulatedMachine(temp);
    machine.device(1000);
  }

  private OperationsCounter device(Path path) throws IOException {
    return OperationsCounter.of(path, OperationsScope.DEVICE, machine.procfs());
  }

  private static Optional<Long> all(Optional<OperationCounters> operations) {
    return operations.map(OperationCounters::all);
  }

  @Test
  void device_isCounted_sinceTheLastLook() throws IOException {
    OperationsCounter counter = device(machine.onDisk.resolve("not/yet"));

    assertEquals("sda", counter.device());
    assertEquals(OperationsScope.DEVICE, counter.scope());
    machine.device(1017);
    assertEquals(Optional.of(17L), all(counter.sinceLast()));
    assertEquals(Optional.of(0L), all(counter.sinceLast()));
  }

  @Test
  void group_isCounted_apartFromTheDevice() throws IOException {
    machine.group(50);
    OperationsCounter counter =
        OperationsCounter.of(machine.onDisk, OperationsScope.GROUP, machine.procfs());
    OperationsCounter device = device(machine.onDisk);

    assertEquals(OperationsScope.GROUP, counter.scope());
    machine.device(2000);
    machine.group(57);
    assertEquals(Optional.of(7L), all(counter.sinceLast()));
    assertEquals(Optional.of(1000L), all(device.sinceLast()));
  }

  @Test
  void countersThatVanishOrGoBack_areEmpty_untilTheSecondLook() throws IOException {
    OperationsCounter counter = device(machine.onDisk);
    machine.noDeviceCounters();
    assertEquals(Optional.empty(), counter.sinceLast());
    machine.device(5000);
    assertEquals(Optional.empty(), counter.sinceLast());
    machine.device(5003);
    assertEquals(Optional.of(3L), all(counter.sinceLast()));
    machine.device(10);
    assertEquals(Optional.empty(), counter.sinceLast());
    machine.device(14);
    assertEquals(Optional.of(4L), all(counter.sinceLast()));
  }

  @Test
  void pathWithoutADevice_isRefused_withItsFileSystem() {
    IOException refused = assertThrows(IOException.class, () -> device(machine.inMemory));
    assertEquals(
        "operations on the disk of %s cannot be counted: its file system, tmpfs at %s, has no block device of its own"
            .formatted(machine.inMemory, machine.inMemory),
        refused.getMessage());
  }

  @Test
  void deviceWithoutCounters_isRefused() throws IOException {
    machine.noDeviceCounters();
    IOException refused = assertThrows(IOException.class, () -> device(machine.onDisk));
    assertTrue(
        refused.getMessage().endsWith(": /sys/class/block/sda/stat cannot be read"),
        refused.getMessage());
  }

  @Test
  void groupThatIsAskedFor_andNotThere_isRefused() {
    IOException refused =
        assertThrows(
            IOException.class,
            () -> OperationsCounter.of(machine.onDisk, OperationsScope.GROUP, machine.procfs()));
    assertTrue(
        refused.getMessage().contains("no control group of version 2 below the root"),
        refused.getMessage());
  }

  @Test
  void kernelThatSaysNothing_isRefused() throws IOException {
    machine.noMounts();
    IOException refused = assertThrows(IOException.class, () -> device(machine.onDisk));
    assertTrue(
        refused.getMessage().endsWith("the kernel does not say which file system it is on"),
        refused.getMessage());
  }
}
