package io.weir.engine;

import io.weir.control.ScheduledRate;
import io.weir.option.HumanSchedule;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import io.weir.rate.RateSchedule;
import io.weir.rate.RateSchedule.Window;
import java.io.Closeable;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/**
 * The cap of a node by the hour: that of the window which holds now, and the node's own at all
 * other times.
 *
 * <p><b>Threads:</b> any; from the first window on, a daemon thread looks at the clock. It sets the
 * rate of the budget only when the hours or an operator want another one. <b>Ownership:</b> {@link
 * #close} ends the thread and leaves the rate as it is.
 */
public final class NodeCap implements Closeable {

  /** The name of the setting with the windows, in each engine. */
  public static final String SCHEDULE = "weir.merge.schedule";

  /** The name of the setting with the time zone of the windows, in each engine. */
  public static final String TIME_ZONE = "weir.merge.time_zone";

  private static final String EXAMPLE_CAP = "10mb";
  private static final long UNLIMITED = -1;

  /**
   * Windows of the week with a cap of their own.
   *
   * @param text as the operator wrote it; empty for none
   * @param windows the first one that contains a time decides
   */
  public record Schedule(String text, List<Window> windows) {

    /** No windows. */
    public static final Schedule NONE = new Schedule("", List.of());

    /**
     * Parses {@code Mon-Fri 09:00-17:00 10mb; Sat 00:00-24:00 20mb}.
     *
     * @param setting whose value it is, for the message
     * @param rates parses the cap of a window; its arguments are the setting and the text
     * @throws IllegalArgumentException if it is not that; the message names the setting
     */
    public static Schedule parse(
        String setting, String text, BiFunction<String, String, Rate> rates) {
      String stripped = text.strip();
      return stripped.isEmpty()
          ? NONE
          : new Schedule(
              stripped, HumanSchedule.parseWindows(setting, stripped, EXAMPLE_CAP, rates));
    }
  }

  private final ByteBudget budget;
  private final ZoneId zone;
  private Rate cap; // guarded by this, as all below
  private Schedule schedule = Schedule.NONE;
  private Optional<ScheduledRate> scheduled = Optional.empty();
  private boolean closed;

  /**
   * Sets the rate of a budget from now on; its present one is the node's cap.
   *
   * @param zone of the windows
   */
  public NodeCap(ByteBudget budget, ZoneId zone) {
    this.budget = Objects.requireNonNull(budget, "budget");
    this.zone = Objects.requireNonNull(zone, "zone");
    this.cap = budget.rate();
  }

  /**
   * The time zone of that name, or this machine's.
   *
   * @param setting whose value it is, for the message
   * @param name such as {@code Europe/Berlin}; empty for this machine's
   * @throws IllegalArgumentException if there is none of that name
   */
  public static ZoneId zone(String setting, String name) {
    try {
      return name.isBlank() ? ZoneId.systemDefault() : ZoneId.of(name.strip());
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          setting + " must be a time zone such as Europe/Berlin or UTC: " + name, e);
    }
  }

  /**
   * A cap in bytes per second.
   *
   * @param setting whose value it is, for the message
   * @param bytes from 1 to {@link Rate#MAX_BYTES_PER_SECOND}, or -1 for no cap
   * @throws IllegalArgumentException if it is not that; 0 would stop all merges
   */
  public static Rate rate(String setting, long bytes) {
    if (bytes == UNLIMITED) {
      return Rate.UNLIMITED;
    }
    if (bytes < 1) {
      throw new IllegalArgumentException(
          setting + " must be at least 1 byte, or -1 for no cap: " + bytes + "b");
    }
    if (bytes > Rate.MAX_BYTES_PER_SECOND) {
      throw new IllegalArgumentException(
          setting + " must be at most " + Rate.MAX_BYTES_PER_SECOND + "b: " + bytes + "b");
    }
    return Rate.perSecond(bytes);
  }

  /**
   * The cap of a window.
   *
   * @param setting whose value it is, for the message
   * @param text such as {@code 10mb}
   * @param bytes parses a number of bytes as the engine does; not all of its messages have the name
   *     of the setting
   * @throws IllegalArgumentException if it is not a cap; the message names the setting
   */
  public static Rate rate(String setting, String text, ToLongFunction<String> bytes) {
    long number;
    try {
      number = bytes.applyAsLong(text);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          setting
              + " must have a cap such as "
              + EXAMPLE_CAP
              + " in each window, or -1 for no cap: "
              + text,
          e);
    }
    return rate(setting, number);
  }

  /** Sets the cap outside the windows, at once if none holds now. */
  public synchronized void setCap(Rate newCap) {
    cap = Objects.requireNonNull(newCap, "newCap");
    apply();
  }

  /** Sets the windows, at once. */
  public synchronized void setSchedule(Schedule newSchedule) {
    schedule = Objects.requireNonNull(newSchedule, "newSchedule");
    apply();
  }

  /** The windows. */
  public synchronized Schedule schedule() {
    return schedule;
  }

  private void apply() {
    RateSchedule week = new RateSchedule(schedule.windows(), cap);
    if (scheduled.isPresent()) {
      scheduled.get().setSchedule(week);
    } else if (schedule.windows().isEmpty() || closed) {
      budget.setRate(cap);
    } else {
      scheduled = Optional.of(ScheduledRate.begin(week, zone, budget::setRate));
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    scheduled.ifPresent(ScheduledRate::close);
  }
}
