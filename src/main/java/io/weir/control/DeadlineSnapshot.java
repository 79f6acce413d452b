package io.weir.control;

import io.weir.rate.Rate;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Whether forced merges will be done in time.
 *
 * @param outlook whether they will
 * @param fraction the part of them that is done, from 0 to 1; empty when none runs
 * @param remaining the time until they are done; empty when unknown
 * @param untilDeadline the time left; negative when the deadline has passed
 * @param rate what forced merges may write, so that they are done in time
 */
public record DeadlineSnapshot(
    Outlook outlook,
    OptionalDouble fraction,
    Optional<Duration> remaining,
    Duration untilDeadline,
    Rate rate) {

  private static final int WHOLE = 100;

  /** Whether a deadline holds. */
  public enum Outlook {
    /** No forced merge runs. */
    NO_MERGE("no forced merge runs"),
    /** The merges have not shown their speed yet, or write more than was expected. */
    UNKNOWN("outcome unknown"),
    /** They will be done in time. */
    ON_TIME("on time"),
    /** They will be done after the deadline, or it has passed; nothing here holds them back. */
    LATE("late");

    private final String text;

    Outlook(String text) {
      this.text = text;
    }

    /** In words. */
    public String text() {
      return text;
    }
  }

  /** One sentence with the figures. */
  public String describe() {
    String done =
        fraction.isPresent()
            ? String.format(Locale.ROOT, "%.0f %% done, ", fraction.getAsDouble() * WHOLE)
            : "";
    String left = remaining.map(time -> "about " + time.toSeconds() + " s to go, ").orElse("");
    String held =
        rate.isLimited()
            ? "at " + Figures.megabytes(rate.bytesPerSecond()) + " MB/s"
            : "at full speed";
    return String.format(
        Locale.ROOT,
        "%s: %s%s%d s until the deadline, %s",
        outlook.text,
        done,
        left,
        untilDeadline.toSeconds(),
        held);
  }
}
