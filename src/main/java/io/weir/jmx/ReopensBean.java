package io.weir.jmx;

import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.SlowReopenTotals;
import io.weir.nrt.SlowReopens;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Exposes the reopens of an index in JMX as {@code io.weir:type=Reopens,name=...} until it is
 * closed.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the registration, not the monitor.
 */
public final class ReopensBean implements AutoCloseable {

  private static final double NANOS_PER_MILLI = 1e6;

  private final Registration registration;
  private final Runnable detach;

  private ReopensBean(Registration registration, Runnable detach) {
    this.registration = registration;
    this.detach = detach;
  }

  /**
   * Registers at the platform's server.
   *
   * @param slow explains the slow reopens of {@code monitor}
   * @throws IllegalStateException if reopens of that name are registered
   */
  public static ReopensBean register(ReopenMonitor monitor, SlowReopens slow, String name) {
    Objects.requireNonNull(monitor, "monitor");
    Objects.requireNonNull(slow, "slow");
    Objects.requireNonNull(name, "name");
    SlowReopenTotals totals = new SlowReopenTotals();
    Registration registration =
        Registration.of("Reopens", name, new Shown(monitor, slow, totals), ReopensMXBean.class);
    slow.addListener(totals);
    return new ReopensBean(registration, () -> slow.removeListener(totals));
  }

  /** Removes the registration; may be called more than once. */
  @Override
  public void close() {
    registration.close();
    detach.run();
  }

  private record Shown(ReopenMonitor monitor, SlowReopens slow, SlowReopenTotals totals)
      implements ReopensMXBean {

    @Override
    public long getChanged() {
      return monitor.snapshot().changed();
    }

    @Override
    public long getUnchanged() {
      return monitor.snapshot().unchanged();
    }

    @Override
    public long getFailed() {
      return monitor.snapshot().failed();
    }

    @Override
    public double getTotalMillis() {
      return monitor.snapshot().totalNanos() / NANOS_PER_MILLI;
    }

    @Override
    public Double getLastMillis() {
      return millis(monitor.snapshot().lastNanos());
    }

    @Override
    public Double getMaxMillis() {
      return millis(monitor.snapshot().maxNanos());
    }

    @Override
    public double getStalenessMillis() {
      return monitor.staleness().toNanos() / NANOS_PER_MILLI;
    }

    @Override
    public long getSlow() {
      return totals.count();
    }

    @Override
    public Map<String, Double> getSlowCauseMillis() {
      Map<String, Double> millis = new TreeMap<>();
      totals
          .causeNanos()
          .forEach(
              (cause, nanos) ->
                  millis.put(cause.name().toLowerCase(Locale.ROOT), nanos / NANOS_PER_MILLI));
      return millis;
    }

    @Override
    public List<String> getRecentSlow() {
      return slow.recent().stream().map(SlowReopenTotals::describe).toList();
    }

    private static Double millis(OptionalLong nanos) {
      return nanos.isPresent() ? nanos.getAsLong() / NANOS_PER_MILLI : null;
    }
  }
}
