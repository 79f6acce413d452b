package io.weir.why;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.fakes.SteppedClock;
import io.weir.procfs.Procfs;
import io.weir.rest.EngineAddress;
import io.weir.run.RunJson;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked of a cluster and made of its answers, on a clock that the test moves. */
class ClusterSourceTest {

  private static final int LOOKS = 20;

  private final SteppedClock clock = new SteppedClock();
  private RecordedEngine engine;

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  private Source source(String name) throws Exception {
    engine = new RecordedEngine(name);
    Source source =
        Source.cluster(EngineAddress.of(engine.target(), Map.of()), Procfs.SYSTEM, clock);
    assertEquals(List.of(), source.open(), "the recorded node is not here");
    return source;
  }

  private Observation observed(String name) throws Exception {
    try (Source source = source(name)) {
      for (int i = 0; i < LOOKS; i++) {
        clock.advanceNanos(source.look(clock.nanoTime()) - clock.nanoTime());
      }
      return source.seen(LOOKS / 2.0);
    }
  }

  @ParameterizedTest
  @CsvSource({"opensearch, 3.8.0, 13", "elasticsearch, 9.5.3, 2"})
  void seen_ofARecordedCluster_isItsStacksAndTheDifferencesOfItsCounters(
      String name, String version, String indexes) throws Exception {
    Observation seen = observed(name);

    assertEquals(LOOKS, seen.value(Fact.STACKS).orElse(0));
    assertEquals(100, seen.value(Fact.REFRESH_SHARE).orElse(0));
    assertTrue(seen.value(Fact.REFRESH_MEAN).orElse(0) > 1, seen.facts().toString());
    assertTrue(seen.value(Fact.REFRESH_RATE).orElse(0) > 1, seen.facts().toString());
    assertEquals(1, seen.value(Fact.FORCED_MERGES).orElse(0));
    assertEquals(1, seen.value(Fact.REFRESH_FAST).orElse(0), "index b has 500ms");
    assertTrue(seen.value(Fact.REFRESH_LONGEST).isEmpty(), "no refresh is followed");
    assertFalse(seen.stacks().isEmpty());
    assertEquals("lab", seen.about().get("cluster"));
    assertEquals(version, seen.about().get(name));
    assertEquals(indexes, seen.about().get("indexes"));
    assertEquals("1", seen.about().get("nodes"));
    assertTrue(
        seen.about().get("index.refresh_interval").contains("500ms in 1"), seen.about().toString());
    assertTrue(
        seen.unseen().stream().anyMatch(one -> one.matches(".*: run weir why \\d+ on its.*")),
        seen.unseen().toString());
  }

  @Test
  void seen_ofARecordedSolr_isItsStacksAndItsSearchers() throws Exception {
    Observation seen = observed("solr");

    assertEquals(100, seen.value(Fact.REFRESH_SHARE).orElse(0), seen.facts().toString());
    assertTrue(seen.value(Fact.REFRESH_RATE).orElse(0) > 1, seen.facts().toString());
    assertEquals("9.10.1", seen.about().get("solr-core"));
    assertEquals("9.12.3", seen.about().get("lucene-core"));
    assertEquals("1", seen.about().get("cores"));
    assertTrue(seen.value(Fact.MERGE_THROTTLED).isEmpty(), "absent, not 0");
  }

  /** The recorded one has 14 shards; 9000 segments are too many for them. */
  @Test
  void seen_ofAClusterWithManySegments_hasTheMeanOfItsShards_andNamesTheCause() throws Exception {
    engine = new RecordedEngine("opensearch");
    engine.edit = answer -> answer.replaceAll("(\"segments\": \\{\\s*\"count\": )\\d+", "$19000");
    try (Source source =
        Source.cluster(EngineAddress.of(engine.target(), Map.of()), Procfs.SYSTEM, clock)) {
      source.open();
      for (int i = 0; i < LOOKS; i++) {
        clock.advanceNanos(source.look(clock.nanoTime()) - clock.nanoTime());
      }
      Observation seen = source.seen(LOOKS / 2.0);

      assertEquals(9000.0 / 14, seen.value(Fact.SEGMENTS).orElse(0), 1e-9);
      assertEquals(
          List.of("many-segments"),
          Rules.ALL.stream()
              .filter(rule -> rule.id().equals("many-segments") && rule.holds(seen))
              .map(Rule::id)
              .toList());
    }
  }

  @ParameterizedTest
  @CsvSource({"opensearch", "elasticsearch", "solr"})
  void look_asksOnlyToRead_andForNoDocument(String name) throws Exception {
    observed(name);

    for (String request : engine.requests) {
      assertTrue(request.startsWith("GET /"), request);
      assertFalse(request.matches(".*(_search|_doc|select|_source|_cat|logs|propert).*"), request);
    }
  }

