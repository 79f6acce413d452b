package io.weir.why;

import io.weir.nrt.ReopenCause;
import io.weir.why.Answer.Verdict;
import io.weir.why.ShareOfTime.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Two observations of one application, before and after something was changed there. Each is one
 * sample: a change is one if it is beyond what two such samples differ by chance, and what made it
 * is not known.
 *
 * <p>Of a cause of refreshes it is not the share of their time that is compared, but that of all
 * time: it falls as well when refreshes get short and rare to see.
 *
 * <p><b>Threads:</b> immutable.
 */
final class Comparison {

  /** What became of the cause. */
  enum Outcome {
    BETTER,
    WORSE,
    UNCHANGED,
    OTHER_CAUSE,
    NOT_COMPARABLE
  }

  /** By these names it is known what was looked at. */
  private static final List<String> KINDS =
      List.of("process", "cluster", "opensearch", "elasticsearch", "solr-core");

  /** How much was looked at says nothing of what was seen. */
  private static final Set<Fact> OF_THE_LOOK =
      Set.of(Fact.STACKS, Fact.REGULAR_LOOKS, Fact.REFRESH_STACKS, Fact.REFRESH_RUNS);

  private static final List<Fact> LOAD = List.of(Fact.INDEXING, Fact.SEARCHES, Fact.MERGES);

  /** Of rules for these, other merges are what the advice is meant to bring. */
  private static final Set<Fact> OF_MERGES =
      Set.of(
          Fact.of(ReopenCause.MERGE),
          Fact.of(ReopenCause.MERGE_WAIT),
          Fact.of(ReopenCause.MERGE_STALL));

  /** Load that differs by more says that the looks were at unlike times. */
  private static final double LOAD_FACTOR = 2;

  /** And it must differ by more standard errors, which few sightings do not. */
  private static final double LOAD_ERRORS = 2;

  private final Observation before;
  private final Observation after;
  private final Answer answerBefore;
  private final Answer answerAfter;
  private final Optional<Rule> subject;
  private final List<String> obstacles;
  private final List<String> load;
  private final Change change;

  Comparison(Observation before, Observation after) {
    this.before = before;
    this.after = after;
    this.answerBefore = Answer.of(before);
    this.answerAfter = Answer.of(after);
    this.subject = answerBefore.rule().or(answerAfter::rule);
    this.obstacles = findObstacles();
    this.load = obstacles.isEmpty() ? differentLoad() : List.of();
    this.change =
        obstacles.isEmpty()
            ? measured(before).orElseThrow().to(measured(after).orElseThrow())
            : Change.WITHIN_CHANCE;
  }

  Observation before() {
    return before;
  }

  Observation after() {
    return after;
  }

  Answer answerBefore() {
    return answerBefore;
  }

  Answer answerAfter() {
    return answerAfter;
  }

  /** Why the two cannot be compared; empty if they can. */
  List<String> obstacles() {
    return obstacles;
  }

  /** What of the load differs so much that a comparison says little. */
  List<String> load() {
    return load;
  }

  Outcome outcome() {
    if (!obstacles.isEmpty()) {
      return Outcome.NOT_COMPARABLE;
    }
    if (answerBefore.rule().isPresent()
        && answerAfter.rule().isPresent()
        && !answerBefore.rule().equals(answerAfter.rule())) {
      return Outcome.OTHER_CAUSE;
    }
    return switch (change) {
      case LESS -> Outcome.BETTER;
      case MORE -> Outcome.WORSE;
      case WITHIN_CHANCE -> Outcome.UNCHANGED;
    };
  }

  /** The answer: whether the cause went, and how its figures changed. */
  String sentence() {
    if (!obstacles.isEmpty()) {
      return "The two looks cannot be compared: " + String.join("; ", obstacles) + ".";
    }
    String found =
        switch (outcome()) {
          case BETTER -> "It got better: " + figures() + ". " + state();
          case WORSE -> "It got worse: " + figures() + ". " + state();
          case UNCHANGED -> "Nothing changed beyond chance: " + figures() + ". " + state() + more();
          default ->
              "Another cause answers now: %s The one before %s: %s."
                  .formatted(
                      answerAfter.sentence(),
                      switch (change) {
                        case LESS -> "has less of the time";
                        case MORE -> "has more of the time";
                        case WITHIN_CHANCE -> "has not changed beyond chance";
                      },
                      figures());
        };
    return load.isEmpty()
        ? found
        : "This says little, because the load differs: %s. %s"
            .formatted(String.join("; ", load), found);
  }

  /** A threshold lies between two figures that are the same for all that can be said. */
  private String more() {
    return answerBefore.rule().equals(answerAfter.rule())
        ? ""
        : " Longer looks can tell the two apart, with --for.";
  }

