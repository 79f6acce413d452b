package io.weir.stress.sweep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rate.Rate;
import io.weir.run.RunFigure;
import io.weir.run.SweepPoint;
import io.weir.stress.QuickArm;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Slo;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.MergeWorkload;
import io.weir.stress.setting.Preset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SweepPlanTest {

  private static final OptionalLong NONE = OptionalLong.empty();

  @Test
  void arm_ofAKind_hasTheCapInItsNameAndSettings() {
    Arm weir = FakeArms.weir().under(Rate.perSecond(6_300_000));
    assertEquals("weir 6.3MB/s", weir.name());
    assertEquals(Rate.perSecond(6_300_000), weir.settings().get(ArmSetting.CAP));
    Arm stock = FakeArms.stock().under(Rate.perSecond(850_000));
    assertEquals("stock 850kB/s", stock.name());
    assertEquals(Rate.perSecond(850_000), stock.settings().get(ArmSetting.LUCENE_FORCE_MERGE_CAP));
    assertEquals("stock uncapped", FakeArms.stock().under(Rate.UNLIMITED).name());
  }

  @Test
  void armThatCountsReads_countsThemUnderACap_andNotWithout() {
    SweptArm counting = FakeArms.weirThatCountsReads();
    assertTrue(counting.under(Rate.perSecond(5)).settings().get(ArmSetting.COUNT_READS));
    assertFalse(counting.under(Rate.UNLIMITED).settings().get(ArmSetting.COUNT_READS));
    QuickArm stock = new QuickArm();
    stock.set(ArmSetting.PRESET, Preset.STOCK);
    stock.set(ArmSetting.COUNT_READS, true);
    assertRefused(
        () -> arm("a", stock),
        "count-reads needs preset=weir, because preset=stock has nothing that could count:"
            + " count-reads=on");
  }

  @Test
  void label_losesNothing() {
    assertEquals("17B/s", SweepPoint.capText(17));
    assertEquals("1.001kB/s", SweepPoint.capText(1001));
    assertEquals("5.24288MB/s", SweepPoint.capText(5L << 20));
    assertEquals("17179.869184MB/s", SweepPoint.capText(Rate.MAX_BYTES_PER_SECOND));
  }

  @Test
  void plan_armsThatCannotBeSwept_areRefused() {
    QuickArm capped = new QuickArm();
    capped.set(ArmSetting.CAP, Rate.perSecond(10));
    assertRefused(
        () -> FakeArms.planOf(arm("a", capped)),
        "a sweep sets the cap itself, its arms must have none: 'a'");
    QuickArm lucene = new QuickArm();
    lucene.set(ArmSetting.LUCENE_FORCE_MERGE_CAP, Rate.perSecond(10L));
    assertRefused(
        () -> FakeArms.planOf(arm("a", lucene)),
        "a sweep sets the cap itself, its arms must have none: 'a'");
    QuickArm none = new QuickArm();
    none.set(ArmSetting.MERGE, MergeWorkload.NONE);
    assertRefused(
        () -> FakeArms.planOf(arm("a", none)), "a sweep needs a merge to cap, not merge=none: 'a'");
    QuickArm natural = new QuickArm();
    natural.set(ArmSetting.PRESET, Preset.STOCK);
    natural.set(ArmSetting.MERGE, MergeWorkload.NATURAL);
    assertRefused(
        () -> FakeArms.planOf(arm("a", natural)),
        "with preset=stock a sweep needs merge=forced, because lucene-force-merge-cap caps no other: 'a'");
    assertRefused(
        () -> FakeArms.planOf(arm("x".repeat(41), new QuickArm())),
        "arm names of a sweep must have at most 40 bytes of UTF-8, because the cap is added: '"
            + "x".repeat(41)
            + "'");
    assertRefused(
        () -> FakeArms.planOf(FakeArms.weir(), FakeArms.weir()),
        "arm names must differ, this one comes twice: weir");
    assertRefused(() -> FakeArms.planOf(), "a sweep must have from 1 to 5 arms: 0");
  }

  @Test
  void plan_objectivesThatCannotBeSwept_areRefused() {
    assertRefused(
        () -> FakeArms.plan(1, List.of(), NONE, NONE),
        "a sweep must have an objective, such as --slo 'reopen.p99 < 100ms'");
    assertRefused(
        () -> FakeArms.plan(1, List.of(), NONE, NONE, slo(Optional.of("weir"), Optional.empty())),
        "an objective of a sweep is for all of its arms and must name none: 'text'");
    assertRefused(
        () -> FakeArms.plan(1, List.of(), NONE, NONE, slo(Optional.empty(), Optional.of("stock"))),
        "an objective of a sweep must be absolute or a ratio to 'uncapped', the same arm without a"
            + " cap: 'text'");
  }

  @Test
  void plan_capsAndBounds_areRefused() {
    List<Long> caps = List.of(5_000_000L);
    assertRefused(
        () -> FakeArms.plan(1, List.of(1L, 1L), NONE, NONE, FakeArms.under100()),
        "--caps must be at most 20 rates, all different: [1B/s, 1B/s]");
    assertRefused(
        () -> FakeArms.plan(1, caps, OptionalLong.of(1), NONE, FakeArms.under100()),
        "--least and --most bound a search, and with --caps there is none: [5MB/s]");
    assertRefused(
        () ->
            FakeArms.plan(
                1, List.of(), OptionalLong.of(2000), OptionalLong.of(1000), FakeArms.under100()),
        "--least must be at most --most, 1kB/s: 2kB/s");
    assertRefused(() -> FakeArms.plan(0), "rounds must be from 1 to 100: 0");
    assertRefused(() -> FakeArms.plan(101), "rounds must be from 1 to 100: 101");
  }

  private static Slo slo(Optional<String> arm, Optional<String> base) {
    return new Slo("text", arm, RunFigure.REOPEN_P99, Slo.Relation.LESS, 1, base);
  }

  private static SweptArm arm(String name, QuickArm arm) {
    return new SweptArm(name, arm.settings());
  }

  private static void assertRefused(Executable plan, String message) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, plan).getMessage());
  }
}
