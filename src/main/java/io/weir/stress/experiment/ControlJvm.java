package io.weir.stress.experiment;

import io.weir.procfs.Procfs;
import io.weir.stress.arm.timeline.LatencyTally;
import io.weir.stress.noise.HiccupMeter;
import io.weir.stress.noise.HostCounters;
import io.weir.stress.noise.NoiseRules;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.HostNoise;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.NoiseResult;
import io.weir.time.NanoClock;
import java.time.Duration;

/**
 * This JVM while it waits for those of the arms: it does nothing, so what it feels is the machine's
 * doing.
 *
 * <p><b>Threads:</b> one; the meter has its own.
 */
final class ControlJvm implements AutoCloseable {

  private static final long LOOK_BEFORE_NANOS = Duration.ofSeconds(1).toNanos();

  private final LatencyTally late = new LatencyTally(); // the meter's, until it is closed
  private final HiccupMeter meter;

  /** Begins to feel. */
  ControlJvm(NanoClock clock) {
    this.meter = new HiccupMeter(clock, late::record);
  }

  /** How quiet the machine is while nothing of this run does anything: looks for a second. */
  static NoiseResult before(Procfs procfs, NanoClock clock) {
    HostCounters start = HostCounters.read(procfs, clock.nanoTime());
    try (ControlJvm control = new ControlJvm(clock)) {
      for (long left = LOOK_BEFORE_NANOS;
          left > 0;
          left = start.nanos() + LOOK_BEFORE_NANOS - clock.nanoTime()) {
        clock.parkNanos(control, left);
        if (Thread.currentThread().isInterrupted()) {
          break; // the run that was to follow is called off
        }
      }
      HostNoise host = HostCounters.read(procfs, clock.nanoTime()).since(start);
      LatencySummary felt = control.end();
      return new NoiseResult(null, felt, null, host, NoiseRules.before(host, felt));
    }
  }

  /** {@code arm} with what was felt while it ran, and what is to be said of it. Closes. */
  ArmResult judge(ArmResult arm) {
    LatencySummary felt = end();
    NoiseResult own = arm.noise();
    return arm.withNoise(
        new NoiseResult(
            own == null ? null : own.hiccups(),
            felt,
            own == null ? null : own.host(),
            null,
            NoiseRules.during(own == null ? null : own.host(), felt)));
  }

  @Override
  public void close() {
    meter.close();
  }

  private LatencySummary end() {
    close();
    return late.summary();
  }
}
