package io.weir.benchmark.bulkindexing;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.time.DaemonThreads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ArmThreadsTest {

  private static final int MEGABYTE = 1 << 20;

  /** Those that the arm's threads start count for it, and no others do. */
  @Test
  void take_threadOfAThread_countsForTheArmThatStartedIt() throws Exception {
    CountDownLatch counted = new CountDownLatch(1);
    ArmThreads busy = new ArmThreads("busy");
    ArmThreads idle = new ArmThreads("idle");
    CountDownLatch allocated = new CountDownLatch(1);
    FutureTask<Void> task =
        busy.start(
            () -> {
              Thread child =
                  new Thread(
                      () -> {
                        allocate(64);
                        allocated.countDown();
                        await(counted);
                      });
              child.start();
              child.join();
              return null;
            });
    FutureTask<Void> waiting =
        idle.start(
            () -> {
              await(counted);
              return null;
            });
    allocated.await();

    ArmThreads.Use ofBusy = busy.take();
    ArmThreads.Use ofIdle = idle.take();
    counted.countDown();
    task.get();
    waiting.get();

    assertTrue(ofBusy.allocatedBytes() >= 64L * MEGABYTE, ofBusy.toString());
    assertTrue(ofBusy.cpuNanos() > 0, ofBusy.toString());
    assertTrue(ofIdle.allocatedBytes() < MEGABYTE, ofIdle.toString());
  }

  /** What was seen of a thread is not lost with it, and counts once. */
  @Test
  void take_ofAThreadThatEnded_keepsWhatWasSeenOfItAndCountsItOnce() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    ArmThreads arm = new ArmThreads("arm");
    CountDownLatch allocated = new CountDownLatch(1);
    FutureTask<Void> task =
        arm.start(
            () -> {
              allocate(16);
              allocated.countDown();
              await(seen);
              return null;
            });
    allocated.await();
    ArmThreads.Use first = arm.take();
    seen.countDown();
    task.get();
    ArmThreads.Use second = arm.take();

    assertTrue(first.allocatedBytes() >= 16L * MEGABYTE, first.toString());
    assertTrue(
        second.allocatedBytes() >= 0 && second.allocatedBytes() < MEGABYTE, second.toString());
  }

  /** Weir's threads are in no arm's group: an arm that has Weir would seem to take less. */
  @Test
  void ofWeir_threadOfWeirsFactoryStartedByAnArm_countsThere() throws Exception {
    CountDownLatch counted = new CountDownLatch(1);
    CountDownLatch allocated = new CountDownLatch(1);
    ArmThreads arm = new ArmThreads("arm");
    ArmThreads weirs = ArmThreads.ofWeir();
    weirs.take();
    FutureTask<Void> task =
        arm.start(
            () -> {
              Thread ofWeir =
                  DaemonThreads.unstarted(
                      "weir-test",
                      () -> {
                        allocate(64);
                        allocated.countDown();
                        await(counted);
                      });
              ofWeir.start();
              ofWeir.join();
              return null;
            });
    allocated.await();

    ArmThreads.Use ofArm = arm.take();
    ArmThreads.Use ofWeir = weirs.take();
    counted.countDown();
    task.get();

    assertTrue(ofWeir.allocatedBytes() >= 64L * MEGABYTE, ofWeir.toString());
    assertTrue(ofArm.allocatedBytes() < MEGABYTE, ofArm.toString());
  }

  private static void allocate(int megabytes) {
    for (int i = 0; i < megabytes; i++) {
      byte[] block = new byte[MEGABYTE];
      block[i] = 1;
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
