package io.weir.stress.arm.meters;

import io.weir.procfs.Procfs;
import io.weir.run.Values;
import io.weir.stress.arm.logs.HistogramLog;
import io.weir.stress.arm.timeline.Timeline;
import java.io.Closeable;
import java.util.List;

/**
 * The threads that measure an arm beside its load: the one that samples, and the one that detects
 * hiccups.
 *
 * <p><b>Threads:</b> one. <b>Ownership:</b> its threads, not the sampler and the logs.
 */
public final class Instruments implements Closeable {

  private final Timeline timeline;
  private final NoiseMeter noise;
  private final SamplingThread sampling;

  /** Starts to measure an arm whose load runs in this process. */
  public Instruments(
      Timeline timeline, SampleSource sampler, List<HistogramLog> logs, Runnable everySecond) {
    this(
        timeline,
        new NoiseMeter(Procfs.SYSTEM, timeline.clock(), timeline),
        sampler,
        logs,
        everySecond);
  }

  /**
   * Starts to measure.
   *
   * @param noise is closed with this
   */
  public Instruments(
      Timeline timeline,
      NoiseMeter noise,
      SampleSource sampler,
      List<HistogramLog> logs,
      Runnable everySecond) {
    this.timeline = timeline;
    this.noise = noise;
    this.sampling =
        new SamplingThread(
            timeline,
            sampler,
            logs,
            () -> {
              noise.look();
              everySecond.run();
            });
  }

  /**
   * Takes the last sample, after everything else has ended, and returns what was measured, and what
   * that cost.
   */
  public Values finish() throws Exception {
    Values cost = InstrumentCost.until(timeline.nowNanos() - timeline.firstNanos());
    sampling.finish();
    return Values.builder().put(noise.values()).put(sampling.values()).put(cost).build();
  }

  @Override
  public void close() {
    noise.close();
  }
}
