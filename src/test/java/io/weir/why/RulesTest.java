package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.why.SickApplication.Illness;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Each rule against what was recorded from an application with that one thing wrong. */
class RulesTest {

  /**
   * Which rule answers which record. The last two are of OpenSearch: ten indexes with a
   * refresh_interval of 1ms, and one with a max_thread_count and a max_merge_count of 1.
   */
  private static final Map<String, String> RULES =
      Map.ofEntries(
          Map.entry("merge-wait", "merge-wait"),
          Map.entry("merge-stall", "merge-stall"),
          Map.entry("serial-merges", "serial-merges"),
          Map.entry("warming", "warming"),
          Map.entry("listener", "listeners"),
          Map.entry("refresh-by-request", "refresh-by-request"),
          Map.entry("small-heap", "small-heap"),
          Map.entry("forced-merge", "merge-on-busy-disk"),
          Map.entry("cold-searches", "cold-searches"),
          Map.entry("refresh-interval", "refresh-interval"),
          Map.entry("indexing-throttled", "indexing-throttled"));

  private static final Set<String> RECORDS =
      Stream.concat(RULES.keySet().stream(), Arrays.stream(Illness.values()).map(Recorded::name))
          .collect(Collectors.toSet());

  private static final List<Rule> ALL = Rules.ALL;

  @ParameterizedTest
  @FieldSource("RECORDS")
  void answer_ofEachRecord_isItsRule(String record) {
    Answer answer = Answer.of(Recorded.of(record));

    assertEquals(
        Optional.ofNullable(RULES.get(record)), answer.rule().map(Rule::id), answer.sentence());
  }

  @Test
  void answer_ofTheRecordOfNothingWrong_saysSo() {
    Answer answer = Answer.of(Recorded.of(Illness.NOTHING));

    assertEquals(Answer.Verdict.NOTHING_WRONG, answer.verdict(), answer.sentence());
    assertEquals(List.of(), answer.also());
  }

  @ParameterizedTest
  @FieldSource("ALL")
  void rule_alone_answersItsRecord_andNotThatOfNothingWrong(Rule rule) {
    String record =
        RULES.entrySet().stream()
            .filter(entry -> entry.getValue().equals(rule.id()))
            .findFirst()
            .orElseThrow()
            .getKey();

    assertEquals(Optional.of(rule), Answer.of(Recorded.of(record), List.of(rule)).rule());
    assertEquals(Optional.empty(), Answer.of(Recorded.of(Illness.NOTHING), List.of(rule)).rule());
  }

  /** Each need counts: without that one fact the rule is silent. */
  @ParameterizedTest
  @FieldSource("ALL")
  void rule_withoutAnyOneOfItsNeeds_doesNotHold(Rule rule) {
    Map<Fact, Double> all =
        rule.needs().stream().collect(Collectors.toMap(Rule.Need::fact, Rule.Need::atLeast));
    assertTrue(rule.holds(Observation.of(all)), rule.id());
    for (Rule.Need need : rule.needs()) {
      Map<Fact, Double> less = new HashMap<>(all);
      less.remove(need.fact());
      assertFalse(rule.holds(Observation.of(less)), rule.id() + " without " + need);
      less.put(need.fact(), need.atLeast() - 0.1);
      assertFalse(rule.holds(Observation.of(less)), rule.id() + " with less of " + need);
    }
  }

  @ParameterizedTest
  @FieldSource("ALL")
  void rule_namesWhatItNeeds_showsThreeFigures_andSaysWhereFromItIs(Rule rule) {
    Set<String> needs =
        rule.needs().stream().map(need -> need.fact().id()).collect(Collectors.toSet());

    assertTrue(needs.containsAll(rule.places()), rule.places() + " of " + needs);
    assertTrue(needs.contains(rule.weight().id()), rule.id());
    assertEquals(3, rule.figures().size(), rule.id());
    assertFalse(rule.advice().isEmpty(), rule.id());
    assertTrue(
        Stream.concat(Stream.of(rule.source()), rule.advice().stream().map(Rule.Advice::source))
            .noneMatch(String::isBlank),
        rule.id());
    assertTrue(rule.advice().stream().allMatch(advice -> advice.text().endsWith(".")), rule.id());
    assertEquals(
        rule.advice().stream().map(Rule.Advice::help).sorted().toList(),
        rule.advice().stream().map(Rule.Advice::help).toList(),
        rule.id());
  }

  @Test
  void rules_haveNamesOfTheirOwn_andARecordEach() {
    List<String> ids = Rules.ALL.stream().map(Rule::id).toList();

    assertEquals(new TreeSet<>(ids), new TreeSet<>(RULES.values()));
    assertEquals(ids.size(), new TreeSet<>(ids).size());
  }

  @Test
  void answer_fromTooFewLooks_isNone() {
    Map<Fact, Double> facts = new HashMap<>(Recorded.of(Illness.WARMING).facts());
    facts.put(Fact.STACKS, Answer.LEAST_LOOKS - 1.0);

    assertEquals(Answer.Verdict.TOO_LITTLE, Answer.of(Observation.of(facts)).verdict());
  }

  /** A recording counts, so few looks do not weaken what it says. */
  @Test
  void answer_fromTooFewLooksWithARecording_isTheRuleOfTheRecording() {
    Map<Fact, Double> facts = new HashMap<>(Recorded.of(Illness.COLD_SEARCHES).facts());
    facts.put(Fact.STACKS, Answer.LEAST_LOOKS - 1.0);

    assertEquals(
        Optional.of("cold-searches"), Answer.of(Observation.of(facts)).rule().map(Rule::id));
  }

  @Test
  void answer_withoutAThreadInLucene_saysSo() {
    Answer answer = Answer.of(Observation.of(Map.of(Fact.STACKS, 60.0, Fact.REFRESH_STACKS, 0.0)));

    assertEquals(Answer.Verdict.NO_LUCENE, answer.verdict());
  }

  @Test
  void answer_ofACauseWithoutARule_namesTheCause_andThatNoHelpIsKnown() {
    Answer answer = Answer.of(Recorded.of(Illness.WARMING), List.of());

    assertEquals(Answer.Verdict.NO_RULE, answer.verdict());
    assertTrue(answer.sentence().contains("warming"), answer.sentence());
    assertTrue(answer.sentence().contains("not known"), answer.sentence());
  }
}
