package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.corpus.ReadProblems;
import io.weir.rest.EngineClient;
import io.weir.rest.EngineException;
import io.weir.rest.Login;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.EngineApi;
import io.weir.stress.plan.EngineSite;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.VectorFormat;
import io.weir.suite.Slow;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Slow("calls what can start a server")
class EngineClientTest {

  private static final Duration ANSWERING = Duration.ofSeconds(20);
  private static final EngineStamp WANTED = wanted(1, IndexLayout.PLAIN);

  @TempDir Path temp;

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
    try (EngineClient client = client()) {
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
    try (EngineClient client = new EngineClient(nobody, Optional.empty(), ANSWERING)) {
      IOException refused = assertThrows(IOException.class, () -> client.get("/"));

      assertTrue(
          refused.getMessage().startsWith("no server answers at " + nobody), refused.getMessage());
    }
  }

  /** A call without a timeout once kept a run from ending. */
  @Test
  void get_noAnswerInTime_failsWithTheTimeThatItHad() throws Exception {
    engine.refreshMillis = 60_000;
    try (EngineClient client =
        new EngineClient(engine.url(), Optional.empty(), Duration.ofMillis(100))) {
      IOException late =
          assertThrows(IOException.class, () -> client.post("/weir-stress/_refresh"));

      assertTrue(late.getMessage().contains("was not answered within 0.1 s"), late.getMessage());
    }
  }

  @Test
  void postAndWait_anAnswerThatTakesLong_isAwaited() throws Exception {
    engine.forceMergeMillis = 500;
    try (EngineClient client =
        new EngineClient(engine.url(), Optional.empty(), Duration.ofMillis(100))) {
      assertEquals(
          1, client.postAndWait("/weir-stress/_forcemerge").path("_shards").path("total").asInt());
    }
  }

  @Test
  void get_withALogin_sendsIt() throws Exception {
    Login login = new Login("weir", "se:cret");
    try (EngineClient client = new EngineClient(engine.url(), Optional.of(login), ANSWERING)) {
      client.get("/");
    }

    assertEquals("Basic d2VpcjpzZTpjcmV0", engine.authorizations.getFirst());
  }

  @Test
  void filled_anIndexOfAnotherForm_isRefused() throws Exception {
    assertEquals(10, build("synthetic:10"));

    assertEquals(OptionalLong.of(10), ClusterIndex.filled(site("weir-stress"), WANTED));
    for (EngineStamp other :
        List.of(
            wanted(2, IndexLayout.PLAIN),
            wanted(1, layout(CompoundFiles.ALWAYS, VectorFormat.FLOAT)),
            wanted(1, layout(CompoundFiles.DEFAULT, VectorFormat.INT4)))) {
      assertEquals(
          "the index weir-stress holds synthetic:10 (seed 1), 1 shard, compound=default, this run"
              + " asks for "
              + other
              + ": delete it, or choose another",
          assertThrows(EngineException.class, () -> ClusterIndex.filled(site("weir-stress"), other))
              .getMessage());
    }
  }

  /** Such an index once stayed in the cluster, and the next run refused it. */
  @Test
  void build_noDocuments_leavesNoIndex() throws Exception {
    Path pages = Files.writeString(temp.resolve("pages.xml"), "<mediawiki>\n</mediawiki>\n");

    assertEquals(0, build(pages.toString()));

    assertTrue(engine.requests.contains("DELETE /weir-stress"), engine.requests.toString());
  }

  private long build(String source) throws Exception {
    return new EngineBuild(
            new EngineBuild.Setup(
                EngineAccess.to(EngineApi.REST, engine.url(), "weir-stress"),
                EngineStamp.wanted(
                    Optional.empty(), new Documents(source, 1, 0), 1, IndexLayout.PLAIN)),
            new ReadProblems())
        .build();
  }

  /** Its stamp says nothing of vectors. */
  @Test
  void filled_anIndexOfAnEarlierVersion_holdsFloats() throws Exception {
    engine.overrides.put(
        "GET /weir-stress/_mapping",
        new StubEngine.Answer(
            200,
            "{\"weir-stress\":{\"mappings\":{\"_meta\":{\"weir-stress\":{\"from\":{\"source\":"
                + "\"synthetic:10\",\"seed\":1,\"maxDocuments\":0},\"shards\":1,"
                + "\"compound\":\"DEFAULT\",\"documents\":10}}}}}"));

    assertEquals(OptionalLong.of(10), ClusterIndex.filled(site("weir-stress"), WANTED));
    EngineStamp quantised = wanted(1, layout(CompoundFiles.DEFAULT, VectorFormat.INT8));
    String said =
        assertThrows(
                EngineException.class, () -> ClusterIndex.filled(site("weir-stress"), quantised))
            .getMessage();
    assertTrue(
        said.endsWith(
            "compound=default, this run asks for synthetic:10 (seed 1), 1 shard, compound=default,"
                + " vector-format=int8: delete it, or choose another"),
        said);
  }

  /** An index of somebody else's is never written to. */
  @Test
  void filled_anIndexThatNoRunMade_isRefused() {
    engine.overrides.put(
        "GET /products/_mapping",
        new StubEngine.Answer(200, "{\"products\":{\"mappings\":{\"properties\":{}}}}"));

    assertEquals(
        "the index must be one that weir stress made, because a run changes documents: products",
        assertThrows(EngineException.class, () -> ClusterIndex.filled(site("products"), WANTED))
            .getMessage());
  }

  @Test
  void filled_anIndexOfOtherDocuments_isRefused() {
    engine.overrides.put(
        "GET /mine/_mapping",
        new StubEngine.Answer(
            200,
            "{\"mine\":{\"mappings\":{\"_meta\":{\"weir-stress\":{\"from\":{\"source\":"
                + "\"synthetic:20\",\"seed\":1,\"maxDocuments\":0},\"shards\":1,"
                + "\"compound\":\"DEFAULT\",\"documents\":20}}}}}"));

    String message =
        assertThrows(EngineException.class, () -> ClusterIndex.filled(site("mine"), WANTED))
            .getMessage();

    assertTrue(message.contains("holds synthetic:20"), message);
  }

  private EngineSite.RunningCluster site(String index) {
    return new EngineSite.RunningCluster(EngineApi.REST, engine.url(), Optional.empty(), index);
  }

  private EngineClient client() {
    return new EngineClient(engine.url(), Optional.empty(), ANSWERING);
  }

  private static EngineStamp wanted(int shards, IndexLayout layout) {
    return EngineStamp.wanted(
        Optional.empty(), new Documents("synthetic:10", 1, 0), shards, layout);
  }

  private static IndexLayout layout(CompoundFiles compound, VectorFormat vectors) {
    return new IndexLayout(IdPostings.DEFAULT, compound, vectors);
  }
}
