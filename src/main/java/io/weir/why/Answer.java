package io.weir.why;

import io.weir.nrt.ReopenCause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What an observation means.
 *
 * @param verdict of what kind the answer is
 * @param sentence the answer
 * @param also what else was found, in sentences
 * @param rule the rule that answers; empty if none does
 * @param figures the facts that show it, most telling first
 */
record Answer(
    Verdict verdict, String sentence, List<String> also, Optional<Rule> rule, List<Fact> figures) {

  /** Fewer looks say little of shares. */
  static final int LEAST_LOOKS = 10;

  /** Fewer looks at refreshes say little of what they wait for. */
  static final int LEAST_REFRESH_STACKS = 5;

  /** Refreshes that run for more of the time, or for longer, are slow. */
  static final double SLOW_SHARE_PERCENT = 35;

  static final double SLOW_MILLIS = 200;

  /** A cause with less of the time of slow refreshes is no answer. */
  private static final double CAUSE_PERCENT = 30;

  /** So much leaves no processor for a look. */
  private static final double BUSY_PERCENT = 90;

  /** What shows how refreshes are, where no rule says more; three of them are shown. */
  private static final List<Fact> USUAL =
      List.of(Fact.REFRESH_SHARE, Fact.REFRESH_LONGEST, Fact.REFRESH_MEAN, Fact.MERGE_SHARE);

  /** Any of it means that Lucene is used; the counters of an engine see what no stack shows. */
  private static final List<Fact> WORK =
      List.of(Fact.MERGE_SHARE, Fact.SEARCHES, Fact.INDEXING, Fact.COMMIT_SHARE, Fact.REFRESH_RATE);

  /** Kinds of answers. */
  enum Verdict {
    /** A rule names the cause. */
    CAUSE,
    /** Refreshes are slow; what they wait for is known, what helps is not. */
    NO_RULE,
    /** Refreshes are not slow, and nothing else was found. */
    NOTHING_WRONG,
    /** No thread was in Lucene. */
    NO_LUCENE,
    /** The look was too short. */
    TOO_LITTLE
  }

  /** The answer by all rules. */
  static Answer of(Observation seen) {
    return of(seen, Rules.ALL);
  }

  static Answer of(Observation seen, List<Rule> rules) {
    int looks = (int) seen.value(Fact.STACKS).orElse(0);
    int refreshStacks = (int) seen.value(Fact.REFRESH_STACKS).orElse(0);
    boolean enough = looks >= LEAST_LOOKS;
    boolean known = refreshStacks >= LEAST_REFRESH_STACKS;
    boolean slow = isSlow(seen);
    List<Rule> holding =
        rules.stream()
            .filter(rule -> enough || rule.kind().isCounted())
            .filter(rule -> slow && known || rule.kind() != Rule.Kind.OF_SLOW_REFRESHES)
            .filter(rule -> rule.holds(seen))
            .sorted(
                Comparator.comparing((Rule rule) -> rule.kind().isOfRefreshes())
                    .thenComparingDouble(rule -> -seen.facts().get(rule.weight())))
            .toList();
    if (!holding.isEmpty()) {
      List<String> also = holding.stream().skip(1).map(rule -> rule.sentence(seen)).toList();
      Rule first = holding.getFirst();
      return new Answer(
          Verdict.CAUSE, first.sentence(seen), also, Optional.of(first), first.figures());
    }
    if (!enough) {
      return without(
          Verdict.TOO_LITTLE,
          "Too little was seen for an answer: %d looks, and it needs %d. Look for longer, with --for."
                  .formatted(looks, LEAST_LOOKS)
              + (seen.value(Fact.CPU_BUSY).orElse(0) < BUSY_PERCENT
                  ? ""
                  : " The processors were busy %s of the time, so looks took long and were rare."
                      .formatted(WhyReport.spelled(seen, Fact.CPU_BUSY).orElseThrow())));
    }
    if (slow) {
      return known
          ? slow(seen)
          : without(
              Verdict.TOO_LITTLE,
              "Refreshes are slow, and too little was seen to say why: %d looks at one, and it needs"
                      .formatted(refreshStacks)
                  + " %d. Look for longer, with --for.".formatted(LEAST_REFRESH_STACKS));
    }
    boolean any =
        refreshStacks > 0 || WORK.stream().anyMatch(fact -> seen.value(fact).orElse(0) > 0);
    if (!any) {
      return without(
          Verdict.NO_LUCENE,
          "No thread worked in Lucene in any of %d looks: nothing can be said of its refreshes. Look"
                  .formatted(looks)
              + " again while it indexes and searches.");
    }
    return new Answer(
        Verdict.NOTHING_WRONG,
        "Nothing is wrong with refreshes here: %s.".formatted(howRefreshesWere(seen, looks)),
        List.of(),
        Optional.empty(),
        USUAL);
  }

  /** Of a JVM the longest refresh is known, of a cluster their mean. */
  private static String howRefreshesWere(Observation seen, int looks) {
    String share =
        seen.value(Fact.REFRESH_STACKS).orElse(0) == 0
            ? "none ran in any of %d looks".formatted(looks)
            : "one ran %s of the time"
                .formatted(WhyReport.spelled(seen, Fact.REFRESH_SHARE).orElseThrow());
    return share
        + WhyReport.spelled(seen, Fact.REFRESH_LONGEST)
            .map(", and of those that were followed the longest took at least %s"::formatted)
            .or(
                () ->
                    WhyReport.spelled(seen, Fact.REFRESH_MEAN)
                        .map(", and they took %s on average"::formatted))
            .orElse("");
  }

  /** Whether refreshes run for much of the time, or one did for long. */
  static boolean isSlow(Observation seen) {
    return seen.value(Fact.REFRESH_SHARE).orElse(0) >= SLOW_SHARE_PERCENT
        || seen.value(Fact.REFRESH_LONGEST).orElse(0) >= SLOW_MILLIS
        || seen.value(Fact.REFRESH_MEAN).orElse(0) >= SLOW_MILLIS;
  }

  private static Answer slow(Observation seen) {
    List<ReopenCause> causes = new ArrayList<>(seen.causes());
    List<Fact> figures = new ArrayList<>(USUAL);
    if (causes.isEmpty() || seen.facts().get(Fact.of(causes.getFirst())) < CAUSE_PERCENT) {
      return new Answer(
          Verdict.NO_RULE,
          "Refreshes are slow, and no one cause has most of their time.",
          List.of(),
          Optional.empty(),
          figures);
    }
    Fact main = Fact.of(causes.getFirst());
    figures.set(0, main);
    return new Answer(
        Verdict.NO_RULE,
        "Refreshes are slow, and spend %s of their time on this: %s. What helps is not known here."
            .formatted(WhyReport.spelled(seen, main).orElseThrow(), causes.getFirst().label()),
        List.of(),
        Optional.empty(),
        figures);
  }

  private static Answer without(Verdict verdict, String sentence) {
    return new Answer(verdict, sentence, List.of(), Optional.empty(), List.of(Fact.STACKS));
  }
}
