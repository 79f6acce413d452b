package io.weir.indexing.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Documents;
import io.weir.stress.setting.ArmSetting;
import io.weir.stress.setting.ArmSettings;
import io.weir.stress.setting.DirectoryKind;
import io.weir.stress.setting.UpdateMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class IndexingPlanTest {

  private static final long MB = 1_000_000;

  @Test
  void cells_ofAMatrix_areAllOfThem() {
    List<String> titles =
        plan(List.of(arm("a"), arm("b")), List.of(1, 4), List.of(64 * MB, 1000 * MB), 1)
            .cells()
            .stream()
            .map(cell -> cell.key().title())
            .toList();

    assertEquals(
        List.of(
            "a, 1 thread, 64MB",
            "a, 1 thread, 1GB",
            "a, 4 threads, 64MB",
            "a, 4 threads, 1GB",
            "b, 1 thread, 64MB",
            "b, 1 thread, 1GB",
            "b, 4 threads, 64MB",
            "b, 4 threads, 1GB"),
        titles);
  }

  @Test
  void order_ofRounds_differsAndHasAllCells() {
    IndexingPlan plan = plan(List.of(arm("a")), List.of(1, 2, 4), List.of(4 * MB, 8 * MB), 4);

    assertEquals(Set.copyOf(plan.cells()), Set.copyOf(plan.order(1)));
    assertEquals(plan.order(1).reversed(), plan.order(2));
    assertEquals(Duration.ofMinutes(3 * 4 * 6), plan.longest());
  }

  @Test
  void plan_thatCannotBeRun_isRefused() {
    assertRefused("threads must name each value once: [2, 2]", List.of(2, 2), List.of(64 * MB));
    assertRefused("threads must be from 1 to 1000 threads: 0", List.of(0), List.of(64 * MB));
    assertRefused(
        "ram-buffer must be from 1000000 to 68719476736 bytes: 5", List.of(1), List.of(5L));
    assertRefused(
        "mode must be add or update in weir index: soft-update",
        new Arm("a", IndexingSettings.DEFAULT.with(ArmSetting.MODE, UpdateMode.SOFT_UPDATE)));
    assertRefused(
        "directory must be mmap, nio or direct in weir index, where the index grows without end:"
            + " heap",
        new Arm("a", ArmSettings.DEFAULT.with(ArmSetting.DIRECTORY, DirectoryKind.HEAP)));
    assertEquals(
        "duration must be from 2 s to 24 h: 1999 ms",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    plan(
                        List.of(arm("a")),
                        List.of(1),
                        List.of(64 * MB),
                        1,
                        Duration.ofMillis(1999)))
            .getMessage());
  }

  private static void assertRefused(String message, List<Integer> threads, List<Long> buffers) {
    assertEquals(
        message,
        assertThrows(
                IllegalArgumentException.class, () -> plan(List.of(arm("a")), threads, buffers, 1))
            .getMessage());
  }

  private static void assertRefused(String message, Arm arm) {
    assertEquals(
        message,
        assertThrows(
                IllegalArgumentException.class,
                () -> plan(List.of(arm), List.of(1), List.of(64 * MB), 1))
            .getMessage());
  }

  private static Arm arm(String name) {
    return new Arm(name, IndexingSettings.DEFAULT);
  }

  private static IndexingPlan plan(
      List<Arm> arms, List<Integer> threads, List<Long> buffers, int rounds) {
    return plan(arms, threads, buffers, rounds, Duration.ofMinutes(1));
  }

  private static IndexingPlan plan(
      List<Arm> arms, List<Integer> threads, List<Long> buffers, int rounds, Duration duration) {
    return new IndexingPlan(
        new Documents("synthetic", 1, 0),
        10 * MB,
        arms,
        threads,
        buffers,
        rounds,
        duration,
        6,
        Path.of("run"),
        Path.of("place"),
        false);
  }
}
