package io.weir.tools;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.suite.Slow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real disk of {@code tools/slow-disk}, where the machine lets one be made; else skipped, with
 * the reason. The page cache of the machine is left alone, so that other work on it is not
 * disturbed.
 */
@Slow("makes disks")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowDiskTest {
  private static final long CAP_SYS_ADMIN = 1L << 21;

  private static final String DEBIAN =
      "Debian: apt-get install gcc libc6-dev nbdkit nbdkit-plugin-dev libnbd-bin e2fsprogs";

  @TempDir Path temporary;
  private Path mount;
  private Path fakes;

  /** How the script ended. */
  private record Result(int exitCode, String output) {}

  @BeforeEach
  void needARealMachine() throws Exception {
    assumeTrue(Files.exists(Path.of("/proc/self/status")), "no Linux");
    String capabilities =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("CapEff:"))
            .map(line -> line.substring("CapEff:".length()).trim())
            .findFirst()
            .orElse("0");
    boolean admin = (Long.parseUnsignedLong(capabilities, 16) & CAP_SYS_ADMIN) != 0;
    assumeTrue(admin && "0".equals(id()), "not root, or a root that may not mount");
    for (String device : List.of("/dev/fuse", "/dev/loop-control", "/dev/shm")) {
      assumeTrue(Files.exists(Path.of(device)), "no " + device);
    }
    for (String tool : List.of("gcc", "nbdkit", "nbdfuse", "losetup", "mkfs.ext4", "setsid")) {
      assumeTrue(ScriptSandbox.findOnMachine(tool).isPresent(), "no " + tool + "; " + DEBIAN);
    }
    assumeTrue(
        Files.exists(Path.of("/usr/include/nbdkit-plugin.h")), "no nbdkit-plugin.h; " + DEBIAN);
    mount = temporary.toRealPath().resolve("disk");
    fakes = Files.createDirectory(temporary.resolve("fakes"));
  }

  @AfterEach
  void takeDown() throws Exception {
    if (mount != null) {
      slowDisk("down", "--mount", mount.toString());
    }
  }

  @Test
  void up_thenDown_isASlowDiskThatLeavesNothing() throws Exception {
    assertEquals(new Result(0, said("128M at 50 MiB/s and 6 ms a seek")), up());
    assertTrue(isMounted());
    Path device = Path.of(Files.getFileStore(mount).name()).getFileName();
    assertEquals(
        "128", Files.readString(Path.of("/sys/block/" + device + "/queue/read_ahead_kb")).strip());
    long start = System.nanoTime();
    try (FileChannel file =
        FileChannel.open(
            mount.resolve("file"), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int mebibyte = 0; mebibyte < 20; mebibyte++) {
        file.write(ByteBuffer.allocate(1 << 20));
      }
      file.force(false);
    }
    // 20 MiB at 50 MiB/s take 400 ms; a little of it may be on its way before the clock starts.
    long tookMillis = NANOSECONDS.toMillis(System.nanoTime() - start);
    assertTrue(tookMillis >= 390, tookMillis + " ms for 20 MiB");

    Result second = up();
    assertEquals(1, second.exitCode());
    assertTrue(second.output().contains("there is a disk at " + mount + " already"), second.output);
    assertTrue(Files.exists(mount.resolve("file")));

    assertEquals(new Result(0, ""), slowDisk("down", "--mount", mount.toString()));
    assertNothingLeft();
    assertEquals(
        new Result(0, "slow-disk: there is no disk at " + mount + "\n"),
        slowDisk("down", "--mount", mount.toString()));
  }

  /**
   * The server heard of the end of {@code up} as of its own, and its main thread then looked for
   * more without a pause: measured were arms with one processor less.
   */
  @Test
  void up_ofADiskThatIsIdle_takesNoProcessor() throws Exception {
    assertEquals(0, up().exitCode());
    Duration before = processorTime();
    SECONDS.sleep(1);
    Duration taken = processorTime().minus(before);
    assertTrue(taken.toMillis() < 300, taken.toMillis() + " ms in a second");
    assertFalse(before.isZero(), "its processes were not found");
  }

  /** Of the processes of the disk. */
  private Duration processorTime() {
    String name = mount.toString().replace('/', ':');
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      return all.map(ProcessHandle::info)
          .filter(info -> info.commandLine().orElse("").contains(name))
          .flatMap(info -> info.totalCpuDuration().stream())
          .reduce(Duration.ZERO, Duration::plus);
    }
  }

  /** The limits hold over reads and writes together; what is saved comes on top, once. */
  @Test
  void up_ofAVolume_servesNoMoreOperationsThanItsLimitAndItsCredits() throws Exception {
    Result result = volume("--iops", "100", "--latency-ms", "0", "--credits", "1", "--burst", "10");
    assertEquals(
        said(
            "128M at 1000 MiB/s, 100 operations/s, 0 ms, and 1 s of credits at 10 times the"
                + " limits"),
        result.output());
    try (FileChannel file = directFile()) {
      long start = System.nanoTime();
      for (int operation = 0; operation < 250; operation++) {
        transfer(file, operation, operation % 2 == 0);
      }
      // What the file system did before has used credits. 250 operations are 2.5 s, less one saved.
      long tookMillis = NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(tookMillis >= 1_400, tookMillis + " ms for 250 operations");
    }
  }

  @Test
  void up_ofAVolume_servesNoMoreBytesThanItsLimit() throws Exception {
    assertEquals(0, volume("--mbps", "20", "--latency-ms", "0").exitCode());
    try (FileChannel file = directFile()) {
      ByteBuffer mebibyte = aligned(1 << 20);
      long start = System.nanoTime();
      for (int i = 0; i < 10; i++) {
        file.write(mebibyte.rewind(), (long) i << 20);
      }
      long tookMillis = NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(tookMillis >= 480, tookMillis + " ms for 10 MiB");
    }
  }

  /** Eight requests of 120 ms, one after the other, would take a second. */
  @Test
  void up_ofAVolume_servesRequestsInParallel() throws Exception {
    assertEquals(0, volume("--latency-ms", "120").exitCode());
    try (FileChannel file = directFile();
        ExecutorService readers = Executors.newFixedThreadPool(8)) {
      long start = System.nanoTime();
      List<Future<?>> reads = new ArrayList<>();
      for (int reader = 0; reader < 8; reader++) {
        int operation = reader;
        reads.add(readers.submit(() -> transfer(file, operation, false)));
      }
      for (Future<?> read : reads) {
        read.get();
      }
      long tookMillis = NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(tookMillis >= 115, tookMillis + " ms for a request of 120");
      assertTrue(tookMillis < 800, tookMillis + " ms for eight requests at once");
    }
  }

  @Test
  void down_whileTheDiskIsInUse_saysSoAndCanBeRepeated() throws Exception {
    assertEquals(0, up().exitCode());
    Process user = new ProcessBuilder("sleep", "100").directory(mount.toFile()).start();
    try {
      Result refused = slowDisk("down", "--mount", mount.toString());
      assertEquals(1, refused.exitCode());
      assertTrue(refused.output().contains(mount + " is in use"), refused.output);
      assertTrue(isMounted());
    } finally {
      user.destroyForcibly().waitFor();
    }
    assertEquals(0, slowDisk("down", "--mount", mount.toString()).exitCode());
    assertNothingLeft();
  }

  @Test
  void up_thatFailsHalfWay_leavesNothing() throws Exception {
    fake("mkfs.ext4", "echo 'no file system today' >&2; exit 3");

    Result result = up();

    assertEquals(new Result(3, "no file system today\n"), result);
    assertNothingLeft();
  }

  /** Then nothing of the script can clean up; the next down does. */
  @Test
  void down_afterAnUpThatWasKilledHalfWay_leavesNothing() throws Exception {
    fake("mkfs.ext4", "kill -9 $PPID");

    assertEquals(128 + 9, up().exitCode());
    assertTrue(Files.exists(state()));
    assertEquals(1, up().exitCode(), "half a disk is in the way");
    assertEquals(new Result(0, ""), slowDisk("down", "--mount", mount.toString()));
    assertNothingLeft();
  }

  @Test
  void run_aCommand_boundsItsMemoryAndEndsAsItDoes() throws Exception {
    assumeTrue(Files.isWritable(Path.of("/sys/fs/cgroup")), "cgroups cannot be written");
    // Of its own cgroup, because others may run as well.
    String tellsItsBound =
        "own=$(grep -o -m 1 'weir-slow-disk[.0-9]*' /proc/self/cgroup); echo $own;"
            + " cat /sys/fs/cgroup/memory/$own/memory.limit_in_bytes"
            + " /sys/fs/cgroup/$own/memory.max 2>/dev/null; sleep 100 & exit 7";

    Result result =
        slowDisk("run", "--keep-cache", "--memory", "200M", "--", "bash", "-c", tellsItsBound);

    String own = result.output().lines().findFirst().orElseThrow();
    assertTrue(own.startsWith("weir-slow-disk."), own);
    assertEquals(new Result(7, own + "\n209715200\n"), result);
    assertFalse(Files.exists(Path.of("/sys/fs/cgroup/memory", own)));
    assertFalse(Files.exists(Path.of("/sys/fs/cgroup", own)));
  }

  private Result volume(String... limits) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("up", "--mount", mount.toString()));
    arguments.addAll(List.of("--size", "128M", "--model", "volume"));
    arguments.addAll(List.of(limits));
    if (!arguments.contains("--mbps")) {
      arguments.addAll(List.of("--mbps", "1000"));
    }
    return slowDisk(arguments.toArray(String[]::new));
  }

  /** A file of 16 MiB on the disk, past the page cache. */
  private FileChannel directFile() throws IOException {
    Path path = mount.resolve("file");
    Files.write(path, new byte[16 << 20]);
    FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, direct());
    file.force(true);
    return file;
  }

  /** An option of the JDK's own, which the compiler warns of. */
  private static OpenOption direct() throws IOException {
    try {
      return (OpenOption)
          Class.forName("com.sun.nio.file.ExtendedOpenOption").getField("DIRECT").get(null);
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  private static Void transfer(FileChannel file, int operation, boolean write) throws IOException {
    long position = operation * 7919L % 4096 * 4096;
    ByteBuffer page = aligned(4096);
    assertEquals(4096, write ? file.write(page, position) : file.read(page, position));
    return null;
  }

  private static ByteBuffer aligned(int bytes) {
    return ByteBuffer.allocateDirect(bytes + 4096).alignedSlice(4096).limit(bytes);
  }

  private Result up() throws Exception {
    return slowDisk("up", "--mount", mount.toString(), "--size", "128M", "--mbps", "50");
  }

  private String said(String disk) {
    return "slow-disk: " + mount + " has " + disk + "\n";
  }

  private Path state() {
    return Path.of("/run/weir-slow-disk", mount.toString().replace('/', ':'));
  }

  private boolean isMounted() throws IOException {
    return Files.readString(Path.of("/proc/self/mountinfo")).contains(" " + mount + " ");
  }

  private void assertNothingLeft() throws IOException {
    String name = mount.toString().replace('/', ':');
    assertFalse(isMounted());
    assertFalse(Files.exists(mount), "the mount point, which up has made");
    assertFalse(Files.exists(state()), "its state");
    assertFalse(Files.exists(Path.of("/dev/shm/weir-slow-disk" + name + ".img")), "its image");
    assertFalse(Files.readString(Path.of("/proc/self/mountinfo")).contains(name), "its server");
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      assertEquals(
          List.of(),
          all.map(p -> p.info().commandLine().orElse("")).filter(c -> c.contains(name)).toList());
    }
  }

  private void fake(String tool, String script) throws IOException {
    Path path = fakes.resolve(tool);
    Files.writeString(path, "#!/usr/bin/env bash\n" + script + "\n");
    assertTrue(path.toFile().setExecutable(true));
  }

  private static String id() throws Exception {
    Process process = new ProcessBuilder("id", "-u").start();
    return new String(process.getInputStream().readAllBytes()).trim();
  }

  private Result slowDisk(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("tools/slow-disk"));
    command.addAll(Arrays.asList(arguments));
    Path output = Files.createTempFile(temporary, "output", null);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().merge("PATH", fakes.toString(), (path, first) -> first + ":" + path);
    Process process = builder.start();
    if (!process.waitFor(60, SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("still running: " + command + ": " + Files.readString(output));
    }
    return new Result(process.exitValue(), Files.readString(output));
  }
}
