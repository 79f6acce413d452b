package io.weir.engine;

import static io.weir.golden.Golden.assertGolden;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.weir.merge.MergeListener;
import io.weir.merge.MergeSchedulingClass;
import io.weir.nrt.MergedSegmentWarmer;
import io.weir.nrt.ReopenPhases;
import io.weir.rate.Rate;
import io.weir.store.DirectoryPlan;
import io.weir.store.DirectoryPlan.Layer;
import io.weir.store.ResidentKeys;
import io.weir.stress.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node and its shards, with real writers where an engine would have its own. */
class EngineShardTest {

  private static final Duration NEVER_SLOW = Duration.ofMillis(-1);

  @TempDir Path temp;

  private final AtomicInteger weight = new AtomicInteger(1);
  private EngineNode node =
      new EngineNode(Rate.UNLIMITED, ZoneOffset.UTC, NEVER_SLOW, Optional.empty());
  private OpenIndex index;

  @AfterEach
  void close() throws Exception {
    if (index != null) {
      index.close();
    }
    node.close();
  }

  @Test
  void answer_ofStats_hasTheFiguresOfNodeAndShard() throws Exception {
    EngineShard shard = openShard("products", Optional.of(new MergedSegmentWarmer()));
    attach(shard);
    index.refresh();
    index.refresh();
    index.writer.forceMerge(1);

    JsonNode figures = answer(ShardAction.STATS);

    JsonNode products = figures.at("/indices/products/3");
    assertEquals(1, products.at("/merges/forced/done").asInt(), figures::toString);
    assertEquals(2, products.at("/refresh/external/changed").asInt(), figures::toString);
    assertTrue(products.at("/refresh/external/recent/p99_millis").isNumber(), figures::toString);
    assertTrue(products.at("/warmed/segments").isIntegralNumber(), figures::toString);
    assertEquals(9 - 1, products.get("layers").size(), figures::toString); // but for the keys
    assertTrue(products.has("writeback") && products.has("unmapping"), figures::toString);
    assertEquals(-1, figures.at("/merge/max_bytes_per_sec").asInt(), figures::toString);
    assertTrue(figures.at("/readers_first/reason").isTextual(), figures::toString);
    assertFalse(figures.at("/idle_class/active").asBoolean(), figures::toString);
    assertEquals(
        "weir.merge.idle_class is false",
        figures.at("/idle_class/reason").asText(),
        figures::toString);
    for (String absent : List.of("forced_merge", "slow_refreshes", "resident_keys")) {
      assertFalse(products.has(absent), figures::toString);
    }
    assertFalse(figures.has("resident_keys"), figures::toString);
    shard.close();
  }

  @Test
  void answer_ofStats_hasTheFormThatItHad() throws Exception {
    node =
        new EngineNode(
            Rate.perSecond(1_000_000),
            ZoneOffset.UTC,
            Duration.ofSeconds(1),
            Optional.of(ResidentKeys.of("id")));
    EngineShard shard = openShard("products", Optional.of(new MergedSegmentWarmer()));
    attach(shard);
    shard.written(1, System.nanoTime());
    index.refresh();

    StringBuilder form = new StringBuilder();
    JsonNode answer = answer(ShardAction.STATS);
    ((ObjectNode) answer.at("/indices/products/3")).remove("merge_forecast"); // if the kernel says
    describe("", answer, form);

    assertGolden("plug-in-stats.txt", form.toString());
    shard.close();
  }

  /** Whether they are allowed to is the affair of this machine. */
  @Test
  void setIdleClass_onAndOff_isForAllShards_andSaysWhetherMergesMay() throws Exception {
    EngineShard early = openShard("products", Optional.empty());
    attach(early);
    node.setIdleClass(true);
    assertTrue(early.tracker().hasIdleClass());
    early.close();
    index.close();
    EngineShard late = openShard("products", Optional.empty());
    attach(late);
    assertTrue(late.tracker().hasIdleClass());
    MergeSchedulingClass idle = MergeSchedulingClass.ofThisProcess();
    assertEquals(idle.reason(), answer(ShardAction.STATS).at("/idle_class/reason").asText());

    node.setIdleClass(false);

    assertFalse(late.tracker().hasIdleClass());
    late.close();
  }

