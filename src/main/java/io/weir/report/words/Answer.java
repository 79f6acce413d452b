package io.weir.report.words;

import io.weir.report.compare.Comparison;
import io.weir.report.compare.Difference;
import io.weir.report.compare.Difference.Verdict;
import io.weir.report.compare.LatencyTail;
import io.weir.run.MergeFigures;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a run found: by how much the reopens and the merge of other arms differ from the first
 * arm's, or that no difference can be detected.
 *
 * <p>Figures are the range over rounds; a ratio is the mean of the ratios of each round, as in
 * {@link Difference}. A run in which an arm could not bear its load has no such answer: it says so.
 *
 * @param paragraphs a sentence or two for each of the other arms
 * @param caveat why the paragraphs may be chance
 */
public record Answer(List<String> paragraphs, Optional<String> caveat) {

  /** For more arms the table of differences is the better place. */
  private static final int MOST_ARMS = 3;

  /** A difference below this is not worth a number when it may be chance. */
  private static final double NEARLY = 0.05;

  private static final double FACTOR = 2;

  /** Of a run of one arm, or when nothing was measured in two arms: no paragraph. */
  public static Answer of(Run run) {
    Optional<String> ofSweep = SweepWords.answer(run);
    if (ofSweep.isPresent()) {
      return new Answer(List.of(ofSweep.get()), Optional.empty());
    }
    return Comparison.of(run)
        .map(
            comparison ->
                comparison.obstacles().isEmpty()
                    ? new Sentences(run, comparison).answer()
                    : notComparable(comparison))
        .orElse(new Answer(List.of(), Optional.empty()));
  }

  private static Answer notComparable(Comparison comparison) {
    String remedy =
        comparison.overloaded().isEmpty()
            ? " Run it again when the machine stays as it is."
            : " Ask for less load.";
    return new Answer(
        List.of("Not comparable: " + firstOf(comparison.obstacles()) + remedy), Optional.empty());
  }

  private static String firstOf(List<String> sentences) {
    return sentences.getFirst()
        + (sentences.size() == 1 ? "." : " (and %d more).".formatted(sentences.size() - 1));
  }

  /** Makes the sentences from what is compared. */
  private record Sentences(Run run, Comparison comparison) {

    Answer answer() {
      return new Answer(
          comparison.differences().stream()
              .map(Difference::name)
              .distinct()
              .limit(MOST_ARMS)
              .map(this::paragraph)
              .filter(paragraph -> !paragraph.isEmpty())
              .toList(),
          caveat());
    }

    private Optional<String> caveat() {
      String leftOut =
          comparison.changed().isEmpty()
              ? ""
              : "Left out as not comparable: " + firstOf(comparison.changed()) + " ";
      String all = leftOut + tooFew().orElse("");
      return Optional.of(all.strip()).filter(words -> !words.isEmpty());
    }

    private Optional<String> tooFew() {
      return comparison.differences().stream()
          .filter(Difference::isJudged)
          .filter(difference -> difference.verdict() == Verdict.TOO_FEW_ROUNDS)
          .map(Difference::rounds)
          .max(Comparator.naturalOrder())
          .map(
              rounds ->
                  "%s cannot rule out chance: an interval needs %d."
                      .formatted(
                          rounds == 1 ? "One round" : rounds + " rounds", Comparison.LEAST_ROUNDS));
    }

    private String paragraph(String arm) {
      List<String> sentences = new ArrayList<>();
      for (Difference difference : comparison.differences()) {
        if (difference.name().equals(arm) && difference.figure() == tail().figure()) {
          sentences.add(reopens(difference));
        } else if (difference.name().equals(arm)
            && difference.figure() == RunFigure.MERGE_SECONDS) {
          sentences.add(merge(difference));
        }
      }
      return String.join(" ", sentences);
    }

    private LatencyTail tail() {
      return LatencyTail.ofReopens(run.parts());
    }

    /** {@code Reopen p99}, or what can be known instead. */
    private String name() {
      return tail().figure() == RunFigure.REOPEN_MAX
          ? "The longest reopen"
          : "R" + tail().label().substring(1);
    }

