package io.weir.report.load;

import io.weir.figure.Figure;
import io.weir.report.compare.ConfidenceInterval;
import io.weir.report.words.Figures;
import io.weir.run.ArmFigures;
import io.weir.run.HeaderFigures;
import io.weir.run.Part;
import io.weir.run.Resource;
import io.weir.run.Run;
import io.weir.run.RunFigure;
import io.weir.run.Status;
import io.weir.run.StepFigures;
import io.weir.run.StepOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where an arm saturates, over all its rounds.
 *
 * <p>Each round has the most that it bore and the least that it did not bear. With {@value
 * ConfidenceInterval#LEAST_VALUES} rounds or more, the lower end is that of the confidence interval
 * of the mean of what rounds bore, and the upper end that of the mean of what they did not, on a
 * logarithmic scale. So rounds that agree make it no narrower than the loads that were tried. With
 * fewer rounds, it is from the least that any round bore to the most that any round failed at.
 *
 * <p>A round that was interrupted or failed knows less than the others. It counts only when no
 * round is complete.
 *
 * <p><b>Units:</b> requests per second.
 *
 * @param arm its name
 * @param rounds how many rounds count
 * @param allRounds how many there are
 * @param low the lower end; empty when some round bore no load
 * @param high the upper end; empty when some round bore every load that was tried
 * @param full what was full at the first load that failed, in most rounds; empty when none failed
 * @param clientFull whether the client was full in some round, so that nothing is known above
 * @param recall the part of the nearest neighbours that searches find, the median of the rounds, so
 *     that no arm is faster by being worse; empty without vectors
 */
public record Saturations(
    String arm,
    int rounds,
    int allRounds,
    Optional<Double> low,
    Optional<Double> high,
    Optional<Double> middle,
    Optional<Resource> full,
    boolean clientFull,
    Optional<Double> recall) {

  /** A search by itself ends below this ratio of the ends; loads from a list may not. */
  private static final double MOST_APART = 2.1;

  /** Of all rounds of one arm, at least one. */
  public static Saturations of(String arm, List<Part> allRounds) {
    List<Part> done = allRounds.stream().filter(round -> round.status() == Status.DONE).toList();
    List<Part> rounds = done.isEmpty() ? allRounds : done;
    double[] middles =
        rounds.stream()
            .flatMap(round -> middle(round).stream())
            .mapToDouble(Double::doubleValue)
            .toArray();
    boolean whole = middles.length == rounds.size() && middles.length > 0;
    Optional<Double> middle = whole ? Optional.of(RunFigure.median(middles)) : Optional.empty();
    boolean clientFull =
        rounds.stream()
            .anyMatch(
                round ->
                    !round.parts().isEmpty()
                        && round.parts().getLast().require(StepFigures.OUTCOME)
                            == StepOutcome.CLIENT);
    Optional<Double> low = ifAll(rounds, StepFigures.KEPT).min(Comparator.naturalOrder());
    Optional<Double> high = ifAll(rounds, StepFigures.NOT_KEPT).max(Comparator.naturalOrder());
    if (whole && middles.length >= ConfidenceInterval.LEAST_VALUES) {
      low = Optional.of(Math.exp(ofMean(rounds, StepFigures.KEPT).low()));
      high = Optional.of(Math.exp(ofMean(rounds, StepFigures.NOT_KEPT).high()));
      middle = Optional.of(Math.exp(Arrays.stream(middles).map(Math::log).average().orElseThrow()));
    }
    return new Saturations(
        arm,
        rounds.size(),
        allRounds.size(),
        low,
        high,
        middle,
        full(rounds),
        clientFull,
        recall(rounds));
  }

  private static Optional<Double> recall(List<Part> rounds) {
    double[] known =
        rounds.stream()
            .flatMap(round -> round.get(ArmFigures.RECALL).stream())
            .mapToDouble(Double::doubleValue)
            .toArray();
    return known.length == 0 ? Optional.empty() : Optional.of(RunFigure.median(known));
  }

  /** The geometric middle, if both ends are known. */
  private static Optional<Double> middle(Part round) {
    return round
        .get(StepFigures.KEPT)
        .flatMap(least -> round.get(StepFigures.NOT_KEPT).map(most -> Math.sqrt(least * most)));
  }

  /** One end in each round; nothing unless all rounds have it. */
  private static Stream<Double> ifAll(List<Part> rounds, Figure<Double> end) {
    return rounds.stream().allMatch(round -> round.get(end).isPresent())
        ? rounds.stream().map(round -> round.require(end))
        : Stream.empty();
  }

  /** Of the logarithms of one end, which all rounds have. */
  private static ConfidenceInterval ofMean(List<Part> rounds, Figure<Double> end) {
    return ConfidenceInterval.ofMean(
        rounds.stream().mapToDouble(round -> Math.log(round.require(end))).toArray());
  }

  private static Optional<Resource> full(List<Part> rounds) {
    Map<Resource, Long> votes =
        rounds.stream()
            .flatMap(round -> firstFailed(round).stream())
            .collect(
                Collectors.groupingBy(
                    step -> step.require(StepFigures.FULL), Collectors.counting()));
    return votes.entrySet().stream()
        .max(Map.Entry.<Resource, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey);
  }

  /** The step at the least load that failed. */
  private static Optional<Part> firstFailed(Part round) {
    return round
        .get(StepFigures.NOT_KEPT)
        .flatMap(
            failed ->
                round.parts().stream()
                    .filter(
                        step ->
                            step.get(StepFigures.LOAD).equals(Optional.of(failed))
                                && step.require(StepFigures.OUTCOME).isFailure())
                    .reduce((first, last) -> last));
  }

  /** One sentence without the arm's name and without a full stop. */
  public String sentence() {
    return load() + recall.map(found -> "; recall@10 " + Figures.twoDecimals(found)).orElse("");
  }

  private String load() {
    String rest =
        clientFull
            ? "; the client was saturated, so higher loads are unknown"
            : full.filter(resource -> high.isPresent())
                .map(resource -> "; the bottleneck was " + resource.label())
                .orElse("");
    String some = rounds < allRounds ? " (%d of %d rounds)".formatted(rounds, allRounds) : "";
    Function<Double, String> rate = Saturations::rate;
    String counted = rounds == allRounds && rounds > 1 ? " (" + rounds + " rounds)" : some;
    if (low.isPresent() && high.isPresent() && high.get() > MOST_APART * low.get()) {
      return "saturates between %s and %s requests/s%s: too far apart to name a load%s"
          .formatted(rate.apply(low.get()), rate.apply(high.get()), counted, rest);
    }
    if (low.isPresent() && high.isPresent()) {
      return "saturates at %s requests/s, between %s and %s%s%s"
          .formatted(
              middle.map(rate).orElse("?"),
              rate.apply(low.get()),
              rate.apply(high.get()),
              counted,
              rest);
    }
    if (low.isPresent()) {
      return "sustained %s requests/s and every lower load that was tried%s%s"
          .formatted(rate.apply(low.get()), some, rest);
    }
    return high.isPresent()
        ? "sustained no load that was tried; %s requests/s was already too much%s%s"
            .formatted(rate.apply(high.get()), some, rest)
        : "its saturation is not known" + rest;
  }

  /** What every arm bears, in one sentence; empty if nothing is known of any. */
  public static Optional<String> answer(Run run) {
    List<String> arms = new ArrayList<>();
    for (String name : run.names()) {
      Saturations of = of(name, run.rounds(name));
      String found =
          of.recall.map(share -> " with a recall@10 of " + Figures.twoDecimals(share)).orElse("");
      of.bears().ifPresent(load -> arms.add(name + " " + load + found));
    }
    return run.values()
        .get(HeaderFigures.LIMIT)
        .filter(limit -> !arms.isEmpty())
        .map(
            limit ->
                "With a p99 of at most %s ms, %s."
                    .formatted(Figures.brief(limit), String.join("; ", arms)));
  }

  private Optional<String> bears() {
    Optional<String> between =
        low.flatMap(
            least ->
                high.map(
                    most ->
                        most > MOST_APART * least
                            ? "saturates between %s and %s requests/s"
                                .formatted(rate(least), rate(most))
                            : "saturates at %s requests/s"
                                .formatted(middle.map(Saturations::rate).orElse("?"))));
    return between
        .or(() -> low.map(least -> "sustained %s requests/s".formatted(rate(least))))
        .or(() -> high.map(most -> "sustained less than %s requests/s".formatted(rate(most))));
  }

  /** A load in a sentence. */
  public static String rate(double perSecond) {
    return Figures.brief(perSecond);
  }
}
