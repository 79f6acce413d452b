package io.weir.stress.arm.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.fakes.AutoClock;
import io.weir.run.ArmFigures;
import io.weir.run.LatencySummary;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.run.VisibleParts;
import io.weir.stress.arm.logs.ArmCsv;
import io.weir.stress.arm.timeline.Timeline;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Writes and reopens of one thread, on a clock that the test moves. */
class VisibilityTest {

  private static final long MILLI = 1_000_000;

  private final AutoClock clock = new AutoClock();
  private final Timeline timeline = new Timeline(clock, Duration.ZERO);
  private final Visibility visibility = new Visibility(timeline);

  @Test
  void reopened_afterWritesOfSeveralThreads_showsThoseAnsweredBeforeItBegan_inAnyOrder()
      throws Exception {
    write(0, 0, 30);
    write(0, 0, 10); // answered before, and noted after
    visibility.reopened(20 * MILLI, 20 * MILLI, 25 * MILLI);
    assertEquals(1, summary().count());
    assertEquals(25, summary().maxMillis());

    visibility.reopened(40 * MILLI, 40 * MILLI, 45 * MILLI);
    assertEquals(2, summary().count());
    assertEquals(45, summary().maxMillis());
  }

  @Test
  void abandoned_writeThatNeverBegan_countsWithItsWait() throws Exception {
    visibility.watching((due, started) -> {}).abandoned(10 * MILLI, 30_010 * MILLI);

    assertEquals(new VisibleParts(30_000, 0, 0, 0, 0), parts());
  }

  /** Half a minute after the end of the load, the reopen that should show it has not begun. */
  @Test
  void reopened_neverBegun_countsTheWaitOfItsWrites() throws Exception {
    write(0, 0, 10);
    ArmCsv lines = new ArmCsv(new StringWriter(), "a", 1, Reopens.COLUMNS);
    Reopens reopens = new Reopens(reopen -> {}, timeline, visibility, lines);
    reopens.abandoned(100 * MILLI, 30_100 * MILLI);

    assertEquals(new VisibleParts(0, 10, 90, 30_000, 0), parts());
  }

  @Test
  void values_ofTheSlowestTenth_areOfAsManyOfTheStepAtItsEdgeAsItTakes() throws Exception {
    for (int i = 1; i <= 20; i++) {
      write(0, 0, 10);
      visibility.reopened(20 * MILLI, 20 * MILLI, (i == 20 ? 420 : 120) * MILLI);
    }

    assertEquals(new VisibleParts(0, 10, 10, 0, 115), parts());
    assertEquals(
        new VisibleParts(0, 10, 10, 0, 250),
        visibility.values().require(ArmFigures.VISIBLE_SLOWEST, Phase.BEFORE),
        "two of twenty: one of 400, one of 100");
  }

  @Test
  void values_withoutAWriteThatWasSeen_areAbsent() throws Exception {
    write(0, 0, 10);

    Values values = visibility.values();

    assertEquals(Optional.empty(), values.get(ArmFigures.VISIBLE, Phase.BEFORE));
    assertEquals(Optional.empty(), values.get(ArmFigures.VISIBLE_PARTS, Phase.BEFORE));
  }

  private void write(long dueMillis, long sentMillis, long answeredMillis) throws Exception {
    visibility
        .watching(
            (due, started) -> clock.advanceNanos(answeredMillis * MILLI - timeline.nowNanos()))
        .run(dueMillis * MILLI, sentMillis * MILLI);
  }

  private LatencySummary summary() {
    return visibility.values().require(ArmFigures.VISIBLE, Phase.BEFORE);
  }

  private VisibleParts parts() {
    return visibility.values().require(ArmFigures.VISIBLE_PARTS, Phase.BEFORE);
  }
}
