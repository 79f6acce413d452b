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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule against what was recorded from an application with that one thing wrong. */
class RulesTest {

  /**
   * Which rule answers which record. The last three are of OpenSearch: ten indexes with a
   * refresh_interval of 1ms, one with a max_thread_count and a max_merge_count of 1, and eight
   * clients that write with ?refresh=true.
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
          Map.entry("forced-merge-volume", "merge-in-page-faults"),
          Map.entry("slow-commit", "slow-commit"),
          Map.entry("dirty-throttling", "dirty-throttling"),
          Map.entry("neighbour", "neighbour"),
          Map.entry("volume-limit", "volume-limit"),
          Map.entry("volume-credits", "volume-credits"),
          Map.entry("many-segments", "many-segments"),
          Map.entry("processor-quota", "processor-quota"),
          Map.entry("no-processor", "no-processor"),
          Map.entry("cold-searches", "cold-searches"),
          Map.entry("refresh-interval", "refresh-interval"),
          Map.entry("indexing-throttled", "indexing-throttled"),
          Map.entry("refresh-by-request-engine", "refresh-by-request"));

  /**
   * Only a hypervisor takes processors, so there is no record; {@code KernelWatchTest} has the
   * kernel's text of one that does.
   */
  private static final Set<String> WITHOUT_A_RECORD = Set.of("processor-steal");

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

  /** Of an engine whose refreshes are so short and few that no look fell into one. */
  @ParameterizedTest
  @ValueSource(strings = {"nothing", "nothing-engine"})
  void answer_ofARecordOfNothingWrong_saysSo(String record) {
    Answer answer = Answer.of(Recorded.of(record));

    assertEquals(Answer.Verdict.NOTHING_WRONG, answer.verdict(), answer.sentence());
    assertEquals(List.of(), answer.also());
  }

  @ParameterizedTest
  @FieldSource("ALL")
  void rule_alone_answersItsRecord_andNotThatOfNothingWrong(Rule rule) {
    List<String> records =
        RULES.entrySet().stream()
            .filter(entry -> entry.getValue().equals(rule.id()))
            .map(Map.Entry::getKey)
            .toList();

    assertEquals(WITHOUT_A_RECORD.contains(rule.id()), records.isEmpty(), rule.id());
    for (String record : records) {
      assertEquals(Optional.of(rule), Answer.of(Recorded.of(record), List.of(rule)).rule());
    }
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
    for (Rule.Need other : rule.unless()) {
      Map<Fact, Double> more = new HashMap<>(all);
      more.put(other.fact(), other.atLeast());
      assertFalse(rule.holds(Observation.of(more)), rule.id() + " although " + other);
      more.put(other.fact(), other.atLeast() - 0.1);
      assertTrue(rule.holds(Observation.of(more)), rule.id() + " with less of " + other);
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

    Set<String> known = new TreeSet<>(RULES.values());
    known.addAll(WITHOUT_A_RECORD);
    assertEquals(new TreeSet<>(ids), known);
    assertEquals(ids.size(), new TreeSet<>(ids).size());
  }

  @Test
  void answer_fromTooFewLooks_isNone() {
    Map<Fact, Double> facts = new HashMap<>(Recorded.of(Illness.WARMING).facts());
    facts.put(Fact.STACKS, Answer.LEAST_LOOKS - 1.0);

    assertEquals(Answer.Verdict.TOO_LITTLE, Answer.of(Observation.of(facts)).verdict());
  }

  /** Half of four is no half. */
  @Test
  void answer_fromTooFewLooksAtRefreshes_isNone() {
    Map<Fact, Double> facts = new HashMap<>(Recorded.of(Illness.WARMING).facts());
    facts.put(Fact.REFRESH_STACKS, Answer.LEAST_REFRESH_STACKS - 1.0);

    Answer answer = Answer.of(Observation.of(facts));

    assertEquals(Answer.Verdict.TOO_LITTLE, answer.verdict());
    assertTrue(answer.sentence().contains("4 looks at one, and it needs 5"), answer.sentence());
  }

  /** A process that is hardly let run answers rarely: what stops it is known all the same. */
  @ParameterizedTest
  @EnumSource(names = {"PROCESSOR_QUOTA", "NO_PROCESSOR"})
  void answer_fromTooFewLooks_isWhatTheKernelCounts(Illness illness) {
    Map<Fact, Double> facts = new HashMap<>(Recorded.of(illness).facts());
    facts.put(Fact.STACKS, 2.0);
    facts.put(Fact.REFRESH_STACKS, 1.0);
    facts.put(Fact.REFRESH_SHARE, 10.0);

    Answer answer = Answer.of(Observation.of(facts));

    assertEquals(
        RULES.get(Recorded.name(illness)),
        answer.rule().map(Rule::id).orElse(""),
        answer.sentence());
  }

  /** What refreshes wait for longer comes first, or a busy machine would hide it. */
  @Test
  void answer_ofSlowRefreshesWithoutAProcessor_isTheCauseThatHasMoreOfTheirTime() {
    Map<Fact, Double> facts = new HashMap<>(Recorded.of(Illness.WARMING).facts());
    facts.put(Fact.CPU_OTHERS, 80.0);
    facts.put(Fact.CPU_WAIT, 80.0);
    facts.put(Fact.REFRESH_PROCESSOR, 55.0);

    Answer answer = Answer.of(Observation.of(facts));

    assertEquals(Optional.of("warming"), answer.rule().map(Rule::id));
    assertEquals(1, answer.also().size());

    facts.put(Fact.REFRESH_PROCESSOR, 100.0);

    assertEquals(
        Optional.of("no-processor"), Answer.of(Observation.of(facts)).rule().map(Rule::id));
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