  @Test
  void written_document_isVisibleWithTheNextExternalRefresh() throws Exception {
    NodeMeters meters = node.startMeters();
    EngineShard shard = openShard("products", Optional.empty());
    shard.written(1, System.nanoTime()); // before the readers are watched: not measured
    attach(shard);
    index.refresh();
    assertFalse(external().has("max_visible_millis"), external()::toString);

    shard.written(2, System.nanoTime() - Duration.ofSeconds(3).toNanos());
    index.internal.maybeRefreshBlocking(); // of updates, which searches do not see
    assertFalse(external().has("max_visible_millis"), external()::toString);
    index.refresh();
    double millis = external().at("/max_visible_millis").asDouble();
    assertTrue(millis >= 3000 && millis < 60_000, external()::toString);
    assertEquals(1, meters.registry().get("lucene.refresh.visible").timer().count());
    shard.close();
  }

  private JsonNode external() throws Exception {
    return answer(ShardAction.STATS).at("/indices/products/3/refresh/external");
  }

  /** Each path once, with the type of its value. */
  private static void describe(String path, JsonNode node, StringBuilder form) {
    String line = path + " " + node.getNodeType() + "\n";
    if (!node.isContainerNode() && form.indexOf(line) < 0) {
      form.append(line);
    }
    node.properties()
        .forEach(entry -> describe(path + "/" + entry.getKey(), entry.getValue(), form));
    if (node.isArray()) {
      node.forEach(element -> describe(path + "[]", element, form));
    }
  }

  @Test
  void answer_ofSomeIndexes_andOfForcedMerges_leavesOutTheRest() throws Exception {
    EngineShard shard = openShard("products", Optional.empty());
    attach(shard);

    assertTrue(answer(ShardAction.STATS, "products", "products").at("/indices").has("products"));
    assertEquals("{}", answer(ShardAction.STATS, "orders").get("indices").toString());
    assertEquals("{\"indices\":{}}", answer(ShardAction.FORCED_MERGES).toString());
    assertEquals(
        "{\"indices\":{\"products\":{\"3\":{\"cancelled\":0}}}}",
        answer(ShardAction.CANCEL).toString());
    shard.close();
    shard.close();
    assertEquals("{\"indices\":{}}", answer(ShardAction.CANCEL).toString());
  }

  @Test
  void keys_ofTheNode_areALayerAndAFigure() throws Exception {
    node =
        new EngineNode(
            Rate.perSecond(1000),
            ZoneOffset.UTC,
            Duration.ofSeconds(1),
            Optional.of(ResidentKeys.of("id")));
    EngineShard shard = openShard("products", Optional.empty());
    attach(shard);

    JsonNode figures = answer(ShardAction.STATS);

    assertEquals(1000, figures.at("/merge/max_bytes_per_sec").asInt(), figures::toString);
    assertTrue(figures.has("resident_keys"), figures::toString);
    assertTrue(figures.at("/indices/products/3").has("resident_keys"), figures::toString);
    assertEquals(1000, figures.at("/indices/products/3/slow_refreshes/threshold_millis").asInt());
    shard.close();
  }

  @Test
  void directory_thatCannotHaveLayers_isUsedAsItIs() throws Exception {
    try (Directory files = new NIOFSDirectory(temp);
        Directory layers = node.directory(files)) {
      assertEquals(Layer.SMALL_FILES, DirectoryPlan.report(layers).getFirst().layer());
      assertTrue(DirectoryPlan.report(layers).getFirst().active());
      assertSame(layers, node.directory(layers));
    }
  }

  @Test
  void weight_changedBeforeTheShardIsAttached_isNotLost_andLaterChangesReachIt() throws Exception {
    EngineShard shard = openShard("products", Optional.empty());
    weight.set(0); // refused by the tracker, so that a test sees when it is read
    assertThrows(IllegalArgumentException.class, () -> attach(shard));
    weight.set(5);
    attach(shard);
    assertEquals(5, answer(ShardAction.STATS).at("/indices/products/3/weight").asInt());
    node.setShareWeight("uuid of products", 7);
    assertEquals(7, answer(ShardAction.STATS).at("/indices/products/3/weight").asInt());
    node.setShareWeight("uuid of orders", 0); // no shard of it, so nothing to refuse

    assertThrows(IllegalArgumentException.class, () -> node.setShareWeight("uuid of products", 0));
    shard.close();
    node.setShareWeight("uuid of products", 0);
  }

  @Test
  void attach_afterTheClose_doesNothing() throws Exception {
    EngineShard shard = openShard("products", Optional.empty());
    shard.close();

    attach(shard);

    assertEquals("{}", answer(ShardAction.STATS).get("indices").toString());
  }

