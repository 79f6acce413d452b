package io.weir.jmx;

import static io.weir.figure.SourceFigure.sentences;

import io.weir.figure.SourceFigures;
import io.weir.nrt.ReopenMonitor;
import io.weir.nrt.ReopenSnapshot;
import io.weir.nrt.SlowReopen;
import io.weir.nrt.SlowReopenTotals;
import io.weir.nrt.SlowReopens;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Exposes the reopens of an index in JMX as {@code io.weir:type=Reopens,name=...} until it is
 * closed.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the registration, not the monitor.
 */
public final class ReopensBean extends Registration {

  private static final SourceFigures<SlowReopens> FIGURES =
      SourceFigures.of(
          "lucene.refresh",
          sentences(
              "recent.slow",
              "The last slow reopens, oldest first: duration, causes, merges that ran",
              slow -> slow.recent().stream().map(ReopensBean::describe).toList()));

  private final SlowReopens slow;
  private final SlowReopenTotals totals;

  private ReopensBean(
      ReopenMonitor monitor, SlowReopens slow, SlowReopenTotals totals, String name) {
    super(
        "Reopens",
        name,
        new FiguresBean("The reopens of an index, and the causes of slow ones", Optional.empty())
            .with(ReopenSnapshot.FIGURES, monitor::snapshot)
            .with(SlowReopenTotals.FIGURES, () -> totals)
            .with(FIGURES, () -> slow));
    this.slow = slow;
    this.totals = totals;
    slow.addListener(totals);
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
    return new ReopensBean(monitor, slow, new SlowReopenTotals(), name);
  }

  /** Removes the registration; may be called more than once. */
  @Override
  public void close() {
    super.close();
    slow.removeListener(totals);
  }

  private static String describe(SlowReopen slow) {
    return "a reopen took "
        + Duration.ofNanos(slow.reopen().totalNanos()).toMillis()
        + " ms: "
        + slow.explanation();
  }
}
