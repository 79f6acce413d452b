package io.weir.stress.arm.meters;

import io.weir.procfs.Procfs;
import io.weir.run.ArmFigures;
import io.weir.run.HostNoise;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.timeline.LatencyRecorder;
import io.weir.stress.arm.timeline.Timeline;
import io.weir.stress.noise.HiccupMeter;
import io.weir.stress.noise.HostCounters;
import io.weir.time.NanoClock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Hiccups of the arm's JVM and the activity of others on the machine, phase by phase.
 *
 * <p>The activity of others is read when {@link #look} finds a new phase, about once a second; a
 * phase that falls between two looks is not measured.
 *
 * <p><b>Threads:</b> {@link #look} from one.
 */
public final class NoiseMeter implements Meter, AutoCloseable {

  private final LongFunction<HostCounters> counters;
  private final Timeline timeline;
  private final LatencyRecorder hiccups = new LatencyRecorder();
  private final Map<Phase, HostNoise> host = new EnumMap<>(Phase.class);
  private final HiccupMeter meter;
  private Phase phase = Phase.WARMUP;
  private HostCounters entered;

  /** For an arm whose load runs in this process. */
  public NoiseMeter(Procfs procfs, NanoClock clock, Timeline timeline) {
    this(nanos -> HostCounters.read(procfs, nanos), clock, timeline);
  }

  /**
   * For an arm whose load runs in a server: dirty pages cannot be attributed to other processes.
   */
  public static NoiseMeter besideAServer(Procfs procfs, Timeline timeline) {
    return new NoiseMeter(
        nanos -> HostCounters.read(procfs, nanos).withoutOwn(), timeline.clock(), timeline);
  }

  private NoiseMeter(LongFunction<HostCounters> counters, NanoClock clock, Timeline timeline) {
    this.counters = counters;
    this.timeline = timeline;
    this.entered = counters.apply(timeline.nowNanos());
    this.meter = new HiccupMeter(clock, this::turn);
  }

  @Override
  public void look() {
    Phase now = timeline.phaseOf(timeline.nowNanos());
    if (now != phase) {
      leave(now);
    }
  }

  /** Stops measuring. */
  @Override
  public void close() {
    meter.close();
  }

  /** The noise of each phase until now; closes. */
  @Override
  public Values values() {
    close();
    leave(phase);
    Values.Builder values = Values.builder();
    for (Phase measured : Phase.MEASURED) {
      values
          .put(ArmFigures.HICCUPS, measured, hiccups.summary(measured))
          .put(ArmFigures.NOISE_HOST, measured, Optional.ofNullable(host.get(measured)));
    }
    return values.build();
  }

  private void leave(Phase next) {
    HostCounters now = counters.apply(timeline.nowNanos());
    host.put(phase, now.since(entered));
    entered = now;
    phase = next;
  }

  private void turn(long lateNanos) {
    hiccups.record(timeline.phaseOf(timeline.nowNanos() - lateNanos), lateNanos);
  }
}
