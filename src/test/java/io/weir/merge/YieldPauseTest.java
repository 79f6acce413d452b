package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.AutoClock;
import io.weir.rate.WaitStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.MergePolicy.OneMergeProgress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    assertEquals(2 * STEP, pause.yieldedNanos());
    assertEquals(3, asked.get());
    assertEquals(0, pause.pause());
    assertEquals(2 * STEP, pause.yieldedNanos());
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
    assertEquals(5 * STEP, pause.yieldedNanos());
  }

  /** It wrote nothing for as long as it had run before. */
  @ParameterizedTest
  @ValueSource(longs = {20, 18_000})
  void pause_afterALongQuietTime_lastsASecondAtMost(long quietSeconds) throws InterruptedException {
    YieldPause pause = new YieldPause(() -> true, new Moving(), () -> hurries, () -> false, clock);
    clock.advanceNanos(Duration.ofSeconds(quietSeconds).toNanos());

    assertEquals(Duration.ofSeconds(1).toNanos() - STEP, pause.pause());
    assertEquals(0, pause.pause());
  }

  /** Whatever others ask for: half of any window, and half of a second that was saved before it. */
  @Test
  void pause_ofAnyMixtureOfQuietAndBusyTimes_isAtMostHalfOfAnyWindowAndHalfASecond()
      throws InterruptedException {
    Random random = new Random(1);
    AtomicInteger stepsUntilQuiet = new AtomicInteger();
    YieldPause pause =
        new YieldPause(
            () -> stepsUntilQuiet.getAndDecrement() > 0,
            new Moving(),
            () -> hurries,
            () -> false,
            clock);
    List<Long> atNanos = new ArrayList<>(List.of(clock.nanoTime()));
    List<Long> pausedNanos = new ArrayList<>(List.of(0L));
    for (int i = 0; i < 1000; i++) {
      clock.advanceNanos(random.nextLong(random.nextInt(50) == 0 ? 3_000_000_000L : 20_000_000));
      atNanos.add(clock.nanoTime());
      pausedNanos.add(pause.yieldedNanos());
      stepsUntilQuiet.set(random.nextInt(3) > 0 ? random.nextInt(1000) : 0);
      pause.pause();
      atNanos.add(clock.nanoTime());
      pausedNanos.add(pause.yieldedNanos());
    }
    long mostSaved = Duration.ofMillis(500).toNanos();
    long fullest = 0;
    for (int from = 0; from < atNanos.size(); from++) {
      for (int to = from; to < atNanos.size(); to++) {
        long window = atNanos.get(to) - atNanos.get(from);
        long paused = pausedNanos.get(to) - pausedNanos.get(from);
        fullest = Math.max(fullest, paused - window / 2);
        assertTrue(paused - window / 2 <= mostSaved, paused + " of " + window + " ns");
      }
    }
    assertTrue(fullest > mostSaved / 2, "the credit was never used: " + fullest);
  }

  /** The merge stands only once, however many of its threads stand at a time. */
  @Test
  void credit_ofAMergeWithSeveralThreads_isThatOfTheMerge() {
    YieldPause.Credit credit = new YieldPause.Credit(0);
    assertTrue(credit.allowsStep(20 * STEP));
    credit.begins(20 * STEP);
    credit.begins(21 * STEP);
    credit.begins(21 * STEP);
    credit.ends(22 * STEP);
    credit.ends(30 * STEP);
    assertTrue(credit.allowsStep(38 * STEP), "the third has paused all the time");
    assertFalse(credit.allowsStep(39 * STEP));
    credit.ends(40 * STEP);
    assertFalse(credit.allowsStep(42 * STEP - 1));
    assertTrue(credit.allowsStep(42 * STEP));
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

  /** Moves the clock by what it is to wait. */
  private final class Moving implements WaitStrategy {

    @Override
    public void await(long waitNanos, BooleanSupplier stillWaiting) {
      clock.advanceNanos(waitNanos);
    }

    @Override
    public void wakeUp(Thread thread) {}

    @Override
    public boolean isCancelled() {
      return false;
    }
  }
}
