package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rest.EngineClient;
import io.weir.stress.queries.SearchQuery;
import io.weir.stress.setting.ArmSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a run says to Solr and starts it with; {@code CommandEngineIT} has real servers. */
class SolrIndexTest {

  @TempDir Path temp;

  @Test
  void text_isWhatSolrsParsersRead() {
    assertEquals("+\"word\"", SolrIndex.text(SearchQuery.term("word")));
    assertEquals(
        "+\"a\" +\"b\" -\"c\"",
        SolrIndex.text(new SearchQuery(SearchQuery.Operator.AND, List.of("a", "b"), List.of("c"))));
    assertEquals(
        "\"a\" \"b\"",
        SolrIndex.text(new SearchQuery(SearchQuery.Operator.OR, List.of("a", "b"), List.of())));
    assertEquals("+\"a\\\"\\\\:*\"", SolrIndex.text(SearchQuery.term("a\"\\:*")));
  }

  @Test
  void prepare_aCap_isSetWithWhatItCounts() throws Exception {
    try (StubEngine engine = new StubEngine();
        EngineClient client =
            new EngineClient(engine.url(), Optional.empty(), Duration.ofSeconds(10))) {
      SolrIndex.onOwnServer(client, "products")
          .prepare(ArmSettings.of(Map.of("cap", "40MB/s", "count-reads", "on")));

      assertEquals(
          List.of("GET /products/weir?max_bytes_per_sec=40000000b&count_reads=true"),
          engine.requestsInFull.stream().map(String::strip).toList());
    }
  }

  @Test
  void jvmArguments_haveACollectorUnlessOneIsAskedFor() {
    assertTrue(SolrEngine.jvmArguments(List.of("-Xmx1g")).contains("-XX:+UseG1GC"));
    assertFalse(SolrEngine.jvmArguments(List.of("-XX:+UseZGC")).contains("-XX:+UseG1GC"));
  }

  /** Solr reads its home and its ZooKeeper from the environment. */
  @Test
  void environment_hasNothingOfTheUsersForSolr() {
    Map<String, String> environment =
        new HashMap<>(Map.of("SOLR_HOME", "/a", "ZK_HOST", "b", "PATH", "/bin", "HOME", "/c"));

    SolrEngine.setEnvironment(environment, Path.of("/tmp"));

    assertEquals(Map.of("PATH", "/bin", "HOME", "/tmp"), environment);
  }

  @Test
  void obstacle_aDirectoryWithoutAServer_isNamed() throws Exception {
    Path libraries = Files.createDirectory(temp.resolve("lib"));
    Files.createFile(libraries.resolve("solr-core-9.jar"));
    String missing = SolrEngine.SOLR.obstacle(temp).orElseThrow();
    Files.createFile(libraries.resolve("solr-test-framework-9.jar"));

    assertTrue(missing.startsWith("there is no lib/solr-test-framework-*.jar in " + temp), missing);
    assertEquals(Optional.empty(), SolrEngine.SOLR.obstacle(temp));
  }

  /** A stock arm of each run once had a warning. */
  @Test
  void pluginFigures_withoutThePlugIn_areNone() throws Exception {
    try (StubEngine solr = new StubEngine();
        EngineClient client =
            new EngineClient(solr.url(), Optional.empty(), Duration.ofSeconds(20))) {
      solr.overrides.put("GET /core/weir", new StubEngine.Answer(404, "Can not find: /core/weir"));

      assertEquals(Optional.empty(), SolrIndex.onOwnServer(client, "core").pluginFigures());
    }
  }

  @Test
  void configuration_onlyThatOfTheWeirArmNamesWeir() throws Exception {
    SolrEngine.Configuration.write(temp.resolve("weir"), true, 0);
    SolrEngine.Configuration.write(temp.resolve("stock"), false, 0);

    String config = "configsets/weir-stress/conf/solrconfig.xml";
    String weir = Files.readString(temp.resolve("weir").resolve(config));
    String stock = Files.readString(temp.resolve("stock").resolve(config));
    assertEquals(3, weir.split("io\\.weir\\.solr\\.", -1).length - 1);
    assertFalse(stock.contains("io.weir"), stock);
    // Besides those lines they are the same.
    assertEquals(tail(stock), tail(weir));
    String schema = "configsets/weir-stress/conf/schema.xml";
    assertEquals(
        Files.readString(temp.resolve("stock").resolve(schema)),
        Files.readString(temp.resolve("weir").resolve(schema)));
  }

  private static String tail(String config) {
    return config.substring(config.indexOf("</indexConfig>"));
  }
}
