package io.weir.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.weir.fakes.SteppedClock;
import io.weir.procfs.Procfs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinuxMetricsTest {

  @TempDir Path root;

  private final MeterRegistry registry = new SimpleMeterRegistry();

  @BeforeEach
  void aKernel() throws IOException {
    write("proc/meminfo", "MemTotal: 1000 kB\nDirty: 100 kB\nWriteback: 20 kB\n");
    write(
        "proc/vmstat",
        "nr_dirtied 7\nnr_written 5\nnr_dirty_threshold 50\nnr_dirty_background_threshold 20\n"
            + "workingset_refault_file 9\n");
    write("proc/pressure/io", "some avg10=0 total=2500000\nfull avg10=0 total=500000\n");
    write("proc/self/cgroup", "0::/a\n");
    write("proc/self/mountinfo", "31 22 0:26 / /cg rw shared:9 - cgroup2 cgroup2 rw\n");
    write("cg/a/memory.stat", "file_dirty 4096\nfile_writeback 0\nworkingset_refault_file 2\n");
    write("cg/a/io.pressure", "some avg10=0 total=1000000\n");
  }

  @Test
  void meters_ofAWholeKernel_areInBytesAndSeconds() {
    new LinuxMetrics(new Procfs(root), Tags.empty()).bindTo(registry);

    assertEquals(100 * 1024, gauge("system.memory.linux.dirty", "scope", "host"));
    assertEquals(20 * 1024, gauge("system.memory.linux.writeback", "scope", "host"));
    assertEquals(4096, gauge("system.memory.linux.dirty", "scope", "cgroup"));
    assertEquals(0, gauge("system.memory.linux.writeback", "scope", "cgroup"));
    assertEquals(2.5, counter("system.linux.pressure.io", "scope", "host", "stall", "some"));
    assertEquals(0.5, counter("system.linux.pressure.io", "scope", "host", "stall", "full"));
    assertEquals(1, counter("system.linux.pressure.io", "scope", "cgroup", "stall", "some"));
    assertTrue(
        registry
            .find("system.linux.pressure.io")
            .tags("scope", "cgroup", "stall", "full")
            .meters()
            .isEmpty(),
        "it does not tell");
  }

  @Test
  void distance_isToTheThreshold_lessWhatTheKernelCompares() throws IOException {
    // The page size is not known below another root, so thresholds have no bytes there.
    Files.createDirectories(root.resolve("proc/self"));
    Files.write(root.resolve("proc/self/auxv"), auxv(4096));
    new LinuxMetrics(new Procfs(root), Tags.empty()).bindTo(registry);

    assertEquals(50 * 4096, gauge("system.memory.linux.dirty.threshold", "level", "limit"));
    assertEquals(
        50 * 4096 - 120 * 1024, gauge("system.memory.linux.dirty.distance", "level", "limit"));
    assertEquals(
        20 * 4096 - 100 * 1024,
        gauge("system.memory.linux.dirty.distance", "level", "background"),
        "negative: it is being written back");
    assertEquals(7 * 4096, counter("system.linux.writeback.dirtied"));
    assertEquals(5 * 4096, counter("system.linux.writeback.written"));
    assertEquals(9 * 4096, counter("system.memory.linux.refaulted", "scope", "host"));
    assertEquals(2 * 4096, counter("system.memory.linux.refaulted", "scope", "cgroup"));
  }

  @Test
  void bindTo_whereNothingIsTold_registersNothing(@TempDir Path empty) {
    new LinuxMetrics(new Procfs(empty), Tags.empty()).bindTo(registry);
    assertEquals(List.of(), registry.getMeters().stream().map(Meter::getId).toList());
  }

  @Test
  void meters_whoseSourceVanishes_areNaNOrStandStill_andNeverZero() throws IOException {
    SteppedClock clock = new SteppedClock();
    new LinuxMetrics(new Procfs(root), Tags.empty(), clock).bindTo(registry);
    Files.delete(root.resolve("proc/meminfo"));
    Files.delete(root.resolve("proc/pressure/io"));
    assertEquals(100 * 1024, gauge("system.memory.linux.dirty", "scope", "host"), "as just read");

    clock.advanceNanos(Reading.KEPT.toNanos());

    assertTrue(Double.isNaN(gauge("system.memory.linux.dirty", "scope", "host")));
    assertEquals(2.5, counter("system.linux.pressure.io", "scope", "host", "stall", "some"));
  }

  private double gauge(String name, String... tags) {
    return registry.get(name).tags(tags).gauge().value();
  }

  private double counter(String name, String... tags) {
    return registry.get(name).tags(tags).functionCounter().count();
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** AT_PAGESZ, then AT_NULL, in the order of this machine. */
  private static byte[] auxv(long pageSize) {
    java.nio.ByteBuffer words =
        java.nio.ByteBuffer.allocate(32).order(java.nio.ByteOrder.nativeOrder());
    words.putLong(6).putLong(pageSize).putLong(0).putLong(0);
    return words.array();
  }
}
