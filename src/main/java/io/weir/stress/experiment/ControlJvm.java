package io.weir.stress.experiment;

import io.weir.procfs.Procfs;
import io.weir.stress.noise.HiccupMeter;
import io.weir.stress.noise.HostCounters;
import io.weir.stress.noise.NoiseRules;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.HostNoise;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.NoiseResult;
import io.weir.time.NanoClock;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * This JVM while it waits for those of the arms: it does nothing, so what it feels is the machine's
 * doing.
 *
 * <p><b>Threads:</b> one; the meter has its own.
 */
final class ControlJvm implements AutoCloseable {

  private static final int SIGNIFICANT_DIGITS = 3;
  private static final long LOOK_BEFORE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final double NANOS_PER_MILLI = 1e6;

  private final Histogram lateNanos = new Histogram(SIGNIFICANT_DIGITS); // of the meter's thread
  private final HiccupMeter meter;

  /** Begins to feel. */
  ControlJvm(NanoClock clock) {
    this.meter = new HiccupMeter(clock, lateNanos::recordValue);
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
    if (lateNanos.getTotalCount() == 0) {
      return LatencySummary.EMPTY;
    }
    return new LatencySummary(
        lateNanos.getTotalCount(),
        lateNanos.getMean() / NANOS_PER_MILLI,
        millis(50),
        millis(90),
        millis(99),
        millis(100));
  }

  private double millis(double percentile) {
    return Math.round(lateNanos.getValueAtPercentile(percentile) / 1e3) / 1e3;
  }
}
