package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.merge.ForcedMergeProgress.RecentSpeed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private static final long SECOND = 1_000_000_000L;

  @Test
  void of_noMerges_isEmpty() {
    assertEquals(Optional.empty(), ForcedMergeProgress.of(List.of()));
  }

  @Test
  void of_twoMerges_addsThemUp() {
    assertEquals(
        Optional.of(
            new ForcedMergeProgress(
                2,
                400,
                OptionalLong.of(1000),
                OptionalDouble.of(0.4),
                Duration.ofSeconds(9),
                Optional.of(Duration.ofSeconds(20)))),
        ForcedMergeProgress.of(
            List.of(
                new ForcedMergeProgress.Part(300, OptionalLong.of(400), 9 * SECOND, 10),
                new ForcedMergeProgress.Part(100, OptionalLong.of(600), 2 * SECOND, 20))));
  }

  /** The estimate was too low: what one wrote too much is not progress of the other. */
  @Test
  void of_moreDoneThanEstimated_isNotMoreThanAll() {
    ForcedMergeProgress progress =
        ForcedMergeProgress.of(
                List.of(
                    new ForcedMergeProgress.Part(500, OptionalLong.of(400), SECOND, 10),
                    new ForcedMergeProgress.Part(0, OptionalLong.of(400), SECOND, 10)))
            .orElseThrow();
    assertEquals(OptionalDouble.of(0.5), progress.fraction());
    assertEquals(Optional.of(Duration.ofSeconds(20)), progress.remaining());
  }

  @Test
  void of_unknownEstimateOrNoSpeed_doesNotGuess() {
    ForcedMergeProgress unknown =
        ForcedMergeProgress.of(
                List.of(new ForcedMergeProgress.Part(5, OptionalLong.empty(), SECOND, 5)))
            .orElseThrow();
    assertEquals(OptionalDouble.empty(), unknown.fraction());
    assertEquals(Optional.empty(), unknown.remaining());
    ForcedMergeProgress stuck =
        ForcedMergeProgress.of(
                List.of(new ForcedMergeProgress.Part(0, OptionalLong.of(9), SECOND, 0)))
            .orElseThrow();
    assertEquals(OptionalDouble.of(0), stuck.fraction());
    assertEquals(Optional.empty(), stuck.remaining());
  }

  @Test
  void speed_isThatOfTheLastFiveToTenSeconds() {
    RecentSpeed speed = new RecentSpeed(0);
    assertEquals(0, speed.bytesPerSecond(0));
    speed.add(1000, SECOND);
    assertEquals(500, speed.bytesPerSecond(2 * SECOND));
    speed.add(4000, 4 * SECOND);
    speed.add(500, 5 * SECOND); // a step: from 0 s on there were 5000
    assertEquals(5500 / 6.0, speed.bytesPerSecond(6 * SECOND));
    speed.add(500, 10 * SECOND); // the next: all before 5 s is forgotten
    assertEquals(1000 / 5.0, speed.bytesPerSecond(10 * SECOND));
  }

  @Test
  void speed_nothingWrittenForLong_isZero() {
    RecentSpeed speed = new RecentSpeed(0);
    speed.add(1000, SECOND);
    speed.bytesPerSecond(6 * SECOND);
    speed.bytesPerSecond(12 * SECOND);
    assertEquals(0, speed.bytesPerSecond(18 * SECOND));
  }
}
