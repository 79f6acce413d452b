package io.weir.control;

import static io.weir.figure.Shown.BEAN;
import static io.weir.figure.Shown.EVENT;
import static io.weir.figure.Shown.METER;
import static io.weir.figure.SourceFigure.known;
import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.measure;
import static io.weir.figure.SourceFigure.words;
import static io.weir.figure.Unit.BYTES_PER_SECOND;
import static io.weir.figure.Unit.NANOS;
import static io.weir.figure.Unit.PERCENT;
import static io.weir.figure.Unit.SECONDS;
import static io.weir.figure.Unit.SHARE;

import io.weir.figure.SourceFigures;
import io.weir.rate.Rate;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

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

  /** What is shown of a deadline. */
  public static final SourceFigures<DeadlineSnapshot> FIGURES =
      SourceFigures.of(
          "lucene.merge.deadline",
          words(
                  "outlook",
                  "Whether forced merges will be done in time",
                  (DeadlineSnapshot now) ->
                      now.outlook.name().toLowerCase(Locale.ROOT).replace('_', '-'))
              .only(EVENT),
          words(
                  "outlook.text",
                  "Whether forced merges will be done in time",
                  (DeadlineSnapshot now) -> now.outlook.text())
              .named(BEAN, "Outlook")
              .only(BEAN),
          measure(
                  "done",
                  SHARE,
                  "The part of the forced merges that is done; -1 when none runs",
                  (DeadlineSnapshot now) -> now.fraction.orElse(Double.NaN))
              .named(BEAN, "DonePercent", PERCENT)
              .without(METER),
          known(
                  "needed",
                  NANOS,
                  "Time that the forced merges still need; unknown at first, and when none runs",
                  (DeadlineSnapshot now) ->
                      now.remaining
                          .map(time -> OptionalLong.of(time.toNanos()))
                          .orElse(OptionalLong.empty()))
              .named(BEAN, "NeededSeconds", SECONDS),
          level(
                  "left",
                  NANOS,
                  "Time until the deadline; negative after it",
                  (DeadlineSnapshot now) -> now.untilDeadline.toNanos())
              .named(BEAN, "LeftSeconds", SECONDS),
          measure(
                  "rate",
                  BYTES_PER_SECOND,
                  "The rate at which forced merges may write; +Inf means no limit, NaN that none runs",
                  DeadlineSnapshot::limitOrInfinite)
              .only(METER),
          known(
                  "rate.limit",
                  BYTES_PER_SECOND,
                  "What forced merges may write per second; -1 without a limit",
                  (DeadlineSnapshot now) ->
                      now.rate.isLimited()
                          ? OptionalLong.of(now.rate.bytesPerSecond())
                          : OptionalLong.empty())
              .named(BEAN, "BytesPerSecond")
              .named(EVENT, "rateBytes")
              .only(BEAN, EVENT),
          words("description", "One sentence with the figures", DeadlineSnapshot::describe)
              .only(BEAN));

  private double limitOrInfinite() {
    if (outlook == Outlook.NO_MERGE) {
      return Double.NaN;
    }
    return rate.isLimited() ? rate.bytesPerSecond() : Double.POSITIVE_INFINITY;
  }

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
