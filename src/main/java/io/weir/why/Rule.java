package io.weir.why;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a cause looks like, and what helps against it, as data.
 *
 * @param id its name
 * @param kind when it is asked
 * @param weight the fact whose value orders the rules that hold: the largest answers first
 * @param needs evidence; all of it must be seen
 * @param unless evidence of another cause; with any of it this one does not answer
 * @param answer the sentence; {@code {id}} stands for the value of a fact that it needs
 * @param figures the three facts to show; those that were not seen are left out
 * @param advice what helps, in the order of {@link Help}
 * @param source why the evidence means that
 */
record Rule(
    String id,
    Kind kind,
    Fact weight,
    List<Need> needs,
    List<Need> unless,
    String answer,
    List<Fact> figures,
    List<Advice> advice,
    String source) {

  private static final Pattern PLACE = Pattern.compile("\\{([a-z.-]+)\\}");

  /** When a rule is asked. */
  enum Kind {
    /** Only where refreshes are slow. */
    OF_SLOW_REFRESHES,
    /** Always: it harms more than refreshes, or its evidence is more than their time. */
    OF_THE_JVM,
    /**
     * Always, and after few looks too: the kernel or the flight recorder counts all of its
     * evidence.
     */
    COUNTED,
    /** As {@link #COUNTED}, but among the causes of slow refreshes, by its share of their time. */
    COUNTED_OF_REFRESHES;

    /** Whether few looks are enough. */
    boolean isCounted() {
      return this == COUNTED || this == COUNTED_OF_REFRESHES;
    }

    /** Whether its weight is a share of the time of refreshes; the others come first. */
    boolean isOfRefreshes() {
      return this == OF_SLOW_REFRESHES || this == COUNTED_OF_REFRESHES;
    }
  }

  /** A fact with at least this value. */
  record Need(Fact fact, double atLeast) {

    /** What was not seen is not enough. */
    boolean isMet(Observation seen) {
      return seen.value(fact).orElse(Double.NEGATIVE_INFINITY) >= atLeast;
    }
  }

  /** Who can help, the least change first. */
  enum Help {
    ENGINE("a setting of the engine or of Lucene"),
    KERNEL("a setting of the kernel or of the volume"),
    VERSION("a version that mends it"),
    WEIR("Weir");

    private final String label;

    Help(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /**
   * Something that helps.
   *
   * @param text what to do, in a sentence
   * @param source where that is from
   */
  record Advice(Help help, String text, String source) {}

  /** Whether all of the evidence was seen, and none of another cause. */
  boolean holds(Observation seen) {
    return needs.stream().allMatch(need -> need.isMet(seen))
        && unless.stream().noneMatch(need -> need.isMet(seen));
  }

  /** The answer with the values that were seen. */
  String sentence(Observation seen) {
    return filled(answer, id -> value(seen, id));
  }

  private Optional<String> value(Observation seen, String id) {
    return needs.stream()
        .map(Need::fact)
        .filter(fact -> fact.id().equals(id))
        .findFirst()
        .flatMap(fact -> WhyReport.spelled(seen, fact));
  }

  /** A text with its places filled. */
  static String filled(String text, Function<String, Optional<String>> values) {
    return PLACE
        .matcher(text)
        .replaceAll(
            (MatchResult place) ->
                Matcher.quoteReplacement(
                    values
                        .apply(place.group(1))
                        .orElseThrow(
                            () -> new IllegalStateException("no value for " + place.group()))));
  }

  /** The facts that the answer names. */
  List<String> places() {
    return PLACE.matcher(answer).results().map(place -> place.group(1)).toList();
  }
}
