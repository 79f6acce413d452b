package io.weir.stress.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.corpus.ReadProblems;
import io.weir.merge.MergeKind;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.MergeFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.RunFigure;
import io.weir.run.RunWarning;
import io.weir.run.SlowCauses;
import io.weir.run.Status;
import io.weir.stress.Await;
import io.weir.stress.QuickArm;
import io.weir.stress.arm.ArmRun;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.EngineApi;
import io.weir.stress.plan.IndexLayout;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.LoadRate;
import io.weir.stress.setting.MergeWorkload;
import io.weir.suite.Slow;
import io.weir.time.NanoClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An arm against the REST paths of an engine, with the load, the phases and the files of any arm.
 */
@Slow("runs whole arms for a given time")
class EngineArmTest {

  private static final Documents DOCUMENTS = new Documents("synthetic:200", 1, 0);

  private static final LoadRate LEVELS =
      new LoadRate(List.of(0.0, 200.0), Optional.of(Duration.ofMillis(100)));

  @TempDir Path temp;

  private final StubEngine engine;
  private final QuickArm arm =
      new QuickArm().set(ArmSetting.COMMITS_PER_MINUTE, LoadRate.steady(300.0));

  EngineArmTest() throws IOException {
    engine = new StubEngine();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void run_onACluster_measuresEachLoadInEachPhase() throws Exception {
    arm.set(ArmSetting.BEFORE, Duration.ofMillis(800));
    assertEquals(200, build());
    assertEquals(200, engine.ids.size());

    Part result = run().run();

    assertEquals(Status.DONE, result.status());
    assertEquals("stub 1.0", result.settings().get("engine"));
    assertFalse(result.settings().containsKey("preset"), result.settings().toString());
    double merged = result.require(MergeFigures.SECONDS);
    assertTrue(merged >= 0.3 && merged < 3, merged + " s");
    LatencySummary during = result.latency(ArmFigures.REOPEN, Phase.DURING);
    assertTrue(during.count() >= 4, during.toString());
    assertEquals(100, result.require(ArmFigures.UPDATE.asked(), Phase.DURING));
    assertTrue(result.require(ArmFigures.UPDATE.achieved(), Phase.BEFORE) > 50, result.toString());
    LatencySummary updates = result.latency(ArmFigures.UPDATE.latency(), Phase.BEFORE);
    assertTrue(updates.count() >= 4, updates.toString()); // bulks of 20, due each 200 ms
    assertTrue(result.require(ArmFigures.SEARCHES) > 0);
    assertEquals(0, result.require(ArmFigures.SEARCHES_WITHOUT_HITS));
    assertEquals(List.of(), warningsOfThePlugIn(result));
    assertTrue(engine.requests.contains("POST /weir-stress/_flush"));
    assertEquals(200, engine.ids.size()); // updates replace what is there
    String lines = Files.readString(temp.resolve("reopens.csv"));
    assertTrue(lines.contains(",during,"), lines);
    String series = Files.readString(temp.resolve("series.csv"));
    assertTrue(series.lines().count() > 10, series);
    assertTrue(series.lines().anyMatch(line -> line.contains(",after,")), series); // the last look
  }

  /** Whole cycles of levels: their mean, in bulks of twenty. */
  @Test
  void run_updatesAtLevelsInTurn_asksForTheirMeanInEachPhase() throws Exception {
    build();
    arm.set(ArmSetting.UPDATES_PER_SECOND, LEVELS);
    arm.set(ArmSetting.REOPENS_PER_SECOND, LEVELS);
    arm.set(ArmSetting.AFTER, Duration.ofMillis(800));

    Part result = run().run();

    assertEquals(
        100,
        result.require(ArmFigures.UPDATE.asked(), Phase.AFTER),
        1e-6,
        "0.8 s of 0 and 200 a second in turn");
    assertEquals(4, result.latency(ArmFigures.UPDATE.latency(), Phase.AFTER).count(), "bulks");
    assertEquals(80, result.latency(ArmFigures.REOPEN, Phase.AFTER).count(), 1);
  }

  @Test
  void run_refreshesThatTakeLong_areSlowForAReasonThatIsNotKnown() throws Exception {
    build();
    engine.refreshMillis = 30;

    Part result = run().run();

    assertTrue(
        result.latency(ArmFigures.REOPEN, Phase.DURING).p50Millis() >= 30, result.toString());
    assertTrue(result.require(ArmFigures.SLOW_REOPENS, Phase.DURING) > 0, result.toString());
    assertEquals(
        "unknown", result.require(ArmFigures.SLOW_CAUSES, Phase.DURING).list().getFirst().cause());
    assertTrue(
        result.latency(ArmFigures.VISIBLE, Phase.DURING).p50Millis() >= 30, result.toString());
  }

  /** Four readings: at the begin of each phase, and at the end. */
  @Test
  void run_withThePlugIn_reportsWhatItSays() throws Exception {
    build();
    engine.refreshMillis = 30;
    engine.pluginStats = Optional.of(EngineArmTest::pluginStats);

    Part result = run().run();

    Part merge = result;
    assertEquals(Optional.of(1_000L), merge.get(MergeFigures.BYTES_CHARGED)); // one reading later
    assertEquals(Optional.of(0.5), merge.get(MergeFigures.PAUSED_SECONDS));
    assertEquals(2, merge.require(MergeFigures.MERGES, MergeKind.FORCED));
    assertEquals(2, merge.require(MergeFigures.PAUSES, MergeKind.FORCED));
    assertEquals(0.2, merge.require(MergeFigures.PAUSED_SECONDS_OF, MergeKind.FORCED));
    assertEquals(500, merge.require(MergeFigures.BYTES_OF, MergeKind.FORCED));
    assertEquals("40MB/s", result.settings().get("cap"));
    List<SlowCauses.Cause> causes = result.require(ArmFigures.SLOW_CAUSES, Phase.DURING).list();
    assertTrue(causes.stream().anyMatch(cause -> cause.cause().equals("merge_wait")), "" + causes);
    assertEquals(
        result.require(ArmFigures.SLOW_LOST, Phase.DURING),
        causes.stream().mapToDouble(SlowCauses.Cause::seconds).sum(),
        0.01);
    assertEquals(List.of(), warningsOfThePlugIn(result));
  }

  private static List<RunWarning> warningsOfThePlugIn(Part arm) {
    return arm.warnings().stream().filter(w -> w.what().contains("plug-in")).toList();
  }

  /** Operations after the end of the phase once counted as those of its time. */
  @Test
  void run_aPlugInThatAnswersAfterTheEnd_makesTheLastPhaseNoLonger() throws Exception {
    build();
    engine.pluginStats =
        Optional.of(
            reading -> {
              if (reading == 2) { // when the last phase begins
                LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
              }
              return pluginStats(reading);
            });

    Part result = run().run();

    double perSecond = result.require(ArmFigures.UPDATE.achieved(), Phase.AFTER);
    assertTrue(perSecond < 250, "100 were asked for: " + perSecond);
  }

  @Test
  void run_onAShardThatMoves_hasNoFiguresOfItsMerges_andWarns() throws Exception {
    build();
    engine.pluginStats =
        Optional.of(
            reading ->
                pluginStats(reading).replace("\"n\"", reading < 2 ? "\"n\"" : "\"another\""));

    Part result = run().run();

    assertEquals(Optional.empty(), result.get(MergeFigures.BYTES_CHARGED));
    assertEquals(1, warningsOfThePlugIn(result).size(), result.warnings().toString());
  }

  @Test
  void run_withAPlugInThatMayNotBeAsked_warns() throws Exception {
    build();
    engine.overrides.put(
        "GET /weir-stress/_weir/stats", new StubEngine.Answer(403, "{\"error\":\"no rights\"}"));

    Part result = run().run();

    assertEquals(Optional.empty(), result.get(MergeFigures.BYTES_CHARGED));
    assertEquals(1, engine.requests.stream().filter(r -> r.endsWith("/_weir/stats")).count());
    assertTrue(
        result.warnings().stream().anyMatch(warning -> warning.cause().contains("no rights")),
        result.warnings().toString());
  }

  private static String pluginStats(int reading) {
    return """
    {"nodes":{"n":{"merge":{"max_bytes_per_sec":40000000,"charged_bytes":%d,"wait_millis":%d},
    "indices":{"weir-stress":{"0":{"merges":{"forced":{"running":1,"done":%d,"written_bytes":%d,
    "pauses":%d,"paused_millis":%d}},"slow_refreshes":{"cause_millis":{"merge_wait":%d},
    "cause_count":{"merge_wait":%d}}}}}}}}
    """
        .formatted(
            reading * 1_000,
            reading * 500,
            reading,
            reading * 500,
            reading * 2,
            reading * 200,
            reading * 10,
            reading);
  }

  @Test
  void run_aRefreshThatFailsOnAShard_endsTheArmWithTheReason() throws Exception {
    build();
    engine.overrides.put(
        "POST /weir-stress/_refresh",
        new StubEngine.Answer(
            200, "{\"_shards\":{\"total\":2,\"failed\":1,\"failures\":[\"no disk\"]}}"));

    // Of this type, because only then would the end of a server of its own be said.
    IOException failure = assertThrows(IOException.class, () -> run().run());

    assertTrue(
        failure.getMessage().contains("a refresh failed on 1 of 2 shards: [\"no disk\"]"),
        failure.getMessage());
  }

  @Test
  void stop_whileAForcedMergeRuns_endsWithWhatWasMeasured() throws Exception {
    build();
    engine.forceMergeMillis = 60_000;
    EngineArm run = run();
    FutureTask<Part> running = new FutureTask<>(() -> run.run());
    Thread.ofPlatform().start(running);
    Await.until("the merge runs", () -> engine.requests.contains("POST /weir-stress/_forcemerge"));

    run.stop();

    Part result = running.get(10, TimeUnit.SECONDS);
    assertEquals(Status.INTERRUPTED, result.status());
    assertTrue(result.latency(ArmFigures.REOPEN, Phase.BEFORE).count() > 0, result.toString());
  }

  @Test
  void run_aForcedMergeLongerThanItsTimeout_isGivenUpAndSaysSo() throws Exception {
    build();
    engine.forceMergeMillis = 600_000;
    arm.set(ArmSetting.MERGE_TIMEOUT, Optional.of(Duration.ofSeconds(1)));

    Part result = run().run();

    assertEquals(Status.DONE, result.status());
    Part merge = result;
    assertFalse(merge.require(MergeFigures.ENDED));
    assertTrue(
        merge.require(MergeFigures.SECONDS) >= 1 && merge.require(MergeFigures.SECONDS) < 60,
        merge.require(MergeFigures.SECONDS) + " s");
    assertEquals(Optional.empty(), RunFigure.MERGE_SECONDS.of(result));
    assertTrue(result.latency(ArmFigures.REOPEN, Phase.DURING).count() > 0, result.toString());
    assertEquals(Optional.empty(), result.get(ArmFigures.PHASE_SECONDS, Phase.AFTER));
    assertTrue(
        result.warnings().stream()
            .anyMatch(warning -> warning.what().startsWith("the large merge was given up after 1")),
        result.warnings().toString());
  }

  @Test
  void run_aNaturalMerge_lastsAsLongAsSegmentsOfItsBeginningMerge() throws Exception {
    build();
    engine.naturalMergeMillis = 700;
    arm.set(ArmSetting.MERGE, MergeWorkload.NATURAL);

    Part result = run().run();

    assertEquals("natural", result.require(MergeFigures.KIND));
    double seconds = result.require(MergeFigures.SECONDS);
    assertTrue(seconds >= 0.7 && seconds < 3, seconds + " s");
    assertEquals(List.of(20, 2, 20), engine.segmentsPerTier); // before, for the merge, after it
    // Of more than half of that the engine merges none, so the large ones wait for the merge.
    assertEquals(List.of("700b", "5368709120b", "700b"), engine.largestMerged);
    assertTrue(
        result.warnings().stream().noneMatch(warning -> warning.what().contains("nothing")),
        result.warnings().toString());
  }

  @Test
  void run_aNaturalMergeOfNothing_warns() throws Exception {
    build();
    engine.forceMergeMillis = 0;
    arm.set(ArmSetting.MERGE, MergeWorkload.NATURAL);

    Part result = run().run();

    assertTrue(
        result.warnings().stream()
            .anyMatch(warning -> warning.what().equals("the large merge merged nothing")),
        result.warnings().toString());
  }

  /** The end of the load once waited for a refresh that never ended, and a stop came too late. */
  @Test
  void stop_afterTheEndWhileARefreshIsNeverAnswered_ends() throws Exception {
    build();
    engine.pluginStats =
        Optional.of(
            reading -> {
              if (reading == 1) { // the merge is about to begin: no refresh is answered any more
                engine.refreshMillis = 600_000;
              }
              return pluginStats(reading);
            });
    EngineArm run = run();
    FutureTask<Part> running = new FutureTask<>(() -> run.run());
    Thread.ofPlatform().start(running);
    Await.until("the merge runs", () -> engine.requests.contains("POST /weir-stress/_forcemerge"));
    assertThrows(TimeoutException.class, () -> running.get(4, TimeUnit.SECONDS)); // past its end

    run.stop();

    assertEquals(Status.INTERRUPTED, running.get(10, TimeUnit.SECONDS).status());
  }

  @Test
  void stop_whileTheIndexIsNotHealthy_endsAtOnce() throws Exception {
    build();
    engine.healthMillis = 600_000;
    EngineArm run = run();
    FutureTask<Part> running = new FutureTask<>(() -> run.run());
    Thread.ofPlatform().start(running);
    Await.until("it waits", () -> engine.requests.contains("GET /_cluster/health/weir-stress"));

    run.stop();

    assertEquals(Status.INTERRUPTED, running.get(10, TimeUnit.SECONDS).status());
  }

  private long build() throws Exception {
    return new EngineBuild(
            new EngineBuild.Setup(
                access(), EngineStamp.wanted(Optional.empty(), DOCUMENTS, 1, IndexLayout.PLAIN)),
            new ReadProblems())
        .build();
  }

  private EngineAccess access() {
    return EngineAccess.to(EngineApi.REST, engine.url(), "weir-stress");
  }

  private EngineArm run() throws IOException {
    Path queries = temp.resolve("queries.txt");
    Files.write(queries, EngineQueries.draw(DOCUMENTS, QuerySource.Kind.MIXED));
    return new EngineArm(
        new EngineArm.Setup(
            new ArmRun.Setup(
                "target",
                1,
                arm.settings(),
                DOCUMENTS,
                200,
                queries,
                temp,
                Duration.ofMillis(20),
                new ArmRun.Outputs(
                    temp.resolve("reopens.csv"),
                    temp.resolve("series.csv"),
                    temp.resolve("slow.csv"),
                    temp.resolve("slow.txt"),
                    temp.resolve("gc.csv"),
                    temp.resolve("jfr"))),
            access()),
        NanoClock.SYSTEM,
        (stage, fraction, detail) -> {});
  }
}
