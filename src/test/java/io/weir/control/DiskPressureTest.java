package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.control.ReadersFirst.DiskPressure;
import io.weir.fakes.AutoClock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskPressureTest {

  private static final long WINDOW = Duration.ofMillis(500).toNanos();

  @TempDir Path root;

  private final AutoClock clock = new AutoClock();
  private KernelFiles kernel;

  @BeforeEach
  void machineThatHasBeenUpForLong() throws IOException {
    kernel = new KernelFiles(root);
    kernel.waited(900_000_000);
  }

  @Test
  void share_isOfTheLastWholeWindow() throws IOException {
    DiskPressure pressure = new DiskPressure(kernel.procfs(), clock.nanoTime());
    assertEquals(0, pressure.share(clock.nanoTime()));

    kernel.waited(900_125_000);
    clock.advanceNanos(WINDOW - 1);
    assertEquals(0, pressure.share(clock.nanoTime()));
    clock.advanceNanos(1);
    assertEquals(0.25, pressure.share(clock.nanoTime()));

    kernel.waited(900_525_000);
    clock.advanceNanos(WINDOW - 1);
    assertEquals(0.25, pressure.share(clock.nanoTime()));
    clock.advanceNanos(WINDOW + 1); // nobody asked for two windows
    assertEquals(0.4, pressure.share(clock.nanoTime()));

    clock.advanceNanos(WINDOW);
    assertEquals(0, pressure.share(clock.nanoTime()));
  }

  /** Another container's disk may be busy while this one's is not. */
  @Test
  void share_isOfTheOwnControlGroup_whereTheKernelKeepsIt() throws IOException {
    kernel.group("some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    DiskPressure pressure = new DiskPressure(kernel.procfs(), clock.nanoTime());

    kernel.waited(900_500_000);
    clock.advanceNanos(WINDOW);
    assertEquals(0, pressure.share(clock.nanoTime()));

    kernel.group("some avg10=0.00 avg60=0.00 avg300=0.00 total=250000\n");
    clock.advanceNanos(WINDOW);
    assertEquals(0.5, pressure.share(clock.nanoTime()));
  }

  @Test
  void share_isAtMostOne() throws IOException {
    DiskPressure pressure = new DiskPressure(kernel.procfs(), clock.nanoTime());
    kernel.waited(900_500_001);
    clock.advanceNanos(WINDOW);
    assertEquals(1, pressure.share(clock.nanoTime()));
  }

  @Test
  void share_whereTheKernelStopsTelling_isNoneUntilItTellsForAWholeWindow() throws IOException {
    DiskPressure pressure = new DiskPressure(kernel.procfs(), clock.nanoTime());
    kernel.waited(900_250_000);
    clock.advanceNanos(WINDOW);
    assertEquals(0.5, pressure.share(clock.nanoTime()));

    kernel.noPressure();
    clock.advanceNanos(WINDOW);
    assertEquals(0, pressure.share(clock.nanoTime()));

    kernel.waited(900_900_000);
    clock.advanceNanos(WINDOW);
    assertEquals(0, pressure.share(clock.nanoTime()));
    kernel.waited(901_000_000);
    clock.advanceNanos(WINDOW);
    assertEquals(0.2, pressure.share(clock.nanoTime()));
  }
}