  /** What answers now, where it is not another cause. */
  private String state() {
    if (answerAfter.verdict() == Verdict.NOTHING_WRONG) {
      return answerBefore.verdict() == Verdict.NOTHING_WRONG
          ? "Nothing was wrong with refreshes before, and nothing is now."
          : "Nothing is wrong with refreshes now.";
    }
    if (answerAfter.rule().isEmpty()) {
      return answerAfter.sentence();
    }
    return answerBefore.rule().isPresent()
        ? "This is still the cause."
        : "This is the cause now, and none was named before.";
  }

  /** The figures of the cause, each with what it is now. */
  private String figures() {
    List<String> places = subject.map(Rule::places).orElse(List.of());
    String cause =
        subject
            .map(rule -> Rule.filled(rule.answer(), id -> Optional.of(both(fact(rule, id)))))
            .map(Comparison::asClause)
            .orElse("");
    if (places.contains(Fact.REFRESH_SHARE.id())) {
      return cause;
    }
    String refreshes = "a refresh ran %s of the time".formatted(both(Fact.REFRESH_SHARE));
    return cause.isEmpty() ? refreshes : cause + "; " + refreshes;
  }

  private static String asClause(String sentence) {
    return sentence.substring(0, 1).toLowerCase(Locale.ROOT)
        + sentence.substring(1, sentence.length() - 1);
  }

