package io.weir.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.fakes.SteppedClock;
import io.weir.merge.MergeSchedulingClass.Saturation;
import io.weir.procfs.ThreadTimes;
import io.weir.store.kernel.LinuxCalls;
import io.weir.stress.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Who is in the idle class, and when, by a scheduler of threads that writes down what it is told.
 */
@Timeout(60)
class MergeSchedulingClassTest {

  private static final long MILLI = 1_000_000;

  private final FakeScheduler kernel = new FakeScheduler();
  private final SteppedClock clock = new SteppedClock();
  private final List<Runnable> started = new ArrayList<>();
  private final MergeSchedulingClass idle = new MergeSchedulingClass(kernel, clock, started::add);
  private final AtomicBoolean allowed = new AtomicBoolean(true);
  private final AtomicInteger starved = new AtomicInteger();

  @Test
  void begins_whereAThreadMayReturn_isInTheClassUntilItEnds_andThenHasWhatItHad() throws Exception {
    int before = LinuxCalls.SCHED_BATCH | LinuxCalls.SCHED_RESET_ON_FORK;
    kernel.begin(before);

    permit();

    assertTrue(idle.isActive(), idle.reason());
    assertEquals(LinuxCalls.SCHED_IDLE | LinuxCalls.SCHED_RESET_ON_FORK, kernel.policy());
    idle.ends();
    assertEquals(before, kernel.policy());
    look(0);
    assertEquals(before, kernel.policy());
  }

  @Test
  void begins_whereNoThreadMayReturn_asksForNothing_andNamesWhatAllowsIt() {
    kernel.mayReturn = Optional.of(false);

    assertTrue(idle.begins(allowed::get, starved::incrementAndGet));
    look(0);
    idle.ends();

    assertFalse(idle.isActive());
    assertTrue(idle.reason().contains("LimitNICE=+0"), idle.reason());
    assertEquals(List.of(), kernel.calls(), "no thread must enter the class");
    assertFalse(idle.begins(allowed::get, starved::incrementAndGet));
  }

  /** As under a security policy that hides the kernel's files. */
  @Test
  void begins_whereItIsUnknownWhetherAThreadMayReturn_asksForNothing_andNamesTheFiles() {
    kernel.mayReturn = Optional.empty();

    assertTrue(idle.begins(allowed::get, starved::incrementAndGet));
    look(0);
    idle.ends();

    assertFalse(idle.isActive());
    assertTrue(idle.reason().contains("/proc/self/status"), idle.reason());
    assertEquals(List.of(), kernel.calls(), "no thread must enter the class");
  }

  @Test
  void begins_whereTheKernelRefusesTheReturnAllTheSame_losesOnlyTheThreadThatTried()
      throws Exception {
    kernel.returns = false;

    permit();

    assertFalse(idle.isActive());
    assertTrue(idle.reason().contains("LimitNICE=+0"), idle.reason());
    assertEquals(LinuxCalls.SCHED_OTHER, kernel.policy());
  }

  /** As on Java 21, on another system, and where native access is denied. */
  @Test
  void begins_whereTheKernelCannotBeCalled_saysWhy() {
    kernel.missing = Optional.of("calls to the kernel need Java 22; this is Java 21");

    assertFalse(idle.begins(allowed::get, starved::incrementAndGet));

    assertFalse(idle.isActive());
    assertEquals("calls to the kernel need Java 22; this is Java 21", idle.reason());
    assertEquals(List.of(), started, "no thread is needed");
  }

  @Test
  void begins_ofAThreadForRealTime_leavesItAlone() {
    kernel.begin(1);

    assertFalse(idle.begins(allowed::get, starved::incrementAndGet));

    look(0);
    assertEquals(List.of(), kernel.calls());
  }

  @Test
  void begins_ofAThreadThatComputesAlready_isFalse_andItsOuterEndCounts() throws Exception {
    permit();

    assertFalse(idle.begins(() -> false, starved::incrementAndGet));

    look(0);
    assertTrue(kernel.isIdle());
  }

  @Test
  void look_whileItIsNotAllowed_givesTheClassBack_andTakesItAgain() throws Exception {
    permit();

    allowed.set(false);
    look(25);
    assertFalse(kernel.isIdle());

    allowed.set(true);
    look(50);
    assertTrue(kernel.isIdle());
  }

  @Test
  void look_atAThreadThatIsReadyAndNeverRuns_givesAllTheirClassBackUntilMergesWaitForLittle()
      throws Exception {
    permit();
    run(10, 0, true);
    look(25);
    look(50);
    assertTrue(kernel.isIdle(), "25 ms without a processor are bearable");
    look(75);
    assertFalse(kernel.isIdle(), "50 ms are not");
    assertEquals(1, starved.get());

    look(150);
    run(510, 700, true); // 500 ms on a processor, 700 waiting for one
    look(1350);
    assertFalse(kernel.isIdle());

    run(1210, 1000, true); // 700 ms and 300
    look(2350);
    assertTrue(kernel.isIdle());
    assertEquals(1, starved.get());
  }

