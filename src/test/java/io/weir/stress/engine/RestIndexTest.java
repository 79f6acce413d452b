package io.weir.stress.engine;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.corpus.CorpusDocument;
import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.run.ArmFigures;
import io.weir.run.RunJson;
import io.weir.run.Values;
import io.weir.stress.arm.load.Updater;
import io.weir.stress.arm.meters.VectorRecall;
import io.weir.stress.index.DocumentVectors;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.Engine;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.VectorFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
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
      RestIndex.onOwnServer(client, Map.of("index.store.type", "weir"), RestVectors.OPENSEARCH)
          .prepare(arm);

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
  void vectors_inElasticsearch_areMappedSentAndSearched() throws Exception {
    List<JsonNode> sent = sent(RestVectors.ELASTICSEARCH, VectorFormat.FLOAT);

    assertEquals("dense_vector", sent.get(0).at("/mappings/properties/vector/type").asText());
    assertEquals(2, sent.get(0).at("/mappings/properties/vector/dims").asInt());
    assertEquals(2, sent.get(1).at("/knn/query_vector").size());
    assertFalse(sent.get(1).has("query"));
    assertTrue(sent.get(2).has("knn") && sent.get(2).has("query"), sent.toString());
    assertTrue(!sent.get(3).has("knn") && sent.get(3).has("query"), sent.toString());
  }

  /** In OpenSearch neighbours are a clause like others. */
  @Test
  void vectors_inOpenSearch_areMappedSentAndSearched() throws Exception {
    List<JsonNode> sent = sent(RestVectors.OPENSEARCH, VectorFormat.FLOAT);

    assertTrue(sent.get(0).at("/settings/knn").asBoolean(), sent.toString());
    assertEquals("knn_vector", sent.get(0).at("/mappings/properties/vector/type").asText());
    assertEquals("lucene", sent.get(0).at("/mappings/properties/vector/method/engine").asText());
    assertEquals(2, sent.get(1).at("/query/knn/vector/vector").size());
    assertEquals(2, sent.get(2).at("/query/bool/should").size());
    assertTrue(sent.get(3).at("/query/bool/should").isMissingNode(), sent.toString());
  }

  @ParameterizedTest
  @CsvSource({"FLOAT, hnsw", "INT8, int8_hnsw", "INT4, int4_hnsw", "BINARY, bbq_hnsw"})
  void create_aVectorFormatInElasticsearch_isAKindOfGraph(VectorFormat format, String kind)
      throws Exception {
    assertEquals(
        RunJson.parse("{\"type\":\"%s\"}".formatted(kind)),
        sent(RestVectors.ELASTICSEARCH, format)
            .getFirst()
            .at("/mappings/properties/vector/index_options"));
  }

  /** Its k-NN has one encoder for Lucene, of 7 bits. */
  @Test
  void create_aVectorFormatInOpenSearch_isAnEncoder() throws Exception {
    String parameters = "/mappings/properties/vector/method/parameters";

    assertEquals(
        RunJson.parse("{\"encoder\":{\"name\":\"sq\",\"parameters\":{\"bits\":7}}}"),
        sent(RestVectors.OPENSEARCH, VectorFormat.INT8).getFirst().at(parameters));
    assertTrue(
        sent(RestVectors.OPENSEARCH, VectorFormat.FLOAT).getFirst().at(parameters).isMissingNode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ELASTICSEARCH|33|INT4|vectors must have an even number of dimensions for"
            + " vector-format=int4 in Elasticsearch: 33 dimensions",
        "ELASTICSEARCH|63|BINARY|vectors must have at least 64 dimensions for"
            + " vector-format=binary in Elasticsearch: 63 dimensions",
        "OPENSEARCH|64|INT4|vector-format must be float or int8 in OpenSearch, because its k-NN"
            + " with engine lucene quantises to 7 bits only: vector-format=int4",
        "OPENSEARCH|64|BINARY|vector-format must be float or int8 in OpenSearch, because its k-NN"
            + " with engine lucene quantises to 7 bits only: vector-format=binary"
      })
  void requireVectors_aFormatThatTheEngineRefuses_isRefused(
      RestVectors dialect, int dims, VectorFormat format, String message) throws Exception {
    try (StubEngine engine = new StubEngine();
        EngineClient client =
            new EngineClient(engine.url(), Optional.empty(), Duration.ofSeconds(10))) {
      RestIndex index = RestIndex.onOwnServer(client, Map.of(), dialect);

      assertEquals(
          message,
          assertThrows(EngineException.class, () -> index.requireVectors(dims, format))
              .getMessage());
      assertEquals(List.of(), engine.requests);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "ELASTICSEARCH, 33, INT8",
    "ELASTICSEARCH, 2, INT4",
    "ELASTICSEARCH, 64, BINARY",
    "OPENSEARCH, 1, INT8"
  })
  void obstacle_aFormatThatTheEngineHas_isNone(RestVectors dialect, int dims, VectorFormat format) {
    assertEquals(Optional.empty(), dialect.obstacle(dims, format));
  }

  /** What makes an index, then a search for neighbours, a hybrid one, and one for text. */
  private static List<JsonNode> sent(RestVectors dialect, VectorFormat format) throws Exception {
    Documents documents = new Documents("synthetic:9", 1, 0).withVectors("2");
    DocumentVectors vectors = DocumentVectors.of(documents);
    try (StubEngine engine = new StubEngine();
        EngineClient client =
            new EngineClient(engine.url(), Optional.empty(), Duration.ofSeconds(10))) {
      RestIndex index = RestIndex.onOwnServer(client, Map.of(), dialect);
      index.create(
          EngineStamp.wanted(
              Optional.of(Engine.ELASTICSEARCH),
              documents,
              1,
              new IndexLayout(IdPostings.DEFAULT, CompoundFiles.DEFAULT, format)));
      EngineIndex.Bulk bulk = index.bulk();
      bulk.add(
          new Updater.Update(
              "k", new CorpusDocument("t", "b", 0), Optional.of(new float[] {0.6f, 0.8f})));
      bulk.send();
      index.search(SearchQuery.parse("knn: a"), vectors, 10);
      index.search(SearchQuery.parse("hybrid: a"), vectors, 10);
      index.search(SearchQuery.parse("a"), vectors, 10);

      assertTrue(
          engine.requestsInFull.stream().anyMatch(r -> r.contains("\"vector\":[0.6,0.8]")),
          engine.requestsInFull::toString);
      List<JsonNode> sent = new ArrayList<>();
      for (String request : engine.requestsInFull) {
        if (request.startsWith("PUT /weir-stress ") || request.contains("/_search ")) {
          sent.add(RunJson.parse(request.split(" ", 3)[2]));
        }
      }
      return sent;
    }
  }

  /** Of two that are found, one is as near as the last of the true neighbours. */
  @ParameterizedTest
  @EnumSource
  void recall_isTheShareOfTheTrueNeighbours(RestVectors dialect) throws Exception {
    String ids = IntStream.range(0, 10).mapToObj(i -> hit(i, "")).collect(joining(","));
    String read =
        IntStream.range(5, 15) // the first five that are found are not the nearest
            .mapToObj(
                i ->
                    hit(
                        i,
                        ",\"%s\":{\"vector\":[0.9%02d,0]}"
                            .formatted(
                                dialect == RestVectors.OPENSEARCH ? "_source" : "fields", i)))
            .collect(joining(","));
    String far = hit(1, ",\"_source\":{\"vector\":[0.1,0]},\"fields\":{\"vector\":[0.1,0]}");
    try (StubEngine engine = new StubEngine();
        EngineClient client =
            new EngineClient(engine.url(), Optional.empty(), Duration.ofSeconds(10))) {
      engine.byBody =
          body ->
              body.contains("\"sort\"")
                  ? hits(read)
                  : body.contains("\"first\"")
                      ? hits(far + "," + hit(99, ""))
                      : body.contains("knn") ? hits(ids) : Optional.empty();
      Values recall =
          VectorRecall.of(
              RestIndex.onOwnServer(client, Map.of(), dialect),
              List.of(new float[] {1, 0}),
              () -> false);

      assertEquals(0.5, recall.require(ArmFigures.RECALL));
      assertEquals(11, recall.require(ArmFigures.VECTORS));
      assertTrue(
          engine.requestsInFull.contains("DELETE /_search/scroll {\"scroll_id\":\"second\"}"),
          engine.requestsInFull::toString);
    }
  }

  private static String hit(int id, String more) {
    return "{\"_id\":\"%d\"%s}".formatted(id, more);
  }

  /** A page of a search, whose next page is asked for as the first. */
  private static Optional<StubEngine.Answer> hits(String hits) {
    return Optional.of(
        new StubEngine.Answer(
            200,
            "{\"_scroll_id\":\"%s\",\"_shards\":{\"failed\":0},\"hits\":{\"hits\":[%s]}}"
                .formatted(hits.contains("0.1") ? "second" : "first", hits)));
  }

  @Test
  void requireVectors_aNodeWithoutThePlugIn_isNamed() throws Exception {
    try (StubEngine engine = new StubEngine();
        EngineClient client =
            new EngineClient(engine.url(), Optional.empty(), Duration.ofSeconds(10))) {
      engine.overrides.put(
          "GET /", new StubEngine.Answer(200, "{\"version\":{\"distribution\":\"opensearch\"}}"));
      engine.overrides.put(
          "GET /_nodes/plugins",
          new StubEngine.Answer(
              200,
              "{\"nodes\":{\"a\":{\"name\":\"first\",\"plugins\":[{\"name\":\"opensearch-knn\"}]},"
                  + "\"b\":{\"name\":\"second\",\"plugins\":[{\"name\":\"weir\"}]}}}"));

      String said =
          assertThrows(
                  EngineException.class,
                  () -> RestIndex.inCluster(client, "i").requireVectors(8, VectorFormat.FLOAT))
              .getMessage();

      assertTrue(said.startsWith("node second has no plug-in opensearch-knn; "), said);
      assertTrue(said.contains("org.opensearch.plugin:opensearch-knn:VERSION.0"), said);
      RestIndex.onOwnServer(client, Map.of(), RestVectors.ELASTICSEARCH)
          .requireVectors(8, VectorFormat.FLOAT);
    }
  }
}
