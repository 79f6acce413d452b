package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.fakes.AutoClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.MergePolicy.OneMergeProgress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a clock that moves by one step whenever the merge is told to stand aside. */
@Timeout(30)
class YieldPauseTest {

  private static final long STEP = YieldPause.STEP_NANOS;

  private final AutoClock clock = new AutoClock();
  private final OneMergeProgress progress = new OneMergeProgress();
  private final MergeWaitStrategy wait = new MergeWaitStrategy(progress, () -> false);
  private final AtomicInteger asked = new AtomicInteger();
  private boolean hurries;
  private int commitSteps;

  @BeforeEach
  void begin() {
    clock.advanceNanos(Duration.ofHours(1).toNanos());
  }

  @Test
  void pause_toldTwice_takesTwoSteps() throws InterruptedException {
    YieldPause pause = pause(times(2));
    clock.advanceNanos(100 * STEP);

    assertEquals(2 * STEP, pause.pause());
    assertEquals(2 * STEP, pause.pausedNanos());
    assertEquals(3, asked.get());
    assertEquals(0, pause.pause());
    assertEquals(2 * STEP, pause.pausedNanos());
  }

  @Test
  void pause_toldForEver_takesHalfOfTheTimeAndNoMore() throws InterruptedException {
    YieldPause pause = pause(times(Integer.MAX_VALUE));
    clock.advanceNanos(5 * STEP);

    assertEquals(4 * STEP, pause.pause()); // of nine
    assertEquals(0, pause.pause());
    clock.advanceNanos(STEP - 1);
    assertEquals(0, pause.pause());
    clock.advanceNanos(1);
    assertEquals(STEP, pause.pause());
    assertEquals(5 * STEP, pause.pausedNanos());
  }

  @Test
  void pause_soonAfterTheStart_isNone() throws InterruptedException {
    YieldPause pause = pause(times(1));
    clock.advanceNanos(2 * STEP - 1);

    assertEquals(0, pause.pause());
    assertEquals(0, asked.get());
  }

  @Test
  void pause_ofAMergeThatHurries_isNone() throws InterruptedException {
    YieldPause pause = pause(times(9));
    clock.advanceNanos(100 * STEP);
    hurries = true;

    assertEquals(0, pause.pause());
    assertEquals(0, asked.get());
  }

  @Test
  void pause_ofAMergeThatBeginsToHurry_ends() throws InterruptedException {
    YieldPause pause =
        pause(
            () -> {
              hurries = asked.get() == 2;
              return true;
            });
    clock.advanceNanos(100 * STEP);

    assertEquals(2 * STEP, pause.pause());
  }

  @Test
  void pause_ofAnAbortedMerge_isNone() throws InterruptedException {
    YieldPause pause = pause(times(9));
    clock.advanceNanos(100 * STEP);
    progress.abort();

    assertEquals(0, pause.pause());
    assertEquals(0, asked.get());
  }

  @Test
  void pause_interrupted_saysSo() {
    YieldPause pause = pause(times(9));
    clock.advanceNanos(100 * STEP);
    Thread.currentThread().interrupt();

    assertThrows(InterruptedException.class, pause::pause);
    assertFalse(Thread.interrupted());
  }

  @Test
  void pause_yieldThatThrows_isNotAskedAgain() throws InterruptedException {
    YieldPause pause =
        pause(
            () -> {
              throw new IllegalStateException("it was meant to");
            });
    clock.advanceNanos(100 * STEP);

    assertEquals(0, pause.pause());
    assertEquals(0, pause.pause());
    assertEquals(1, asked.get());
  }

  @Test
  void pause_whileACommitIsAboutToFinish_lastsUntilItIsDone() throws InterruptedException {
    YieldPause pause = pause(times(1));
    clock.advanceNanos(100 * STEP);
    commitSteps = 3;

    assertEquals(4 * STEP, pause.pause()); // one for the yield
    assertEquals(0, pause.pause());
  }

  @Test
  void pause_whileACommitIsAboutToFinish_isNoneForMergesThatNeverYield()
      throws InterruptedException {
    YieldPause pause =
        new YieldPause(MergeYield.NEVER, wait, () -> hurries, this::commitFinishes, clock);
    clock.advanceNanos(100 * STEP);
    commitSteps = 3;

    assertEquals(0, pause.pause());
  }

  private boolean commitFinishes() {
    boolean finishes = commitSteps-- > 0;
    clock.advanceNanos(finishes ? STEP : 0);
    return finishes;
  }

  private YieldPause pause(MergeYield yield) {
    MergeYield counted =
        () -> {
          asked.incrementAndGet();
          boolean aside = yield.standAside();
          clock.advanceNanos(aside ? STEP : 0);
          return aside;
        };
    return new YieldPause(counted, wait, () -> hurries, this::commitFinishes, clock);
  }

  private MergeYield times(int most) {
    return () -> asked.get() <= most;
  }
}