  /** As at a safepoint that it has held up itself, while the watch stood too. */
  @Test
  void look_atAThreadThatRanAfterALongWait_givesItsClassBack() throws Exception {
    permit();
    run(10, 0, true);
    look(50);
    assertTrue(kernel.isIdle());

    run(12, 348, true);
    look(400);

    assertFalse(kernel.isIdle());
    assertEquals(1, starved.get());
  }

  @Test
  void look_atAThreadThatGetsATenthOfWhatItWants_leavesItInTheClass() throws Exception {
    permit();
    for (int at = 50; at <= 500; at += 50) {
      run(at / 10, at * 9 / 10, true);
      look(at);
    }

    assertTrue(kernel.isIdle());
  }

  @Test
  void look_atAThreadThatSleeps_leavesItInTheClass() throws Exception {
    permit();
    run(10, 0, false);

    for (int at = 25; at < 500; at += 25) {
      look(at);
    }

    assertTrue(kernel.isIdle());
    assertEquals(0, starved.get());
  }

  /** The watch must not lower a thread that has just taken its class back. */
  @Test
  void ends_duringALook_hasTheClassThatItHad() throws Exception {
    permit();
    allowed.set(false);
    look(25);
    Thread merging = Thread.currentThread();
    AtomicBoolean once = new AtomicBoolean();
    Thread watch =
        new Thread(
            () -> {
              kernel.onSet =
                  () -> {
                    if (once.compareAndSet(false, true)) {
                      Await.until(
                          "the merge ends meanwhile",
                          () -> merging.getState() == Thread.State.BLOCKED);
                    }
                  };
              allowed.set(true);
              look(50);
            });
    watch.start();
    Await.until("the watch lowers the thread", once::get);

    idle.ends();

    watch.join();
    assertEquals(LinuxCalls.SCHED_OTHER, kernel.policy());
  }

  @Test
  void look_atAThreadThatAMergeHasStarted_givesItTheUsualClass() throws Exception {
    permit();
    int heir = kernel.startedBy(kernel.threadNumber());
    int ofItsOwn = kernel.startedBy(heir);
    assertEquals(LinuxCalls.SCHED_IDLE, kernel.policy(heir));

    look(25);

    assertEquals(LinuxCalls.SCHED_OTHER, kernel.policy(heir));
    assertEquals(LinuxCalls.SCHED_OTHER, kernel.policy(ofItsOwn));
    assertTrue(kernel.isIdle());
  }

  @Test
  void look_atAThreadThatWasIdleBefore_leavesItAlone() throws Exception {
    kernel.begin(LinuxCalls.SCHED_IDLE);
    int applications = kernel.startedBy(kernel.threadNumber());
    kernel.begin(LinuxCalls.SCHED_OTHER);

    permit();
    look(25);

    assertEquals(LinuxCalls.SCHED_IDLE, kernel.policy(applications));
  }

  @Test
  void look_whenTheKernelFails_givesUpForGood() throws Exception {
    permit();
    kernel.fails = true;
    allowed.set(false);
    look(25);
    assertFalse(idle.isActive());
    assertEquals("the test denies it", idle.reason());

    kernel.fails = false;
    idle.ends();

    assertEquals(LinuxCalls.SCHED_OTHER, kernel.policy());
    assertFalse(idle.begins(allowed::get, starved::incrementAndGet));
  }

  @Test
  void look_afterTheDeathOfAThreadThatDidNotEnd_leavesItsNumberAlone() throws Exception {
    permit();
    idle.ends();
    Thread dies = new Thread(() -> idle.begins(allowed::get, starved::incrementAndGet));
    dies.start();
    dies.join();
    int calls = kernel.calls().size();

    look(25);

    assertEquals(calls, kernel.calls().size());
  }

  @Test
  void lasts_ofASaturation_isJudgedByASecondOfRunningAndWaiting() {
    Saturation saturation = new Saturation();
    saturation.saw(0, 10_000 * MILLI);
    assertFalse(saturation.lasts(), "only a starved thread begins it");

    saturation.begins();
    saturation.saw(900 * MILLI, 0);
    assertTrue(saturation.lasts(), "that is not enough to know");
    saturation.saw(0, 600 * MILLI);
    assertTrue(saturation.lasts(), "40 % of waiting are too much");
    saturation.saw(700 * MILLI, 300 * MILLI);
    assertFalse(saturation.lasts());
  }

  /** The calling thread computes, and the trial ends. */
  private void permit() throws InterruptedException {
    assertTrue(idle.begins(allowed::get, starved::incrementAndGet));
    assertEquals(1, started.size(), "the watch");
    look(0);
    Thread trial = new Thread(started.get(1));
    trial.start();
    trial.join();
    look(0);
  }

  private void look(long atMillis) {
    clock.advanceNanos(atMillis * MILLI - clock.nanoTime());
    idle.look(clock.nanoTime());
  }

  private void run(long ranMillis, long waitedMillis, boolean isReady) {
    kernel.times.put(
        kernel.threadNumber(), new ThreadTimes(ranMillis * MILLI, waitedMillis * MILLI, isReady));
  }
}
