package io.weir.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weir.stress.Await;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.lucene.util.IOUtils;

/**
 * A disk with ext4 and a volatile write cache: what was written and not flushed is gone when the
 * power is cut.
 *
 * <p>From below: a file that survives; nbdkit with its cache filter, a process that is killed to
 * cut the power; nbdfuse, which makes a file of it; a loop device; the file system. A flush goes
 * all the way down: ext4 sends it to the loop device, that syncs its file, nbdfuse passes it on,
 * and the cache filter writes what it holds.
 *
 * <p>Lives in a temporary directory of its own, in memory where there is any. <b>Threads:</b> one.
 * <b>Failure:</b> {@link #remove} takes down what is there, whatever else fails.
 */
final class VolatileDisk {

  /** What the cache does with a flush. */
  enum Flush {
    /** Writes what it holds. */
    OBEYED("writeback"),
    /** Nothing: the control. */
    IGNORED("unsafe");

    private final String cache;

    Flush(String cache) {
      this.cache = cache;
    }
  }

  private static final long BYTES = 256L << 20;
  private static final long CAP_SYS_ADMIN = 1L << 21;

  private final Path root;
  private final Path image;
  private final Path socket;
  private final Path fuse;
  private final Path mount;
  private final Thread takeDown = new Thread(this::takeDownQuietly);
  private final List<Process> servers = new ArrayList<>();
  private String loop = ""; // none

  private VolatileDisk(Path root) {
    this.root = root;
    this.image = root.resolve("disk.img");
    this.socket = root.resolve("socket");
    this.fuse = root.resolve("fuse");
    this.mount = root.resolve("mount");
  }

  /** Skips the test, and says why, where there can be no such disk. */
  static void assumePossible() throws Exception {
    Path status = Path.of("/proc/self/status");
    assumeTrue(Files.exists(status), "no power cut: this is not Linux");
    long capabilities =
        Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("CapEff:"))
            .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
            .findFirst()
            .orElse(0);
    assumeTrue((capabilities & CAP_SYS_ADMIN) != 0, "no power cut: this user may not mount");
    for (String device : List.of("/dev/fuse", "/dev/loop-control")) {
      assumeTrue(Files.exists(Path.of(device)), "no power cut: there is no " + device);
    }
    for (String tool : List.of("nbdkit", "nbdfuse", "losetup", "mkfs.ext4", "mount", "umount")) {
      assumeTrue(find(tool).isPresent(), "no power cut: " + tool + " is not installed");
    }
    assumeTrue(start("losetup", "--find").waitFor() == 0, "no power cut: no loop device is free");
    String filters =
        run("nbdkit", "--dump-config")
            .lines()
            .filter(line -> line.startsWith("filterdir="))
            .map(line -> line.substring("filterdir=".length()))
            .findFirst()
            .orElse("");
    assumeTrue(
        Files.exists(Path.of(filters, "nbdkit-cache-filter.so")),
        "no power cut: nbdkit has no cache filter");
  }

  /** A new disk with an empty file system on it; there is no power yet. */
  static VolatileDisk make() throws Exception {
    Path memory = Path.of("/dev/shm");
    Path parent = Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    VolatileDisk disk = new VolatileDisk(Files.createTempDirectory(parent, "weir-power-cut"));
    Runtime.getRuntime().addShutdownHook(disk.takeDown);
    Files.createDirectory(disk.fuse);
    Files.createDirectory(disk.mount);
    try (RandomAccessFile file = new RandomAccessFile(disk.image.toFile(), "rw")) {
      file.setLength(BYTES);
    }
    run("mkfs.ext4", "-q", "-F", disk.image.toString());
    return disk;
  }

  /**
   * Powers it up and mounts it, which brings the file system to a state it was in.
   *
   * <p>The cache is not bounded: one that is drops what it has no room for, written or not.
   */
  void up(Flush flush) throws Exception {
    Path device = fuse.resolve("nbd");
    serve(
        "nbdkit",
        "--foreground",
        "--exit-with-parent",
        "--unix",
        socket.toString(),
        "--filter=cache",
        "file",
        image.toString(),
        "cache=" + flush.cache,
        "cache-min-block-size=4096");
    Await.until("nbdkit listens", () -> Files.exists(socket));
    serve("nbdfuse", device.toString(), "--unix", socket.toString());
    Await.until("nbdfuse shows the disk", () -> Files.exists(device));
    loop = run("losetup", "--find", "--show", "--direct-io=on", device.toString()).strip();
    assertEquals(
        "write back",
        Files.readString(Path.of("/sys/block", loopName(), "queue/write_cache")).strip(),
        "the loop device passes no flush on");
    run("mount", loop, mount.toString());
  }

  /** Where its files are while it is up. */
  Path mount() {
    return mount;
  }

  /** The power is gone; what uses the disk is left with errors. */
  void cut() throws Exception {
    for (Process server : servers) { // the cache first, while it is written to
      server.destroyForcibly().waitFor();
    }
    servers.clear();
  }

  /** Takes away what is left of it after a cut, so that it can be powered up again. */
  void down() throws Exception {
    cut();
    if (isMounted(mount)) {
      run("umount", "-l", mount.toString());
    }
    if (!loop.isEmpty()) {
      Path bound = Path.of("/sys/block", loopName(), "loop");
      run("losetup", "-d", loop);
      Await.until(loop + " lets go", () -> !Files.exists(bound));
      loop = "";
    }
    if (isMounted(fuse)) {
      run("umount", "-l", fuse.toString());
    }
    Files.deleteIfExists(socket);
  }

  /** Takes it down, and all that is on it. */
  void remove() throws Exception {
    Runtime.getRuntime().removeShutdownHook(takeDown);
    takeDown();
  }

  private void takeDownQuietly() {
    try {
      takeDown();
    } catch (Exception e) {
      // The process ends; who looks finds what is left below the root.
    }
  }

  private void takeDown() throws Exception {
    try {
      down();
    } finally {
      // Never below a mount: the files there are not only this disk's matter.
      if (!isMounted(mount) && !isMounted(fuse)) {
        IOUtils.rm(root);
      }
    }
  }

  private String loopName() {
    return loop.substring(loop.lastIndexOf('/') + 1);
  }

  private void serve(String... command) throws IOException {
    ProcessBuilder builder =
        process(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("TMPDIR", root.toString()); // where the cache is kept, unlinked
    servers.add(builder.start());
  }

  private static boolean isMounted(Path directory) throws IOException {
    try (Stream<String> mounts = Files.lines(Path.of("/proc/self/mountinfo"))) {
      return mounts.anyMatch(line -> line.split(" ")[4].equals(directory.toString()));
    }
  }

  private static String run(String... command) throws Exception {
    Process process = start(command);
    String output = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), () -> String.join(" ", command) + ": " + output);
    return output;
  }

  private static Process start(String... command) throws IOException {
    return process(command).redirectErrorStream(true).start();
  }

  private static ProcessBuilder process(String... command) {
    List<String> words = new ArrayList<>(List.of(command));
    words.set(0, find(command[0]).map(Path::toString).orElse(command[0]));
    return new ProcessBuilder(words);
  }

  /** Not all users have the tools of root in their path. */
  private static Optional<Path> find(String tool) {
    return Stream.concat(
            Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)),
            Stream.of("/usr/sbin", "/sbin"))
        .map(directory -> Path.of(directory, tool))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
