package io.weir.why;

import static io.weir.golden.Golden.assertGolden;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.weir.nrt.ReopenCause;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What two looks say, word by word. */
class ComparisonTest {

  private static final Fact WAIT = Fact.of(ReopenCause.MERGE_WAIT);
  private static final Fact WARM = Fact.of(ReopenCause.WARM);
  private static final Fact OTHER = Fact.of(ReopenCause.CPU);

  /** A minute at a busy index, whose refreshes wait for merges. */
  private static Look waiting() {
    return new Look()
        .with(Fact.STACKS, 300)
        .with(Fact.REGULAR_LOOKS, 220)
        .with(Fact.REFRESH_STACKS, 160)
        .with(Fact.REFRESH_RUNS, 55)
        .with(Fact.REFRESH_SHARE, 62)
        .with(Fact.REFRESH_LONGEST, 1800)
        .with(WAIT, 71)
        .with(OTHER, 29)
        .with(Fact.MERGE_SHARE, 45)
        .with(Fact.MERGES, 0.5)
        .with(Fact.SEARCHES, 1.2)
        .with(Fact.INDEXING, 0.8);
  }

  /** The same after the advice was followed. */
  private static Look cured() {
    return waiting()
        .with(Fact.REFRESH_STACKS, 30)
        .with(Fact.REFRESH_RUNS, 25)
        .with(Fact.REFRESH_SHARE, 12)
        .with(Fact.REFRESH_LONGEST, 60)
        .with(WAIT, 3)
        .with(OTHER, 97);
  }

  /** Facts that a test changes one by one. */
  private static final class Look {
    private final Map<Fact, Double> facts = new LinkedHashMap<>();
    private final Map<String, String> about = new LinkedHashMap<>(Map.of("process", "4711"));
    private List<String> unseen = List.of();

    Look with(Fact fact, double value) {
      facts.put(fact, value);
      return this;
    }

    Look without(Fact fact) {
      facts.remove(fact);
      return this;
    }

    Look unseen(String... sentences) {
      unseen = List.of(sentences);
      return this;
    }

    Look at(String name, String value) {
      about.put(name, value);
      return this;
    }

    Observation seen() {
      return new Observation(facts, List.of(), Observation.Series.EMPTY, about, unseen, List.of());
    }
  }

  private static String sentence(Look before, Look after) {
    return new Comparison(before.seen(), after.seen()).sentence();
  }

  @Test
  void sentence_whenTheCauseWent_saysByHowMuch() {
    assertEquals(
        "It got better: refreshes wait 71 % (now 3 %) of their time for merges of small segments to"
            + " end; a refresh ran 62 % (now 12 %) of the time. Nothing is wrong with refreshes now.",
        sentence(waiting(), cured()));
  }

  /** In time the cause has halved, and it answers still. */
  @Test
  void sentence_whenTheCauseHasLess_saysThatItIsStillTheCause() {
    assertEquals(
        "It got better: refreshes wait 71 % (now 70 %) of their time for merges of small segments to"
            + " end; a refresh ran 62 % (now 36 %) of the time. This is still the cause.",
        sentence(waiting(), waiting().with(Fact.REFRESH_SHARE, 36).with(WAIT, 70)));
  }

  @Test
  void sentence_withinChance_saysThatNothingChanged() {
    assertEquals(
        "Nothing changed beyond chance: refreshes wait 71 % (now 65 %) of their time for merges of"
            + " small segments to end; a refresh ran 62 % (now 60 %) of the time. This is still the"
            + " cause.",
        sentence(waiting(), waiting().with(Fact.REFRESH_SHARE, 60).with(WAIT, 65)));
  }

  /** A rule has a threshold, and 31 % and 29 % lie on either side of it. */
  @Test
  void sentence_withAThresholdBetweenTwoFiguresThatAreTheSame_saysThatNothingChanged() {
    Look before = waiting().with(WAIT, 31);
    Look after = waiting().with(WAIT, 29);

    assertTrue(Answer.of(before.seen()).rule().isPresent());
    assertTrue(Answer.of(after.seen()).rule().isEmpty());
    assertEquals(
        "Nothing changed beyond chance: refreshes wait 31 % (now 29 %) of their time for merges of"
            + " small segments to end; a refresh ran 62 % (now 62 %) of the time. Refreshes are slow,"
            + " and no one cause has most of their time. Longer looks can tell the two apart, with"
            + " --for.",
        sentence(before, after));
  }

  @Test
  void sentence_whenItGotWorse_saysSo() {
    assertEquals(
        "It got worse: refreshes wait 3 % (now 71 %) of their time for merges of small segments to"
            + " end; a refresh ran 12 % (now 62 %) of the time. This is the cause now, and none was"
            + " named before.",
        sentence(cured(), waiting()));
  }

  @Test
  void sentence_whenAnotherCauseAnswers_saysWhatBecameOfTheFirst() {
    assertEquals(
        "Another cause answers now: Refreshes spend 80 % of their time in the application's own"
            + " searcher factory, which warms new searchers. The one before has less of the time:"
            + " refreshes wait 71 % (now 0 %) of their time for merges of small segments to end; a"
            + " refresh ran 62 % (now 62 %) of the time.",
        sentence(waiting(), waiting().without(WAIT).with(WARM, 80).with(OTHER, 20)));
  }

