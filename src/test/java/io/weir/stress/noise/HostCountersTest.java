package io.weir.stress.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.procfs.Procfs;
import io.weir.run.HostNoise;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class HostCountersTest {

  private static final OptionalLong NONE = OptionalLong.empty();

  @TempDir Path nothing;

  @Test
  void since_isShareOfTimeAndBytesOfOthers() {
    HostCounters then = counters(1_000_000_000L, 1000, 10, 500_000, 80_000, 7000);
    HostCounters now = counters(3_000_000_000L, 1400, 16, 900_000, 100_000, 12_000);
    assertEquals(
        new HostNoise(2, Optional.of(1.5), Optional.of(20.0), Optional.of(15_000L)),
        now.since(then));
  }

  /** A process may be charged for a page before the machine counts it. */
  @Test
  void since_ownBytesAheadOfTheMachines_isNothingOfOthers() {
    HostCounters then = counters(0, 1000, 10, 0, 80_000, 7000);
    HostCounters now = counters(1_000_000_000L, 1400, 10, 0, 80_100, 7200);
    assertEquals(
        new HostNoise(1, Optional.of(0.0), Optional.of(0.0), Optional.of(0L)), now.since(then));
  }

  @Test
  void read_whereTheKernelTellsNothing_isAbsent() {
    HostCounters then = HostCounters.read(new Procfs(nothing), 0);
    assertEquals(new HostCounters(0, NONE, NONE, NONE, NONE, NONE), then);
    assertEquals(
        new HostNoise(2, Optional.empty(), Optional.empty(), Optional.empty()),
        HostCounters.read(new Procfs(nothing), 2_000_000_000L).since(then));
    assertEquals(
        new HostNoise(0, Optional.empty(), Optional.empty(), Optional.of(0L)), // no time has passed
        counters(5, 1, 1, 1, 1, 1).since(counters(5, 1, 1, 1, 1, 1)));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void read_onThisMachine_knowsItsProcessors() {
    HostCounters then = HostCounters.read(Procfs.SYSTEM, 0);
    assertTrue(then.cpuTicks().orElseThrow() > then.stealTicks().orElseThrow());
    assertTrue(
        HostCounters.read(Procfs.SYSTEM, 1).cpuTicks().orElseThrow()
            >= then.cpuTicks().orElseThrow());
  }

  private static HostCounters counters(
      long nanos, long ticks, long steal, long stalledMicros, long dirtied, long own) {
    return new HostCounters(
        nanos,
        OptionalLong.of(ticks),
        OptionalLong.of(steal),
        OptionalLong.of(stalledMicros),
        OptionalLong.of(dirtied),
        OptionalLong.of(own));
  }
}