  @Test
  void look_beforeItIsDue_asksNothing() throws Exception {
    try (Source source = source("opensearch")) {
      long next = source.look(clock.nanoTime());
      int asked = engine.requests.size();

      assertEquals(ClusterSource.STACKS_NANOS, next - clock.nanoTime());
      source.look(clock.nanoTime() + ClusterSource.STACKS_NANOS - 1);
      assertEquals(asked, engine.requests.size());
      clock.advanceNanos(ClusterSource.STACKS_NANOS);
      source.look(clock.nanoTime());
      assertEquals(asked + 1, engine.requests.size(), engine.requests.toString());
    }
  }

  @Test
  void look_atAClusterThatRefuses_endsWithoutTheWordsOfTheEngine() throws Exception {
    try (Source source = source("opensearch")) {
      source.look(clock.nanoTime());
      engine.refusals.put("/_nodes/hot_threads", 503);
      clock.advanceNanos(ClusterSource.COUNTERS_NANOS);

      IOException end = assertThrows(IOException.class, () -> source.look(clock.nanoTime()));

      assertEquals("the cluster gave no answer: it refused with status 503", end.getMessage());
      assertEquals(1, source.seen(1).value(Fact.STACKS).orElse(0));
    }
  }

  @Test
  void seen_whereTasksAndSettingsMayNotBeAsked_saysSoAndHasTheRest() throws Exception {
    engine = new RecordedEngine("opensearch");
    engine.refusals.putAll(Map.of("/_tasks", 403, "/_all/_settings", 403, "/", 403));
    try (Source source =
        Source.cluster(EngineAddress.of(engine.target(), Map.of()), Procfs.SYSTEM, clock)) {
      source.open();
      source.look(clock.nanoTime());
      Observation seen = source.seen(1);

      assertTrue(seen.value(Fact.FORCED_MERGES).isEmpty());
      assertTrue(seen.value(Fact.REFRESH_FAST).isEmpty());
      assertEquals("3.8.0", seen.about().get("opensearch"));
      assertTrue(
          seen.unseen().contains("The settings of indexes: it refused with status 403."),
          seen.unseen().toString());
    }
  }

  /** As behind a tunnel, or in a container: the number is that of another process here. */
  @Test
  void open_aNodeWithTheNumberOfAProcessThatBeganAtAnotherTime_leavesThatAlone() throws Exception {
    engine = new RecordedEngine("opensearch");
    engine.edit =
        answer -> answer.replace("\"pid\": 4711", "\"pid\": " + ProcessHandle.current().pid());
    try (Source source =
        Source.cluster(EngineAddress.of(engine.target(), Map.of()), Procfs.SYSTEM, clock)) {
      assertEquals(List.of(), source.open());
      source.look(clock.nanoTime());

      List<String> unseen = source.seen(1).unseen();
      assertTrue(
          unseen.stream().noneMatch(one -> one.startsWith("The JVM of node")), unseen.toString());
      assertTrue(
          unseen.stream()
              .anyMatch(one -> one.contains("run weir why " + ProcessHandle.current().pid())),
          unseen.toString());
    }
  }

  /** The second node is the first one again, whose refreshes take a thousandth of the time. */
  @Test
  void seen_ofTwoNodes_isThatWhoseRefreshesTookMostTime() throws Exception {
    engine = new RecordedEngine("opensearch");
    engine.edit = ClusterSourceTest::withAQuickNode;
    try (Source source =
        Source.cluster(EngineAddress.of(engine.target(), Map.of()), Procfs.SYSTEM, clock)) {
      source.open();
      source.look(clock.nanoTime());
      clock.advanceNanos(ClusterSource.COUNTERS_NANOS);
      source.look(clock.nanoTime());
      Observation seen = source.seen(1);

      assertEquals("2", seen.about().get("nodes"));
      assertEquals("n1", seen.about().get("node"));
      assertTrue(seen.value(Fact.REFRESH_STACKS).orElse(0) > 0, seen.facts().toString());
      assertTrue(
          seen.unseen()
              .contains("The other nodes: this is node n1 of 2, whose refreshes took most time."),
          seen.unseen().toString());
    }
  }

  private static String withAQuickNode(String answer) {
    try {
      JsonNode tree = RunJson.parse(answer);
      if (tree.get("nodes") instanceof ObjectNode nodes && !answer.contains("forcemerge")) {
        ObjectNode quick = nodes.elements().next().deepCopy();
        if (quick.has("name")) {
          quick.put("name", "quick");
        }
        if (quick.at("/indices/refresh") instanceof ObjectNode refresh) {
          refresh.put("total_time_in_millis", refresh.get("total_time_in_millis").asLong() / 1000);
        }
        nodes.set("quick", quick);
      }
      return tree.toString();
    } catch (JsonProcessingException e) {
      return answer; // the stacks, which the quick node has none of
    }
  }
}
