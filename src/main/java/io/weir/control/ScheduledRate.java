package io.weir.control;

import io.weir.rate.Rate;
import io.weir.rate.RateSchedule;
import io.weir.time.NanoClock;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Sets a rate by the time of the week.
 *
 * <pre>{@code
 * RateSchedule hours = HumanSchedule.parse("hours", "Mon-Fri 09:00-17:00 10MB/s; else 100MB/s");
 * ScheduledRate quiet = ScheduledRate.begin(hours, ZoneId.systemDefault(), budget::setRate);
 * }</pre>
 *
 * <p>It sets the rate at once, and then whenever the schedule asks for another one. A rate that
 * somebody else sets in between holds until then. To stop only forced merges in quiet hours, let it
 * set theirs: {@code rate -> scheduler.setRate(MergeKind.FORCED, rate)}.
 *
 * <p><b>Threads:</b> a daemon thread looks once a second and sets the rate. <b>Ownership:</b>
 * {@link #close} leaves the rate as it is. <b>Failure:</b> what the setter throws is logged once,
 * and tried again a second later; {@link #begin} and {@link #setSchedule} throw it.
 */
public final class ScheduledRate implements AutoCloseable {

  static final long TICK_NANOS = 1_000_000_000;

  private final Clock wall;
  private final Consumer<Rate> setter;
  private final TickThread thread;
  private RateSchedule schedule; // guarded by this
  private Optional<Rate> last = Optional.empty(); // guarded by this

  /** Follows a schedule until {@link #close}. */
  public static ScheduledRate begin(RateSchedule schedule, ZoneId zone, Consumer<Rate> setter) {
    return begin(schedule, Clock.system(zone), NanoClock.SYSTEM, setter);
  }

  static ScheduledRate begin(
      RateSchedule schedule, Clock wall, NanoClock clock, Consumer<Rate> setter) {
    ScheduledRate scheduled = new ScheduledRate(schedule, wall, clock, setter);
    scheduled.look();
    scheduled.thread.start();
    return scheduled;
  }

  private ScheduledRate(RateSchedule schedule, Clock wall, NanoClock clock, Consumer<Rate> setter) {
    this.schedule = Objects.requireNonNull(schedule, "schedule");
    this.wall = wall;
    this.setter = Objects.requireNonNull(setter, "setter");
    this.thread =
        new TickThread("weir-scheduled-rate", TICK_NANOS, clock, (now, lateNanos) -> look());
  }

  /** The rate that the schedule has asked for last. */
  public synchronized Rate rate() {
    return last.orElseThrow();
  }

  /** Follows another schedule from now on, and sets its rate at once. */
  public synchronized void setSchedule(RateSchedule newSchedule) {
    schedule = Objects.requireNonNull(newSchedule, "newSchedule");
    last = Optional.empty();
    look();
  }

  private synchronized void look() {
    Optional<Rate> now = Optional.of(schedule.at(LocalDateTime.now(wall)));
    if (!now.equals(last)) {
      setter.accept(now.get());
      last = now;
    }
  }

  /** Follows the schedule no longer. May be called more than once. */
  @Override
  public void close() {
    thread.close();
  }
}
