package io.weir.stress.plan;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.run.RunFigure;
import io.weir.stress.QuickArm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class StressPlanTest {

  private static final Documents DOCUMENTS = new Documents("synthetic", 1, 0);
  private static final Duration SLOW = Duration.ofMillis(50);
  private static final Path OUT = Path.of("run");

  @Test
  void documents_negativeCount_isRefused() {
    assertRefused(
        () -> new Documents("synthetic", 1, -5), "doc-count must be at least 1 document: -5");
  }

  @Test
  void arm_nameThatATableOrFileCannotHold_isRefused() {
    String rule = "arm name must have from 1 to 60 bytes of UTF-8 and no control characters: '";
    assertRefused(() -> arm(" "), rule + " '");
    assertRefused(() -> arm("x".repeat(61)), rule + "x".repeat(61) + "'");
    assertRefused(() -> arm("\u4f60".repeat(21)), rule + "\u4f60".repeat(21) + "'");
    assertRefused(() -> arm("two\nlines"), rule + "two?lines'");
    assertDoesNotThrow(() -> arm("\u4f60".repeat(20)));
  }

  @Test
  void plan_noArms_isRefused() {
    assertRefused(() -> plan(List.of(), 1), "a run must have from 1 to 50 arms: 0");
    assertRefused(
        () -> plan(Collections.nCopies(51, arm("a")), 1), "a run must have from 1 to 50 arms: 51");
  }

  @Test
  void plan_sameNameTwice_isRefused() {
    assertRefused(
        () -> plan(List.of(arm("a"), arm("b"), arm("a")), 1),
        "arm names must differ, this one comes twice: a");
  }

  @Test
  void plan_namesThatWouldShareFiles_areRefused() {
    assertRefused(
        () -> plan(List.of(arm("a b"), arm("c"), arm("A-b")), 1),
        "arm names must differ in more than punctuation and case, because files are named after"
            + " them: 'a b' and 'A-b'");
  }

  @Test
  void plan_roundsOutOfRange_isRefused() {
    assertRefused(() -> plan(List.of(arm("a")), 0), "rounds must be from 1 to 1000: 0");
    assertRefused(() -> plan(List.of(arm("a")), 1001), "rounds must be from 1 to 1000: 1001");
  }

  @Test
  void plan_slowReopenOutOfRange_isRefused() {
    assertRefused(
        () ->
            new StressPlan(
                DOCUMENTS,
                QuerySource.TERMS,
                Optional.empty(),
                OUT,
                List.of(arm("a")),
                1,
                Duration.ZERO,
                false,
                false,
                Telemetry.NONE,
                List.of()),
        "slow-reopen-over must be from 1 ms to 1 h: 0 ms");
    assertRefused(
        () ->
            new StressPlan(
                DOCUMENTS,
                QuerySource.TERMS,
                Optional.empty(),
                OUT,
                List.of(arm("a")),
                1,
                Duration.ofHours(2),
                false,
                false,
                Telemetry.NONE,
                List.of()),
        "slow-reopen-over must be from 1 ms to 1 h: 7200000 ms");
  }

  /** The run's files would lie among the index's, and the next run would refuse both. */
  @Test
  void plan_indexIsTheRunDirectory_isRefused() {
    assertRefused(
        () ->
            new StressPlan(
                DOCUMENTS,
                QuerySource.TERMS,
                Optional.of(OUT.toAbsolutePath()),
                Path.of("x", "..", "run"),
                List.of(arm("a")),
                1,
                SLOW,
                false,
                false,
                Telemetry.NONE,
                List.of()),
        "--index and --out must be two directories: " + OUT.toAbsolutePath());
  }

  /** What is deleted at the end of the run, or looked through as an index. */
  @Test
  void plan_indexOrOutInsideTheOther_isRefused() {
    assertRefused(
        () -> planOf(OUT.resolve(".work/index")),
        "--index must not be where the run keeps temporary files: "
            + OUT.toAbsolutePath().resolve(".work/index"));
    assertRefused(
        () -> planOf(OUT.toAbsolutePath().getParent()),
        "--out must not be inside --index: " + OUT.toAbsolutePath());
    planOf(OUT.resolve("index"));
  }

  private static StressPlan planOf(Path index) {
    return new StressPlan(
        DOCUMENTS,
        QuerySource.TERMS,
        Optional.of(index),
        OUT,
        List.of(arm("a")),
        1,
        SLOW,
        false,
        false,
        Telemetry.NONE,
        List.of());
  }

  @Test
  void plan_listOfArms_isItsOwn() {
    List<Arm> arms = new ArrayList<>(List.of(arm("a")));
    StressPlan plan = plan(arms, 1);
    arms.clear();

    assertEquals(1, plan.arms().size());
  }

  @Test
  void plan_objectiveForAnArmThatIsNotThere_isRefused() {
    Slo slo =
        new Slo(
            "c: reopen.p99 < 2x a",
            Optional.of("c"),
            RunFigure.REOPEN_P99,
            Slo.Relation.LESS,
            2,
            Optional.of("a"));
    assertRefused(
        () ->
            new StressPlan(
                DOCUMENTS,
                QuerySource.TERMS,
                Optional.empty(),
                OUT,
                List.of(arm("a"), arm("b")),
                1,
                SLOW,
                false,
                false,
                Telemetry.NONE,
                List.of(slo)),
        "slo must name an arm of this run (a, b): 'c' in 'c: reopen.p99 < 2x a'");
  }

  @Test
  void order_ofOneRound_isAsGiven_ofMoreByTheSeed() {
    List<Arm> arms = List.of(arm("a"), arm("b"), arm("c"));
    assertEquals(arms, plan(arms, 1).order(1));
    for (int round = 1; round <= 10; round++) {
      assertEquals(RoundOrder.of(arms, DOCUMENTS.seed(), round), plan(arms, 10).order(round));
    }
  }

  private static StressPlan plan(List<Arm> arms, int rounds) {
    return new StressPlan(
        DOCUMENTS,
        QuerySource.TERMS,
        Optional.empty(),
        OUT,
        arms,
        rounds,
        SLOW,
        false,
        false,
        Telemetry.NONE,
        List.of());
  }

  private static Arm arm(String name) {
    return new Arm(name, new QuickArm().settings());
  }

  private static void assertRefused(Executable plan, String message) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, plan).getMessage());
  }
}
