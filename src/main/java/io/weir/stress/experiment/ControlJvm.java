package io.weir.stress.experiment;

import io.weir.procfs.Procfs;
import io.weir.run.ArmFigures;
import io.weir.run.HeaderFigures;
import io.weir.run.HostNoise;
import io.weir.run.LatencySummary;
import io.weir.run.Noise;
import io.weir.run.Part;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.LatencyTally;
import io.weir.stress.noise.HiccupMeter;
import io.weir.stress.noise.HostCounters;
import io.weir.stress.noise.NoiseRules;
import io.weir.time.NanoClock;
import java.time.Duration;

/**
 * The control of an arm: this JVM, which only waits while the arm runs, so any delay it sees is the
 * machine's.
 *
 * <p><b>Threads:</b> one; the meter has its own.
 */
public final class ControlJvm implements AutoCloseable {

  private static final long LOOK_BEFORE_NANOS = Duration.ofSeconds(1).toNanos();

  private final LatencyTally late = new LatencyTally(); // the meter's, until it is closed
  private final HiccupMeter meter;

  /** Begins to measure. */
  public ControlJvm(NanoClock clock) {
    this.meter = new HiccupMeter(clock, late::record);
  }

  /** How quiet the machine is before the run does anything: measures for a second. */
  public static Noise before(Procfs procfs, NanoClock clock) {
    HostCounters start = HostCounters.read(procfs, clock.nanoTime());
    try (ControlJvm control = new ControlJvm(clock)) {
      for (long left = LOOK_BEFORE_NANOS;
          left > 0;
          left = start.nanos() + LOOK_BEFORE_NANOS - clock.nanoTime()) {
        clock.parkNanos(control, left);
        if (Thread.currentThread().isInterrupted()) {
          break; // the run is cancelled
        }
      }
      HostNoise host = HostCounters.read(procfs, clock.nanoTime()).since(start);
      LatencySummary delays = control.end();
      return new Noise(
          Values.builder()
              .put(HeaderFigures.NOISE_CONTROL, delays)
              .put(HeaderFigures.NOISE_BEFORE, host)
              .build(),
          NoiseRules.before(host, delays));
    }
  }

  /** {@code arm} with the noise that was measured while it ran, and the findings. Closes. */
  Part judge(Part arm) {
    LatencySummary delays = end();
    return arm.with(
        new Noise(
            Values.builder().put(ArmFigures.NOISE_CONTROL, delays).build(),
            NoiseRules.during(arm.values(), delays)));
  }

  @Override
  public void close() {
    meter.close();
  }

  /** How late its idle thread was until now. Closes. */
  public LatencySummary end() {
    close();
    return late.summary();
  }
}