  @Test
  void sentence_ofTwoLooksWithNothingWrong_saysThat() {
    assertEquals(
        "Nothing changed beyond chance: a refresh ran 12 % (now 14 %) of the time. Nothing was wrong"
            + " with refreshes before, and nothing is now.",
        sentence(cured(), cured().with(Fact.REFRESH_SHARE, 14)));
  }

  /** Refreshes that got short and rare to see are the best that can come. */
  @Test
  void sentence_whenNoRefreshIsSeenAnyMore_saysThatItGotBetter() {
    Look none =
        cured()
            .with(Fact.REFRESH_STACKS, 0)
            .with(Fact.REFRESH_RUNS, 0)
            .with(Fact.REFRESH_SHARE, 0)
            .without(Fact.REFRESH_LONGEST)
            .without(WAIT)
            .without(OTHER);
    assertEquals(
        "It got better: refreshes wait 71 % (now not seen) of their time for merges of small segments"
            + " to end; a refresh ran 62 % (now 0 %) of the time. Nothing is wrong with refreshes"
            + " now.",
        sentence(waiting(), none));
  }

  @Test
  void sentence_ofLooksThatCannotBeCompared_saysWhy() {
    assertEquals(
        "The two looks cannot be compared: they are of unlike kinds, process before and process with"
            + " opensearch after.",
        sentence(waiting(), waiting().at("opensearch", "3.8.0")));
    assertEquals(
        "The two looks cannot be compared: after, the look was interrupted after 12.0 s.",
        sentence(
            waiting(),
            waiting().unseen(Observation.ENDING + "the look was interrupted after 12.0 s.")));
    assertEquals(
        "The two looks cannot be compared: too little was seen before, in 9 looks, and it needs 10.",
        sentence(waiting().with(Fact.STACKS, 9), waiting()));
    assertEquals(
        "The two looks cannot be compared: refresh.longest has the unit 'ms' before and 's' after.",
        sentence(
            waiting(),
            waiting().without(Fact.REFRESH_LONGEST).with(Fact.named("refresh.longest", "s"), 1.8)));
    assertEquals(
        "The two looks cannot be compared: the answer before does not say how many looks"
            + " refresh.cause.merge-wait is from.",
        sentence(waiting().without(Fact.REGULAR_LOOKS), waiting()));
  }

  @Test
  void sentence_underAnotherLoad_saysThatItSaysLittle() {
    assertEquals(
        "This says little, because the load differs: threads indexing, mean, 0.80 (now 0.10);"
            + " searches running, mean, 1.2 (now 4). It got better: refreshes wait 71 % (now 3 %)"
            + " of their time for merges of small segments to end; a refresh ran 62 % (now 12 %) of"
            + " the time. Nothing is wrong with refreshes now.",
        sentence(waiting(), cured().with(Fact.INDEXING, 0.1).with(Fact.SEARCHES, 4)));
  }

  /** Advice about merges changes how many run; advice about warming does not. */
  @Test
  void load_ofMerges_countsUnlessTheyAreWhatTheAdviceIsAbout() {
    Look warming = waiting().without(WAIT).with(WARM, 80).with(OTHER, 20);

    assertFalse(sentence(waiting(), cured().with(Fact.MERGES, 0)).contains("load differs"));
    assertTrue(
        sentence(warming, cured().with(Fact.MERGES, 0))
            .startsWith(
                "This says little, because the load differs: merges running, mean, 0.50 (now 0)."));
    assertFalse(
        sentence(warming, cured().with(Fact.MERGES, 0.3)).contains("load differs"),
        "less than half as many");
  }

  /**
   * A searcher factory that took its time, and the same application with Lucene's own, each looked
   * at for 40 seconds.
   */
  @Test
  void report_ofTwoRecordedLooks_isThis() throws IOException {
    ComparisonReport report =
        new ComparisonReport(
            "before", Recorded.of("compared/before"),
            "after", Recorded.of("compared/after"));

    assertGolden("why/comparison.txt", report.text(false));
    assertGolden("why/comparison.json", report.json());
  }

  @Test
  void report_showsTheFactsOfTheCauseFirst_andOnesThatItDoesNotKnowByTheirIds() throws IOException {
    Observation before =
        waiting().with(new Fact("x.new", "", "x.new"), 4).unseen("The heap: unknown.").seen();
    Observation after =
        cured().with(new Fact("x.new", "", "x.new"), 1).with(Fact.GC_SHARE, 2).seen();
    ComparisonReport report = new ComparisonReport("before", before, "after", after);

    assertTrue(
        report.text(false).contains("\nx.new                 "), "its id: " + report.text(false));
    assertTrue(report.text(false).contains("Now only: a processor's time that collections took."));
    assertTrue(report.text(false).contains("Not seen before: The heap: unknown."));
    String page = report.html();
    assertTrue(page.contains("x.new"), page);
    assertTrue(page.contains("It got better: refreshes wait 71 %"), page);
    assertFalse(page.contains("<script"), page);
    JsonNode json = new ObjectMapper().readTree(report.json());
    assertEquals("better", json.get("outcome").asText());
    assertEquals("merge-wait", json.get("before").get("rule").asText());
    assertEquals("nothing-wrong", json.get("after").get("verdict").asText());
    assertEquals("gc.share", json.get("after").get("only").get(0).asText());
    JsonNode first = json.get("facts").get(0);
    assertEquals("refresh.cause.merge-wait", first.get("id").asText());
    assertEquals(71, first.get("before").asDouble());
    assertEquals(3, first.get("after").asDouble());
    assertEquals("less", first.get("change").asText());
  }
}