  /** A failed attach left monitors on the engine's readers, and the shard in the answers. */
  @Test
  void attach_thatFails_leavesNothingBehind() throws Exception {
    EngineShard shard = openShard("products", Optional.empty());
    weight.set(0); // refused by the tracker, at the last step

    assertThrows(IllegalArgumentException.class, () -> attach(shard));

    assertEquals("{\"indices\":{}}", answer(ShardAction.FORCED_MERGES).toString());
    assertEquals("{}", answer(ShardAction.STATS).get("indices").toString());
    index.refresh();
    assertEquals(0, shard.refreshes().snapshot().changed());
    weight.set(1);
    attach(shard);
    index.refresh();
    assertEquals(1, shard.refreshes().snapshot().changed());
    shard.close();
  }

  /**
   * An engine slows indexing for two reasons: too many merges, or a disk that cannot keep up with
   * indexing itself. In the second case merges at full speed would make it worse.
   */
  @Test
  void liftWhile_throttledWithFewMerges_keepsTheCap_andLiftsItWhileThereAreMany() throws Exception {
    AtomicBoolean throttled = new AtomicBoolean(true);
    EngineShard shard = openShard("products", Optional.empty());
    List<String> told = new CopyOnWriteArrayList<>();
    shard
        .tracker()
        .addListener(
            new MergeListener() {
              @Override
              public void capLifted(String reason) {
                told.add("lifted");
              }

              @Override
              public void capRestored() {
                told.add("restored");
              }
            });

    shard.liftWhile(throttled::get, () -> 1);
    assertEquals(List.of(), told);
    node.budget().setRate(Rate.PAUSED);
    index.refresh();
    index.refresh();
    FutureTask<Void> merge =
        new FutureTask<>(
            () -> {
              index.writer.forceMerge(1);
              return null;
            });
    Thread.ofPlatform().start(merge);
    Await.until("it waits", () -> node.budget().snapshot().waiting() == 1);
    shard.liftWhile(throttled::get, () -> 2);
    assertEquals(List.of(), told);
    shard.liftWhile(throttled::get, () -> 1);

    merge.get(20, TimeUnit.SECONDS); // it runs, and then there are too few
    Await.until("the cap holds again", () -> told.size() == 2);
    assertEquals(List.of("lifted", "restored"), told);
    throttled.set(false);
    shard.liftWhile(throttled::get, () -> 0);
    assertEquals(2, told.size());
  }

  @Test
  void meters_haveTheShardWhileItIsOpen() throws Exception {
    NodeMeters meters = node.startMeters();
    EngineShard shard = openShard("products", Optional.empty());
    attach(shard);
    index.refresh();

    assertTrue(
        meters.registry().scrape().contains("{index=\"products\",result=\"changed\",shard=\"3\"}"),
        meters.registry()::scrape);
    shard.close();

    assertFalse(meters.registry().scrape().contains("products"), meters.registry()::scrape);
  }

  @Test
  void slowRefresh_outOfRange_isRefusedByTheNameOfItsSetting() {
    for (Duration wrong : List.of(Duration.ZERO, Duration.ofHours(2))) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> new EngineNode(Rate.UNLIMITED, ZoneOffset.UTC, wrong, Optional.empty()))
              .getMessage();
      assertTrue(message.startsWith("weir.slow_refresh.threshold must be from 1ms"), message);
    }
  }

  private EngineShard openShard(String name, Optional<MergedSegmentWarmer> warmer)
      throws Exception {
    Directory directory = node.directory(new NIOFSDirectory(temp));
    IndexWriterConfig config = new IndexWriterConfig();
    ReopenPhases phases = new ReopenPhases();
    EngineShard shard =
        new EngineShard(
            new ShardName(name, "uuid of " + name, 3),
            directory,
            node.budget(),
            weight::get,
            Optional.of(phases),
            warmer);
    warmer.ifPresent(config::setMergedSegmentWarmer);
    config.setInfoStream(phases.infoStream(config.getInfoStream()));
    config.setMergePolicy(shard.tracker().track(config.getMergePolicy()));
    index = new OpenIndex(directory, config);
    return shard;
  }

  private void attach(EngineShard shard) {
    shard.attach(node, node.readersFirst(), index.external, index.internal);
  }

  private JsonNode answer(ShardAction action, String... indexes) {
    return new ObjectMapper().valueToTree(node.answer(action, indexes));
  }
}
