package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.corpus.CorpusDocument;
import io.weir.run.ArmFigures;
import io.weir.run.RunJson;
import io.weir.run.Values;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.Engine;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CompoundFiles;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run says to OpenSearch and Elasticsearch; {@code CommandEngineIT} has real servers. */
class RestIndexTest {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void prepare_aCap_isSetWithWhatItCounts(boolean countsReads) throws Exception {
    ArmSettings arm =
        ArmSettings.of(Map.of("cap", "40MB/s", "count-reads", countsReads ? "on" : "off"));
    try (StubEngine engine = new StubEngine();
        EngineClient client =
            new EngineClient(engine.url(), Optional.empty(), Duration.ofSeconds(10))) {
      RestIndex.onOwnServer(client, Map.of("index.store.type", "weir")).prepare(arm);

      List<String> sent =
          engine.requestsInFull.stream().filter(r -> r.startsWith("PUT /_cluster")).toList();
      assertEquals(1, sent.size(), sent::toString);
      Map<?, ?> settings =
          RunJson.ofLine(sent.getFirst().replaceFirst("PUT /_cluster/settings ", ""), Map.class);
      assertEquals(
          Map.of(
              "weir.merge.max_bytes_per_sec",
              "40000000b",
              "weir.merge.count_reads",
              Boolean.toString(countsReads)),
          settings.get("persistent"));
    }
  }

  /** Elasticsearch adds the scores of {@code query} and {@code knn}. */
  @Test
  void vectors_areMappedSentAndSearched() throws Exception {
    Documents documents = new Documents("synthetic:9", 1, 0).withVectors("2");
    DocumentVectors vectors = DocumentVectors.of(documents);
    try (StubEngine engine = new StubEngine();
        EngineClient client =
            new EngineClient(engine.url(), Optional.empty(), Duration.ofSeconds(10))) {
      RestIndex index = RestIndex.onOwnServer(client, Map.of());
      index.create(
          EngineStamp.wanted(
              Optional.of(Engine.ELASTICSEARCH), documents, 1, CompoundFiles.DEFAULT));
      EngineIndex.Bulk bulk = index.bulk();
      bulk.add(
          new Updater.Update(
              "k", new CorpusDocument("t", "b", 0), Optional.of(new float[] {0.6f, 0.8f})));
      bulk.send();
      index.search(SearchQuery.parse("knn: a"), vectors, 10);
      index.search(SearchQuery.parse("hybrid: a"), vectors, 10);
      index.search(SearchQuery.parse("a"), vectors, 10);

      JsonNode field =
          RunJson.parse(engine.requestsInFull.getFirst().replaceFirst("PUT /weir-stress ", ""))
              .path("mappings")
              .path("properties")
              .path("vector");
      assertEquals("dense_vector 2", field.path("type").asText() + " " + field.path("dims"));
      assertTrue(
          engine.requestsInFull.stream().anyMatch(r -> r.contains("\"vector\":[0.6,0.8]")),
          engine.requestsInFull::toString);
      List<String> searches =
          engine.requestsInFull.stream().filter(r -> r.contains("_search")).toList();
      assertEquals(
          List.of("knn", "knn query", "query"),
          searches.stream()
              .map(
                  sent ->
                      (sent.contains("\"knn\":") ? "knn " : "")
                          + (sent.contains("\"query\":") ? "query" : ""))
              .map(String::strip)
              .toList());
    }
  }

  /** Of two that are found, one is as near as the last of the true neighbours. */
  @Test
  void recall_isTheShareOfTheTrueNeighboursByScore() throws Exception {
    try (StubEngine engine = new StubEngine();
        EngineClient client =
            new EngineClient(engine.url(), Optional.empty(), Duration.ofSeconds(10))) {
      engine.overrides.put("POST /weir-stress/_count", new StubEngine.Answer(200, "{\"count\":7}"));
      engine.byBody =
          body ->
              body.contains("10000")
                  ? hits("0.9", "0.8")
                  : body.contains("knn") ? hits("0.8", "0.7") : Optional.empty();
      Values recall =
          RestIndex.onOwnServer(client, Map.of()).recall(List.of(new float[] {0.6f, 0.8f}));

      assertEquals(0.5, recall.require(ArmFigures.RECALL));
      assertEquals(7, recall.require(ArmFigures.VECTORS));
    }
  }

  private static Optional<StubEngine.Answer> hits(String first, String second) {
    return Optional.of(
        new StubEngine.Answer(
            200,
            "{\"_shards\":{\"failed\":0},\"hits\":{\"hits\":[{\"_score\":%s},{\"_score\":%s}]}}"
                .formatted(first, second)));
  }
}