    private String reopens(Difference difference) {
      String what = name() + window(difference.name());
      String arm = difference.name();
      String base = comparison.base();
      String value = range(arm, tail().figure());
      String baseValue = range(base, tail().figure());
      double ratio = difference.ratio();
      if (difference.verdict() == Verdict.NONE) {
        return "%s: no detectable difference between %s and %s, %s and %s in %s%s."
            .formatted(
                what,
                arm,
                base,
                value,
                baseValue,
                Figures.count(difference.rounds(), "round"),
                leastSeen(difference));
      }
      if (difference.verdict() == Verdict.SAME) {
        return "%s was %s with %s as with %s: %s and %s."
            .formatted(what, Verdict.SAME.label(), arm, base, value, baseValue);
      }
      if (isNearlyOne(difference)) {
        return "%s was about the same with %s and with %s: %s and %s."
            .formatted(what, arm, base, value, baseValue);
      }
      boolean isLongest = tail().figure() == RunFigure.REOPEN_MAX;
      String form =
          ratio < FACTOR
              ? "%s with %s than with %s"
              : isLongest ? "%s as long with %s as with %s" : "%s as high with %s as with %s";
      String less = isLongest ? " shorter" : " lower";
      String more = isLongest ? " longer" : " higher";
      String change = amount(ratio, ratio) + (ratio < 1 ? less : ratio < FACTOR ? more : "");
      return "%s was %s%s: %s, not %s%s."
          .formatted(
              what,
              onAverage(difference),
              form.formatted(change, arm, base),
              value,
              baseValue,
              interval(difference));
    }

    private String merge(Difference difference) {
      String value = range(difference.name(), RunFigure.MERGE_SECONDS);
      String baseValue = range(comparison.base(), RunFigure.MERGE_SECONDS);
      double ratio = difference.ratio();
      if (difference.verdict() == Verdict.NONE) {
        return "The merge took %s and %s: no detectable difference%s."
            .formatted(value, baseValue, leastSeen(difference));
      }
      if (difference.verdict() == Verdict.SAME) {
        return "The merge took %s: %s and %s.".formatted(Verdict.SAME.label(), value, baseValue);
      }
      if (isNearlyOne(difference)) {
        return "The merge took about as long: %s and %s.".formatted(value, baseValue);
      }
      String change = ratio < 1 ? "less time" : ratio < FACTOR ? "more time" : "as long";
      return "The merge took %s%s %s: %s, not %s%s."
          .formatted(
              onAverage(difference),
              amount(ratio, ratio),
              change,
              value,
              baseValue,
              interval(difference));
    }

    private static String leastSeen(Difference difference) {
      return difference
          .leastSeen()
          .map(least -> " (one of %.0f %% would be seen)".formatted(least * 100))
          .orElse("");
    }

    private static String onAverage(Difference difference) {
      return difference.rounds() > 1 ? "on average " : "";
    }

    /** {@code 38.1 to 41.0 ms}, over the rounds of {@code arm}. */
    private String range(String arm, RunFigure figure) {
      List<Double> values =
          run.parts().stream()
              .filter(result -> result.name().equals(arm) && result.status() == Status.DONE)
              .flatMap(result -> figure.of(result).stream())
              .sorted()
              .toList();
      return "%s %s".formatted(Figures.range(values.getFirst(), values.getLast()), figure.unit());
    }

    /** Says that an arm had no merge, whose reopens then count in the same window. */
    private String window(String arm) {
      boolean mine = hasMerge(arm);
      boolean bases = hasMerge(comparison.base());
      if (mine && bases) {
        return " during the merge";
      }
      return mine == bases
          ? ""
          : " in the window of the merge (%s ran none)".formatted(mine ? comparison.base() : arm);
    }

    private boolean hasMerge(String arm) {
      return run.rounds(arm).stream().anyMatch(MergeFigures::isMerged);
    }

    private static boolean isNearlyOne(Difference difference) {
      return difference.verdict() == Verdict.TOO_FEW_ROUNDS
          && Math.abs(difference.ratio() - 1) < NEARLY;
    }

    private static String interval(Difference difference) {
      boolean lower = difference.ratio() < 1;
      return difference
          .interval()
          .map(
              ends ->
                  " (%d %% interval: %s to %s)"
                      .formatted(
                          Comparison.LEVEL_PERCENT,
                          number(lower ? ends.high() : ends.low(), difference.ratio()),
                          amount(lower ? ends.low() : ends.high(), difference.ratio())))
          .orElse("");
    }

    /** {@code 26 times} or {@code 12 %}, whichever suits {@code scale}. */
    private static String amount(double ratio, double scale) {
      return number(ratio, scale) + (isFactor(scale) ? " times" : " %");
    }

    private static String number(double ratio, double scale) {
      return isFactor(scale)
          ? Figures.brief(scale < 1 ? 1 / ratio : ratio)
          : String.format(Locale.ROOT, "%.0f", Math.abs(ratio - 1) * 100);
    }

    private static boolean isFactor(double ratio) {
      return ratio >= FACTOR || ratio <= 1 / FACTOR;
    }
  }
}
