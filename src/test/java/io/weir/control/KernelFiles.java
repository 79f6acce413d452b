package io.weir.control;

import io.weir.procfs.Procfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the kernel would tell, in a directory, as a test says. */
final class KernelFiles {

  private final Path root;
  private final List<String> threads = new ArrayList<>();

  KernelFiles(Path root) {
    this.root = root;
  }

  Procfs procfs() {
    return new Procfs(root);
  }

  /** From now on the process has read so much. */
  void process(long readBytes) throws IOException {
    write("proc/self/io", io(readBytes));
  }

  /** From now on this thread has read so much. */
  void thread(String name, long readBytes) throws IOException {
    write("proc/self/task/" + number(name) + "/io", io(readBytes));
  }

  /** The thread that a test plays from now on. */
  void current(String name) throws IOException {
    write("proc/thread-self/stat", number(name) + " (java) R 1\n");
  }

  /** From now on tasks have waited for disks for so long. */
  void waited(long micros) throws IOException {
    write(
        "proc/pressure/io",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=%d\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"
            .formatted(micros));
  }

  /** The process is in a control group of version 2, whose tasks have waited for disks. */
  void group(String pressure) throws IOException {
    write("proc/self/cgroup", "0::/node\n");
    write("proc/self/mountinfo", "31 22 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    write("sys/fs/cgroup/node/io.pressure", pressure);
  }

  void noPressure() throws IOException {
    Files.delete(root.resolve("proc/pressure/io"));
  }

  private int number(String thread) {
    if (!threads.contains(thread)) {
      threads.add(thread);
    }
    return 100 + threads.indexOf(thread);
  }

  private static String io(long readBytes) {
    return "rchar: 9999999\nwchar: 0\nsyscr: 1\nsyscw: 0\nread_bytes: %d\nwrite_bytes: 12288\n"
        .formatted(readBytes);
  }

  /** In place, so that whoever has it open sees it. */
  private void write(String path, String text) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
