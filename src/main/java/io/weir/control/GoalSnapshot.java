package io.weir.control;

import static io.weir.figure.Shown.BEAN;
import static io.weir.figure.SourceFigure.known;
import static io.weir.figure.SourceFigure.level;
import static io.weir.figure.SourceFigure.sentences;
import static io.weir.figure.SourceFigure.total;
import static io.weir.figure.SourceFigure.words;
import static io.weir.figure.Unit.BYTES_PER_SECOND;
import static io.weir.figure.Unit.COUNT;
import static io.weir.figure.Unit.NANOS;

import io.weir.figure.SourceFigures;
import io.weir.rate.Rate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a {@link LatencyGoal} holds, what it saw and what it did. The counts only grow.
 *
 * @param held each target, with what was seen of it
 * @param rate the rate of the budget that the goal set last
 * @param ceiling the highest rate
 * @param decisions how many decisions there were for each reason
 * @param lastMinute the decisions of the last minute, oldest first
 */
public record GoalSnapshot(
    List<Held> held,
    Rate rate,
    Rate ceiling,
    Map<GoalReason, Long> decisions,
    List<GoalDecision> lastMinute) {

  private static final double NANOS_PER_SECOND = 1e9;

  /** What is shown of a goal; {@link Held#FIGURES} are those of each latency. */
  public static final SourceFigures<GoalSnapshot> FIGURES =
      SourceFigures.of(
              "lucene.merge.goal",
              sentences(
                  "targets",
                  "Each target, with what was seen of it",
                  (GoalSnapshot goal) -> goal.held.stream().map(Held::toString).toList()),
              known(
                      "rate",
                      BYTES_PER_SECOND,
                      "The rate that the goal set last; absent without a cap",
                      (GoalSnapshot goal) -> limited(goal.rate))
                  .named(BEAN, "BytesPerSecond")
                  .only(BEAN), // a meter of the budget has it
              known(
                  "floor",
                  BYTES_PER_SECOND,
                  "The lowest cap that the goal may set; NaN before its first decision",
                  (GoalSnapshot goal) ->
                      goal.last()
                          .map(last -> OptionalLong.of(last.floorBytesPerSecond()))
                          .orElse(OptionalLong.empty())),
              known(
                      "ceiling",
                      BYTES_PER_SECOND,
                      "The highest rate; absent without one",
                      (GoalSnapshot goal) -> limited(goal.ceiling))
                  .only(BEAN),
              words(
                      "reason",
                      "Why the last decision was taken",
                      (GoalSnapshot goal) ->
                          goal.last().map(last -> last.reason().text()).orElse(null))
                  .only(BEAN),
              sentences("last.minute", "The decisions of the last minute", GoalSnapshot::explain))
          .by("budget");

  private static OptionalLong limited(Rate rate) {
    return rate.isLimited() ? OptionalLong.of(rate.bytesPerSecond()) : OptionalLong.empty();
  }

  /**
   * A target and what was seen of it.
   *
   * @param target what is held
   * @param tailNanos its percentile over the last ten to twenty seconds; empty without samples
   * @param samples the number of operations so far
   * @param misses those that took longer than the limit
   */
  public record Held(LatencyTarget target, OptionalLong tailNanos, long samples, long misses) {

    /** What is shown of each. */
    public static final SourceFigures<Held> FIGURES =
        SourceFigures.of(
                "lucene.merge.goal",
                level(
                    "limit",
                    NANOS,
                    "Limit of a latency that sets the cap",
                    (Held held) -> held.target.limit().toNanos()),
                known(
                    "seen",
                    NANOS,
                    "The percentile that is held, over the last ten to twenty seconds; NaN without"
                        + " samples",
                    Held::tailNanos),
                total("samples", COUNT, "Operations whose latency is held", Held::samples)
                    .counting("operations"),
                total("misses", COUNT, "Those that took longer than the limit", Held::misses)
                    .counting("operations"))
            .by("budget", "latency");

    /** As in {@code reopen.p99 < 50 ms: 31 ms; 2 of 41 over the limit}. */
    @Override
    public String toString() {
      String seen = tailNanos.isPresent() ? Figures.millis(tailNanos.getAsLong()) : "no samples";
      return String.format(
          Locale.ROOT, "%s: %s; %d of %d over the limit", target, seen, misses, samples);
    }
  }

  /** Keeps copies. */
  public GoalSnapshot {
    held = List.copyOf(held);
    Map<GoalReason, Long> copy = new EnumMap<>(GoalReason.class);
    copy.putAll(decisions);
    decisions = Collections.unmodifiableMap(copy);
    lastMinute = List.copyOf(lastMinute);
  }

  /** The last decision; empty before the first. */
  public Optional<GoalDecision> last() {
    return lastMinute.isEmpty() ? Optional.empty() : Optional.of(lastMinute.getLast());
  }

  /**
   * The last minute in sentences, oldest first: each change of the rate, and each new reason to
   * leave it as it is.
   */
  public List<String> explain() {
    List<String> sentences = new ArrayList<>();
    GoalDecision before = null;
    for (GoalDecision decision : lastMinute) {
      if (decision.isChange() || before == null || decision.reason() != before.reason()) {
        double ago = (lastMinute.getLast().atNanos() - decision.atNanos()) / NANOS_PER_SECOND;
        sentences.add(Math.round(ago) + " s ago: " + decision.describe());
      }
      before = decision;
    }
    return sentences;
  }
}
