package io.weir.metrics;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.weir.nrt.ReopenCause;
import io.weir.nrt.SlowReopen;
import io.weir.nrt.SlowReopenListener;
import io.weir.nrt.SlowReopens;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The slow reopens of one index by their main cause. Bind one per {@link SlowReopens}. A cause has
 * a meter from its first reopen on; {@link ReopenCause#CPU} has one from the start.
 */
public final class SlowReopenMetrics extends WeirMeterBinder {

  private final SlowReopens slowReopens;

  /**
   * With additional tags.
   *
   * @param tags such as the name of the index, other than {@code cause}
   */
  public SlowReopenMetrics(SlowReopens slowReopens, Tags tags) {
    super(tags, TagKeys.CAUSE);
    this.slowReopens = Objects.requireNonNull(slowReopens, "slowReopens");
  }

  @Override
  Runnable register(MeterSet meters) {
    Causes causes = new Causes(meters);
    slowReopens.addListener(causes);
    return () -> {
      slowReopens.removeListener(causes);
      causes.stop();
    };
  }

  /** Feeds the meters. <b>Threads:</b> the sampler's, and the one that closes. */
  private static final class Causes implements SlowReopenListener {

    private final MeterSet meters;
    private final Map<ReopenCause, Timer> timers = new EnumMap<>(ReopenCause.class); // by this
    private boolean stopped; // guarded by this

    Causes(MeterSet meters) {
      this.meters = meters;
      timers.put(ReopenCause.CPU, timer(ReopenCause.CPU));
    }

    @Override
    public synchronized void slowReopen(SlowReopen slow) {
      if (!stopped) {
        timers
            .computeIfAbsent(slow.cause(), this::timer)
            .record(slow.reopen().totalNanos(), TimeUnit.NANOSECONDS);
      }
    }

    /** Registers no more meters. */
    synchronized void stop() {
      stopped = true;
    }

    private Timer timer(ReopenCause cause) {
      return meters.timer(WeirMeter.REFRESH_SLOW, MeterSet.tagValue(cause));
    }
  }
}
