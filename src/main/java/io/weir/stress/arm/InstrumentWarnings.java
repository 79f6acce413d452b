package io.weir.stress.arm;

import io.weir.run.ArmFigures;
import io.weir.run.RunWarning;
import io.weir.run.Values;
import io.weir.stress.arm.load.WarmUp;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a reader must know about how an arm was measured. */
public final class InstrumentWarnings {

  /** In a longer gap between two samples, a peak of dirty pages may come and go unseen. */
  private static final double GAP_MILLIS = 1000;

  /** The share of due samples that may be missing, unless it is less than a second in all. */
  private static final double MISSED_SHARE = 0.05;

  private static final long LEAST_MISSED = 10;

  private InstrumentWarnings() {}

  /** Warnings about the warm-up and the samples of an arm. */
  public static List<RunWarning> of(Values arm) {
    List<RunWarning> warnings = new ArrayList<>();
    if (WarmUp.isUnsteady(arm)) {
      warnings.add(unsteady(arm));
    }
    long missed = arm.require(ArmFigures.MISSED_SAMPLES);
    long due = arm.require(ArmFigures.SAMPLES) + missed;
    double gapMillis = arm.require(ArmFigures.LONGEST_GAP);
    if (gapMillis > GAP_MILLIS || missed >= LEAST_MISSED && missed > MISSED_SHARE * due) {
      warnings.add(gaps(missed, due, gapMillis));
    }
    return warnings;
  }

  private static RunWarning unsteady(Values warmUp) {
    return new RunWarning(
        String.format(
            Locale.ROOT,
            "reopens were not steady yet after %.0f s of warm-up: half of them took %.1f ms, then"
                + " %.1f ms",
            warmUp.require(ArmFigures.WARM_UP_SECONDS),
            warmUp.require(ArmFigures.WARM_UP_EARLIER),
            warmUp.require(ArmFigures.WARM_UP_LATER)),
        "the JVM still compiles, caches still fill, or merges of the load still run",
        "a longer --warmup than %.0f s".formatted(warmUp.require(ArmFigures.WARM_UP_ASKED)));
  }

  private static RunWarning gaps(long missed, long due, double gapMillis) {
    return new RunWarning(
        "%d of %d samples were missed, with gaps of up to %.0f ms: a peak of dirty pages in a gap was not seen"
            .formatted(missed, due, gapMillis),
        "the machine or a read of /proc stalled, or a garbage collection paused the JVM",
        "look at noise and at garbage collections; latencies are not affected");
  }
}
