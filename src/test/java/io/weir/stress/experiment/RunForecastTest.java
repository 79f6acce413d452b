package io.weir.stress.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.procfs.Procfs;
import io.weir.rate.Rate;
import io.weir.stress.QuickArm;
import io.weir.stress.SmallIndex;
import io.weir.stress.experiment.RunForecast.Making;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.plan.QuerySource;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.IdPostings;
import io.weir.stress.setting.MergeWorkload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunForecastTest {

  private static final int DOCUMENTS = 3000;

  @TempDir Path temp;

  @Test
  void forecast_nothingThere_makesBothIndexesAndLeavesNothing() throws Exception {
    QuickArm shared = new QuickArm();
    shared.set(ArmSetting.ID_POSTINGS, IdPostings.DEFAULT);
    RunForecast forecast = forecast(plan(1, arm("shared", shared), arm("apart", new QuickArm())));

    assertEquals(
        Map.of(
            temp.resolve("index"), Making.BUILT, temp.resolve("index-resident"), Making.REWRITTEN),
        forecast.making());
    assertTrue(forecast.indexBytes().orElseThrow() > 1_000_000, forecast.toString());
    assertTrue(
        forecast.neededBytes().orElseThrow() > 3 * forecast.indexBytes().orElseThrow(),
        forecast.toString());
    assertTrue(forecast.usableBytes() > 0);
    assertEquals(0, temp.toFile().list().length);
  }

  @Test
  void forecast_anIndexIsThere_usesItsSize() throws Exception {
    SmallIndex.build(temp.resolve("index"), DOCUMENTS);
    QuickArm shared = new QuickArm();
    shared.set(ArmSetting.ID_POSTINGS, IdPostings.DEFAULT);
    RunForecast forecast = forecast(plan(1, arm("shared", shared)));

    assertEquals(Map.of(temp.resolve("index"), Making.THERE), forecast.making());
    long bytes = 0;
    for (Path file : Files.list(temp.resolve("index")).toList()) {
      bytes += Files.size(file);
    }
    assertEquals(bytes, forecast.indexBytes().orElseThrow());
  }

  /** Of 100 MB, of which the quick arms have phases of 1.1 s, 1.6 s without a merge. */
  @Test
  void time_isThatOfPhasesMergesAndMaking() {
    QuickArm capped = new QuickArm();
    capped.set(ArmSetting.CAP, Rate.perSecond(10_000_000));
    QuickArm slower = new QuickArm();
    slower.set(ArmSetting.LUCENE_FORCE_MERGE_CAP, Rate.perSecond(5_000_000L));
    QuickArm none = new QuickArm();
    none.set(ArmSetting.MERGE, MergeWorkload.NONE);
    StressPlan plan =
        plan(
            3,
            arm("free", new QuickArm()),
            arm("capped", capped),
            arm("slower", slower),
            arm("none", none));
    long starting = 4000 + Experiment.CANARY.toMillis();
    long millis = 3 * (4 * starting + 3 * 1100 + 1600 + 2000 + 10_000 + 20_000);
    assertEquals(
        Optional.of(Duration.ofMillis(millis)),
        new RunForecast(
                plan,
                Map.of(temp, Making.THERE),
                OptionalLong.of(100_000_000),
                OptionalLong.of(1),
                1)
            .time());
    assertEquals(
        Optional.of(Duration.ofMillis(millis + 5000)),
        new RunForecast(
                plan,
                Map.of(temp, Making.BUILT),
                OptionalLong.of(100_000_000),
                OptionalLong.of(1),
                1)
            .time());
    assertEquals(
        Optional.empty(),
        new RunForecast(
                plan, Map.of(temp, Making.BUILT), OptionalLong.empty(), OptionalLong.empty(), 1)
            .time());
  }

  @Test
  void forecast_whatWouldBeRefused_isRefused() throws Exception {
    Files.createDirectory(temp.resolve("out"));
    Files.writeString(temp.resolve("out/file"), "x");
    StressPlan plan = plan(1, arm("a", new QuickArm()));
    StressException refused = assertThrows(StressException.class, () -> forecast(plan));
    assertTrue(refused.getMessage().startsWith("--out must be an empty directory"), "" + refused);
    assertFalse(Files.exists(temp.resolve("index")));
  }

  private RunForecast forecast(StressPlan plan) throws Exception {
    return new Experiment<>(
            StressRun.onLucene(plan),
            new Experiment.Origin("0", List.of()),
            Procfs.SYSTEM,
            new ExperimentListener() {},
            Duration.ZERO)
        .forecast();
  }

  private StressPlan plan(int rounds, Arm... arms) {
    return new StressPlan(
        new Documents("synthetic:" + DOCUMENTS, 1, 0),
        QuerySource.TERMS,
        Optional.of(temp.resolve("index")),
        temp.resolve("out"),
        List.of(arms),
        rounds,
        Duration.ofMillis(50),
        false,
        false,
        Telemetry.NONE,
        List.of());
  }

  private static Arm arm(String name, QuickArm arm) {
    return new Arm(name, arm.settings());
  }
}
