package io.weir.stress.arm.meters;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.AutoClock;
import io.weir.run.ArmFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.stress.arm.meters.Refaults.Recovery;
import io.weir.stress.arm.timeline.Timeline;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of an arm that merges from 10 to 30 s and ends at 50 s. */
class RefaultsTest {

  private static final long SECOND = 1_000_000_000;

  private final Timeline timeline = new Timeline(new AutoClock(), Duration.ofSeconds(5));
  private final Refaults refaults = new Refaults(timeline);
  private long bytes = 700;

  @BeforeEach
  void merge() {
    timeline.mergeStarts(10 * SECOND);
    timeline.mergeEnded(30 * SECOND);
    timeline.endAt(50 * SECOND);
  }

  @Test
  void values_ofEachPhase_areTheGrowthOfTheCounterInIt() {
    run(-5, 0, 1000);
    run(0, 10, 1);
    run(10, 30, 10);
    run(30, 50, 5);
    run(50, 60, 10_000); // what was due before the end ends late

    assertEquals(
        Values.builder()
            .put(ArmFigures.REFAULTED_BYTES, Phase.BEFORE, 10L)
            .put(ArmFigures.REFAULTED_BYTES, Phase.DURING, 200L)
            .put(ArmFigures.REFAULTED_BYTES, Phase.AFTER, 100L)
            .build(),
        refaults.values());
  }

  @Test
  void values_whereTheKernelCountsNothing_areAbsent() {
    assertEquals(Values.NONE, refaults.values());
    assertEquals(Optional.empty(), refaults.recovery());
  }

  @Test
  void recovery_ofAWholeArm_hasTheRatesOfTheFifths() {
    run(0, 10, 3);
    run(10, 30, 1000);
    run(30, 34, 80);
    run(34, 46, 1000);
    run(46, 50, 20);

    assertEquals(Optional.of(new Recovery(3, 80, 20)), refaults.recovery());
  }

  @Test
  void recovery_withoutAPhaseBefore_comparesWithNothing() {
    run(30, 50, 7);

    assertEquals(Optional.of(new Recovery(0, 7, 7)), refaults.recovery());
  }

  @Test
  void recovery_ofAPhaseThatIsTooShortOrCutShort_isUnknown() {
    run(30, 40, 7);
    assertEquals(Optional.empty(), refaults.recovery());

    Timeline brief = new Timeline(new AutoClock(), Duration.ZERO);
    brief.mergeStarts(1);
    brief.mergeEnded(2);
    brief.endAt(4 * SECOND);
    Refaults few = new Refaults(brief);
    for (long half = 1; half <= 8; half++) {
      few.look(half * SECOND / 2, half);
    }
    assertEquals(Optional.empty(), few.recovery());
  }

  /** A counter that began anew, as that of a group does, has not grown. */
  @Test
  void values_ofACounterThatFell_areNotNegative() {
    refaults.look(11 * SECOND, 100);
    refaults.look(12 * SECOND, 7);

    assertEquals(Optional.of(0L), refaults.values().get(ArmFigures.REFAULTED_BYTES, Phase.DURING));
  }

  /** Looks each second from {@code from} to {@code to}, in which the counter grows so fast. */
  private void run(long from, long to, long bytesPerSecond) {
    for (long second = from; second <= to; second++) {
      bytes += second == from ? 0 : bytesPerSecond;
      refaults.look(second * SECOND, bytes);
    }
  }
}
