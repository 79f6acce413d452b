package io.weir.stress.plan;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.rest.Login;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.CompoundFiles;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Preset;
import io.weir.stress.setting.Setting;
import io.weir.stress.setting.VectorFormat;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class EnginePlanTest {

  private static final Arm STOCK =
      new Arm("stock", ArmSettings.DEFAULT.with(ArmSetting.PRESET, Preset.STOCK));
  private static final EngineSite SERVERS =
      new EngineSite.OwnServers(Engine.OPENSEARCH, Path.of("home"), Optional.empty());
  private static final EngineSite CLUSTER =
      new EngineSite.RunningCluster(
          EngineApi.REST, URI.create("http://localhost:9200"), Optional.empty(), "weir-stress");
  private static final EngineSite SOLR =
      new EngineSite.OwnServers(Engine.SOLR, Path.of("home"), Optional.empty());

  /** Without regard to where Lucene would have the postings of keys. */
  @Test
  void layouts_areThoseThatArmsStartFrom() {
    EngineSite servers =
        new EngineSite.OwnServers(
            Engine.OPENSEARCH, Path.of("home"), Optional.of(Path.of("plugin.zip")));
    Arm compound =
        new Arm("compound", STOCK.settings().with(ArmSetting.COMPOUND, CompoundFiles.ALWAYS));
    Arm int8 = new Arm("int8", STOCK.settings().with(ArmSetting.VECTOR_FORMAT, VectorFormat.INT8));
    Arm weir = new Arm("weir", ArmSettings.DEFAULT);

    EnginePlan plan = new EnginePlan(vectors(List.of(STOCK, compound, int8, weir)), servers, 1);

    assertEquals(
        List.of("", "-compound", "-int8"),
        plan.layouts().stream().map(IndexLayout::suffix).toList());
  }

  @Test
  void plan_whatOnlyLuceneCanDo_isRefusedByName() {
    assertRefused(
        "--check-index does not apply to an engine: an engine checks its shards itself",
        () -> new EnginePlan(run(List.of(STOCK), true), SERVERS, 1));
    assertRefused(
        "shards must be from 1 to 100: 0",
        () -> new EnginePlan(run(List.of(STOCK), false), SERVERS, 0));
  }

  @Test
  void plan_vectors_areForEachEngine() {
    StressPlan vectors = vectors(List.of(STOCK));
    EngineSite elasticsearch =
        new EngineSite.OwnServers(Engine.ELASTICSEARCH, Path.of("home"), Optional.empty());
    for (EngineSite site : List.of(SERVERS, SOLR, elasticsearch)) {
      assertDoesNotThrow(() -> new EnginePlan(vectors, site, 1));
    }
  }

  @Test
  void plan_aPresetForAClusterThatRuns_isRefused() {
    assertRefused(
        "preset is not for an engine, because the cluster of --target runs already: preset=stock",
        () -> new EnginePlan(run(List.of(STOCK), false), CLUSTER, 1));
  }

  @Test
  void cluster_aNameThatNoIndexCanHave_isRefused() {
    assertRefused(
        "target-index must be from 1 to 100 of a-z, 0-9, _, . and -: '_all'",
        () -> at("http://localhost:9200", Optional.of("_all")));
  }

  @Test
  void plan_whatSolrCannotDo_isRefusedByName() {
    assertRefused(
        "shards is not for Solr, because a core has one, and a collection those that it was made"
            + " with",
        () -> new EnginePlan(run(List.of(STOCK), false), SOLR, 2));
    assertRefused(
        "compound is not for Solr, because its solrconfig.xml decides on that",
        () ->
            new EnginePlan(
                run(List.of(with(ArmSetting.COMPOUND, CompoundFiles.ALWAYS)), false), SOLR, 1));
    assertRefused(
        "merge=natural is not for Solr, because it takes another merge policy only by a reload of"
            + " the core, which holds up updates",
        () ->
            new EnginePlan(
                run(List.of(with(ArmSetting.MERGE, MergeWorkload.NATURAL)), false), SOLR, 1));
    assertRefused(
        "vector-format=int8 is not for Solr, because Solr 9 has no type of field that quantises"
            + " vectors",
        () ->
            new EnginePlan(
                vectors(List.of(with(ArmSetting.VECTOR_FORMAT, VectorFormat.INT8))), SOLR, 1));
    assertRefused(
        "arm weir needs --engine-plugin, the jar weir-solr in target/dist",
        () -> new EnginePlan(run(List.of(new Arm("weir", ArmSettings.DEFAULT)), false), SOLR, 1));
  }

  @Test
  void cluster_ofSolr_isANodeAndACollection() {
    EngineSite.RunningCluster cluster =
        at("solr:https://weir:secret@host:8983/solr/my_Products/", Optional.empty());

    assertEquals(EngineApi.SOLR, cluster.api());
    assertEquals(URI.create("https://host:8983/solr"), cluster.url());
    assertEquals("my_Products", cluster.index());
    assertEquals(Optional.of(new Login("weir", "secret")), cluster.login());
  }

  @Test
  void cluster_ofSolrWithoutANodeOrACollection_isRefused() {
    String node =
        "target must be the address of a node, such as solr:http://localhost:8983/solr/products: ";
    assertRefused(node + "localhost:8983", () -> at("solr:localhost:8983", Optional.empty()));
    assertRefused(
        node + "***@localhost:1/x", () -> at("solr:weir:secret@localhost:1/x", Optional.empty()));
    assertRefused(node + "products", () -> at("solr:products", Optional.empty()));
    assertRefused(
        "target must end with the name of a collection or a core, such as"
            + " solr:http://localhost:8983/solr/products: ''",
        () -> at("solr:http://localhost:8983/", Optional.empty()));
    assertRefused(
        "target-index is not for Solr, because the target ends with the collection: mine",
        () -> at("solr:http://localhost:8983/solr/products", Optional.of("mine")));
  }

  private static EngineSite.RunningCluster at(String address, Optional<String> index) {
    return EngineSite.RunningCluster.at(URI.create(address), index, Map.of());
  }

  private static <T> Arm with(Setting<T> setting, T value) {
    return new Arm("stock", STOCK.settings().with(setting, value));
  }

  private static StressPlan run(List<Arm> arms, boolean check) {
    return new StressPlan(
        new Documents("synthetic", 1, 0),
        QuerySource.TERMS,
        Optional.empty(),
        Path.of("out"),
        arms,
        1,
        Duration.ofMillis(50),
        check,
        false,
        Telemetry.NONE,
        List.of());
  }

  private static StressPlan vectors(List<Arm> arms) {
    StressPlan run = run(List.of(STOCK), false);
    return new StressPlan(
        run.documents().withVectors("8"),
        QuerySource.parse("knn"),
        run.index(),
        run.out(),
        arms,
        1,
        run.slowReopenOver(),
        false,
        false,
        run.telemetry(),
        List.of());
  }

  private static void assertRefused(String message, Executable plan) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, plan).getMessage());
  }
}
