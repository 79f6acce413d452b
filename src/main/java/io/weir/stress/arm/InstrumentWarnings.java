package io.weir.stress.arm;

import io.weir.stress.result.InstrumentResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.result.WarmUpResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a reader must know about how an arm was measured. */
public final class InstrumentWarnings {

  /** In a longer gap between two samples, a peak of dirty pages may come and go unseen. */
  private static final double GAP_MILLIS = 1000;

  /** The share of due samples that may be missing, unless it is less than a second in all. */
  private static final double MISSED_SHARE = 0.05;

  private static final long LEAST_MISSED = 10;

  private InstrumentWarnings() {}

  /**
   * Warnings about the warm-up and the samples.
   *
   * @param warmUp empty when the arm ended before it did
   */
  public static List<RunWarning> of(Optional<WarmUpResult> warmUp, InstrumentResult instrument) {
    List<RunWarning> warnings = new ArrayList<>();
    warmUp.filter(WarmUpResult::isUnsteady).ifPresent(result -> warnings.add(unsteady(result)));
    if (instrument.longestGapMillis() > GAP_MILLIS
        || instrument.missedSamples() >= LEAST_MISSED
            && instrument.missedSamples()
                > MISSED_SHARE * (instrument.samples() + instrument.missedSamples())) {
      warnings.add(gaps(instrument));
    }
    return warnings;
  }

  private static RunWarning unsteady(WarmUpResult warmUp) {
    return new RunWarning(
        String.format(
            Locale.ROOT,
            "reopens were not steady yet after %.0f s of warm-up: half of them took %.1f ms, then"
                + " %.1f ms",
            warmUp.seconds(),
            warmUp.earlierMillis().orElseThrow(),
            warmUp.laterMillis().orElseThrow()),
        "the JVM still compiles, caches still fill, or merges of the load still run",
        "a longer --warmup than %.0f s".formatted(warmUp.askedSeconds()));
  }

  private static RunWarning gaps(InstrumentResult instrument) {
    return new RunWarning(
        "%d of %d samples were missed, with gaps of up to %.0f ms: a peak of dirty pages in a gap was not seen"
            .formatted(
                instrument.missedSamples(),
                instrument.samples() + instrument.missedSamples(),
                instrument.longestGapMillis()),
        "the machine or a read of /proc stalled, or a garbage collection paused the JVM",
        "look at noise and at garbage collections; latencies are not affected");
  }
}
