package io.weir.store.kernel;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel of this machine answers, and its error numbers arrive. */
@EnabledOnOs(OS.LINUX)
@EnabledForJreRange(minVersion = 22)
class ForeignLinuxCallsTest {

  private static final int ALL_FLAGS =
      LinuxCalls.WAIT_BEFORE | LinuxCalls.WRITE | LinuxCalls.WAIT_AFTER;
  private static final int ENOENT = 2;
  private static final int EINVAL = 22;

  @TempDir Path temp;

  private LinuxCalls calls;

  @BeforeEach
  void link() {
    calls = ForeignLinuxCalls.get();
  }

  @ParameterizedTest
  @ValueSource(strings = {"_1.fdt", "with a blank", "per%20cent", "a+b#c?d"})
  void syncFileRange_ofARealFile_succeeds(String name) throws Exception {
    Path file = Files.write(temp.resolve(name), new byte[300_000]);
    int descriptor = calls.open(file);
    calls.syncFileRange(descriptor, 0, 65536, LinuxCalls.WRITE);
    calls.syncFileRange(descriptor, 0, 65536, ALL_FLAGS);
    calls.dropRange(descriptor, 0, 65536);
    calls.syncFileRange(descriptor, 65536, 300_000 - 65536, ALL_FLAGS);
    assertEquals(file.toRealPath(), Path.of("/proc/self/fd/" + descriptor).toRealPath());
    calls.close(descriptor);
    assertEquals(ErrnoException.EBADF, errno(() -> calls.close(descriptor)));
  }

  @Test
  void syncFileRange_ofADirectory_succeedsAsTheProbeNeeds() throws Exception {
    int descriptor = calls.open(temp);
    calls.syncFileRange(descriptor, 0, 0, LinuxCalls.WRITE);
    calls.close(descriptor);
  }

  @Test
  void anyCall_thatFails_saysTheNumber() throws Exception {
    assertEquals(ENOENT, errno(() -> calls.open(temp.resolve("missing"))));
    assertEquals(ErrnoException.EBADF, errno(() -> calls.syncFileRange(-1, 0, 1, ALL_FLAGS)));
    assertEquals(ErrnoException.EBADF, errno(() -> calls.dropRange(-1, 0, 1)));
    int descriptor = calls.open(Files.write(temp.resolve("file"), new byte[10]));
    assertEquals(EINVAL, errno(() -> calls.syncFileRange(descriptor, -1, 1, ALL_FLAGS)));
    assertEquals(EINVAL, errno(() -> calls.syncFileRange(descriptor, 0, 1, 64)));
    calls.close(descriptor);
    int device = calls.open(Path.of("/dev/null"));
    assertEquals(ErrnoException.ESPIPE, errno(() -> calls.syncFileRange(device, 0, 1, ALL_FLAGS)));
    calls.close(device);
  }

  @ParameterizedTest
  @ValueSource(strings = {"_1.fdt", "per%20cent"})
  void attribute_isWhatWasSet_andTheJdkSeesIt(String name) throws Exception {
    Path file = Files.write(temp.resolve(name), new byte[10]);
    assumeTrue(Files.getFileStore(file).supportsFileAttributeView("user"));
    ByteBuffer value = ByteBuffer.allocateDirect(100);
    assertEquals(61, errno(() -> calls.attribute(file, "user.test", value)), "ENODATA");
    calls.setAttribute(
        file, "user.test", ByteBuffer.allocateDirect(3).put(new byte[] {1, 2, 3}).flip());
    assertEquals(3, calls.attribute(file, "user.test", value));
    assertEquals(2, value.get(1));
    assertArrayEquals(new byte[] {1, 2, 3}, (byte[]) Files.getAttribute(file, "user:test"));
    assertEquals(34, errno(() -> calls.attribute(file, "user.test", value.limit(2))), "ERANGE");
    assertEquals(ENOENT, errno(() -> calls.attribute(temp.resolve("missing"), "user.test", value)));
  }

  @Test
  void threadNumber_isTheOneThatTheKernelShows() throws Exception {
    String stat = Files.readString(Path.of("/proc/thread-self/stat"));

    assertEquals(OptionalInt.of(Integer.parseInt(stat.split(" ", 2)[0])), calls.threadNumber());
  }

  /** As the kernel shows it: of the fields after the name, number 38; see proc_pid_stat(5). */
  @Test
  void setSchedulingPolicy_ofTheCallingThread_isWhatTheKernelShows() throws Exception {
    int before = calls.schedulingPolicy(0);

    calls.setSchedulingPolicy(0, LinuxCalls.SCHED_BATCH); // any thread may leave that one

    String stat = Files.readString(Path.of("/proc/thread-self/stat"));
    assertEquals("3", stat.substring(stat.lastIndexOf(')') + 2).split(" ")[38]);
    calls.setSchedulingPolicy(0, before);
    assertEquals(before, calls.schedulingPolicy(0));
    assertEquals(EINVAL, errno(() -> calls.setSchedulingPolicy(0, 1)), "it needs a priority");
    assertEquals(EINVAL, errno(() -> calls.schedulingPolicy(-1)));
  }

  @Test
  void message_ofAFailedOpen_namesCallFileAndError() {
    IOException failure = assertThrows(IOException.class, () -> calls.open(temp.resolve("none")));
    assertTrue(failure.getMessage().startsWith("open of "), failure.getMessage());
    assertTrue(
        failure.getMessage().endsWith("none failed: ENOENT, no such file"), failure.getMessage());
  }

  private static int errno(Call call) {
    return assertThrows(ErrnoException.class, call::run).errno();
  }

  private interface Call {
    void run() throws IOException;
  }
}
