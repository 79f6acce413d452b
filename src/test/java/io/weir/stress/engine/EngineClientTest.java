package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.stress.plan.Documents;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineClientTest {

  private final StubEngine engine;

  EngineClientTest() throws IOException {
    engine = new StubEngine();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void get_anAnswerThatIsNoSuccess_isAnExceptionWithWhatTheEngineSaid() throws Exception {
    engine.overrides.put("GET /x", new StubEngine.Answer(429, "{ \"error\":\n \"too many\" }"));
    try (EngineClient client = new EngineClient(engine.url())) {
      EngineException refused = assertThrows(EngineException.class, () -> client.get("/x"));

      assertEquals(429, refused.status());
      assertEquals(
          "GET /x was answered with 429: { \"error\": \"too many\" }", refused.getMessage());
    }
  }

  @Test
  void get_noServer_saysWhere() throws Exception {
    URI nobody = engine.url();
    engine.close();
    try (EngineClient client = new EngineClient(nobody)) {
      IOException refused = assertThrows(IOException.class, () -> client.get("/"));

      assertTrue(
          refused.getMessage().startsWith("no server answers at " + nobody), refused.getMessage());
    }
  }

  /** An index of somebody else's is never written to. */
  @Test
  void documents_anIndexThatNoRunMade_isRefused() {
    engine.overrides.put(
        "GET /products/_mapping",
        new StubEngine.Answer(200, "{\"products\":{\"mappings\":{\"properties\":{}}}}"));

    assertEquals(
        "the index must be one that weir stress made, because a run changes documents: products",
        assertThrows(
                EngineException.class,
                () ->
                    ClusterIndex.documents(
                        engine.url(), "products", new Documents("synthetic:10", 1, 0)))
            .getMessage());
  }

  @Test
  void documents_anIndexOfOtherDocuments_isRefused() {
    engine.overrides.put(
        "GET /mine/_mapping",
        new StubEngine.Answer(
            200,
            "{\"mine\":{\"mappings\":{\"_meta\":{\"weir-stress\":{\"source\":\"synthetic:20\","
                + "\"seed\":1,\"maxDocuments\":0,\"documents\":20}}}}}"));

    String message =
        assertThrows(
                EngineException.class,
                () ->
                    ClusterIndex.documents(
                        engine.url(), "mine", new Documents("synthetic:10", 1, 0)))
            .getMessage();

    assertTrue(message.contains("was filled with synthetic:20"), message);
  }
}