  private static Fact fact(Rule rule, String id) {
    return rule.needs().stream()
        .map(Rule.Need::fact)
        .filter(fact -> fact.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** {@code 71 % (now 3 %)}. */
  private String both(Fact fact) {
    return "%s (now %s)".formatted(spelled(before, fact), spelled(after, fact));
  }

  private static String spelled(Observation seen, Fact fact) {
    OptionalDouble value = value(seen, fact);
    return value.isEmpty() ? "not seen" : WhyReport.spelled(value.getAsDouble(), fact);
  }

  /** The value of a fact; a cause of which no look saw anything has 0 % of refreshes that were. */
  static OptionalDouble value(Observation seen, Fact fact) {
    boolean isNone =
        seen.value(fact).isEmpty()
            && isCause(fact)
            && seen.value(Fact.REFRESH_STACKS).orElse(0) > 0;
    return isNone ? OptionalDouble.of(0) : seen.value(fact);
  }

  private static boolean isCause(Fact fact) {
    return fact.equals(Fact.REFRESH_DISK)
        || Stream.of(ReopenCause.values()).map(Fact::of).anyMatch(fact::equals);
  }

  /**
   * The fact that says how much there is of the cause; that of refreshes where there is none, or
   * where it is no share, whose error would not be known.
   */
  private Fact weight() {
    return subject
        .map(Rule::weight)
        .filter(fact -> fact.unit().equals(Fact.PERCENT))
        .orElse(Fact.REFRESH_SHARE);
  }

  /** The share of all time that the subject has; empty if that was not seen. */
  private Optional<ShareOfTime> measured(Observation seen) {
    Fact weight = weight();
    OptionalDouble looks = seen.value(Fact.REGULAR_LOOKS);
    OptionalDouble runs = seen.value(Fact.REFRESH_RUNS);
    OptionalDouble refreshes = seen.value(Fact.REFRESH_SHARE);
    if (looks.isEmpty() || runs.isEmpty() || refreshes.isEmpty()) {
      return Optional.empty();
    }
    if (isCause(weight)) {
      double share = seen.value(weight).orElse(0) / 100 * refreshes.getAsDouble() / 100;
      return Optional.of(of(share, looks.getAsDouble(), runs.getAsDouble()));
    }
    boolean isRefresh = weight.equals(Fact.REFRESH_SHARE);
    return seen.value(weight).stream()
        .mapToObj(
            percent ->
                // What is counted is at least as exact as what so many looks would find.
                of(
                    percent / 100,
                    looks.getAsDouble(),
                    isRefresh ? runs.getAsDouble() : Double.POSITIVE_INFINITY))
        .findFirst();
  }

  private static ShareOfTime of(double share, double looks, double runs) {
    return new ShareOfTime(Math.clamp(share, 0, 1), looks, runs);
  }

  /**
   * Whether the value of a fact changed; empty where the error of its value is not known, as that
   * of what the kernel counts.
   */
  Optional<Change> change(Fact fact) {
    OptionalDouble from = value(before, fact);
    OptionalDouble to = value(after, fact);
    boolean isRefresh = fact.equals(Fact.REFRESH_SHARE);
    if (from.isEmpty() || to.isEmpty() || !obstacles.isEmpty() || !isRefresh && !isCause(fact)) {
      return Optional.empty();
    }
    return Optional.of(one(before, from, isRefresh).to(one(after, to, isRefresh)));
  }

  /** Of the time of refreshes, one refresh is one sample. */
  private static ShareOfTime one(Observation seen, OptionalDouble percent, boolean isRefresh) {
    double runs = seen.value(Fact.REFRESH_RUNS).orElse(0);
    double looks = isRefresh ? seen.value(Fact.REGULAR_LOOKS).orElse(0) : runs;
    return of(percent.getAsDouble() / 100, looks, isRefresh ? runs : Double.POSITIVE_INFINITY);
  }

  /** The facts to show: those of the rules, then those that changed most; in both looks. */
  List<Fact> facts() {
    Set<Fact> facts = new LinkedHashSet<>(subject.map(Rule::figures).orElse(List.of()));
    facts.addAll(answerAfter.figures());
    facts.add(Fact.REFRESH_SHARE);
    facts.add(Fact.REFRESH_LONGEST);
    Stream.concat(before.facts().keySet().stream(), after.facts().keySet().stream())
        .distinct()
        .sorted(Comparator.comparingDouble((Fact fact) -> -difference(fact)))
        .forEach(facts::add);
    facts.removeIf(fact -> value(before, fact).isEmpty() || value(after, fact).isEmpty());
    return List.copyOf(facts);
  }

  /**
   * Of shares the points, of others the part of the larger, or of 1; less for what is shown last.
   */
  private double difference(Fact fact) {
    if (OF_THE_LOOK.contains(fact)) {
      return -1;
    }
    double from = value(before, fact).orElse(0);
    double to = value(after, fact).orElse(0);
    double most = Math.max(1, Math.max(Math.abs(from), Math.abs(to)));
    double size = fact.unit().equals(Fact.PERCENT) ? 100 : most;
    return Math.abs(from - to) / size;
  }

  /** The facts that only one of the two looks saw. */
  List<Fact> facts(Observation seen) {
    Observation other = seen == before ? after : before;
    return seen.facts().keySet().stream().filter(fact -> value(other, fact).isEmpty()).toList();
  }

  /** What one of the two could not see, and the other could. */
  List<String> unseen(Observation seen) {
    List<String> unseen = new ArrayList<>(seen.unseen());
    unseen.removeAll((seen == before ? after : before).unseen());
    return unseen;
  }

  private List<String> findObstacles() {
    List<String> found = new ArrayList<>();
    List<String> kindBefore = KINDS.stream().filter(before.about()::containsKey).toList();
    List<String> kindAfter = KINDS.stream().filter(after.about()::containsKey).toList();
    if (!kindBefore.equals(kindAfter)) {
      found.add(
          "they are of unlike kinds, %s before and %s after"
              .formatted(named(kindBefore), named(kindAfter)));
    }
    add(found, "before", before, answerBefore);
    add(found, "after", after, answerAfter);
    for (Fact fact : before.facts().keySet()) {
      after.facts().keySet().stream()
          .filter(other -> other.id().equals(fact.id()) && !other.unit().equals(fact.unit()))
          .forEach(
              other ->
                  found.add(
                      "%s has the unit '%s' before and '%s' after"
                          .formatted(fact.id(), fact.unit(), other.unit())));
    }
    return List.copyOf(found);
  }

  private static String named(List<String> kind) {
    return kind.isEmpty() ? "no process" : String.join(" with ", kind);
  }

  private void add(List<String> found, String when, Observation seen, Answer answer) {
    seen.unseen().stream()
        .filter(sentence -> sentence.startsWith(Observation.ENDING))
        .map(sentence -> sentence.substring(Observation.ENDING.length()).replaceAll("\\.$", ""))
        .forEach(why -> found.add(when + ", " + why));
    if (answer.verdict() == Verdict.TOO_LITTLE) {
      found.add(
          "too little was seen %s, in %s looks, and it needs %d"
              .formatted(
                  when, WhyReport.spelled(seen.value(Fact.STACKS).orElse(0)), Answer.LEAST_LOOKS));
    } else if (answer.verdict() == Verdict.NO_LUCENE) {
      found.add("no thread worked in Lucene " + when);
    } else if (measured(seen).isEmpty()) {
      found.add(
          "the answer %s does not say how many looks %s is from".formatted(when, weight().id()));
    }
  }

  private List<String> differentLoad() {
    boolean ofMerges = OF_MERGES.contains(weight());
    return LOAD.stream()
        .filter(fact -> !(ofMerges && fact.equals(Fact.MERGES)))
        .filter(this::isOtherLoad)
        .map(fact -> "%s, %s".formatted(fact.label(), both(fact)))
        .toList();
  }

  private boolean isOtherLoad(Fact fact) {
    OptionalDouble from = before.value(fact);
    OptionalDouble to = after.value(fact);
    if (from.isEmpty() || to.isEmpty()) {
      return false;
    }
    double least = Math.min(from.getAsDouble(), to.getAsDouble());
    double most = Math.max(from.getAsDouble(), to.getAsDouble());
    double error = Math.sqrt(loadVariance(before, from) + loadVariance(after, to));
    return most > LOAD_FACTOR * least && most - least > LOAD_ERRORS * error;
  }

  /** Of a mean of counts in looks, as those of Poisson vary. */
  private static double loadVariance(Observation seen, OptionalDouble mean) {
    double looks = Math.max(1, seen.value(Fact.REGULAR_LOOKS).orElse(1));
    return (mean.getAsDouble() * looks + 1) / looks / looks;
  }
}
