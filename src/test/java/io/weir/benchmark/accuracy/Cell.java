package io.weir.benchmark.accuracy;

import io.weir.time.NanoClock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * One measurement: so many threads, each claiming one piece after the other, of one limiter.
 *
 * @param threads platform threads
 * @param leadMillis how long they run before it counts, except for the worst window, which may lie
 *     anywhere
 * @param measuredMillis how long they run after that
 */
record Cell(
    Contender contender, long bytesPerSecond, int threads, int leadMillis, int measuredMillis) {

  /** What each claim asks for. */
  static final int PIECE_BYTES = 32 * 1024;

  static final int WINDOW_MILLIS = 100;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Runs it; takes the two times together. */
  Result run() throws InterruptedException, ExecutionException {
    NanoClock clock = NanoClock.SYSTEM;
    long bornNanos = clock.nanoTime();
    Limiter limiter = contender.limiter(bytesPerSecond);
    CountDownLatch gate = new CountDownLatch(1);
    int spanMillis = leadMillis + measuredMillis;
    long startNanos = clock.nanoTime();
    List<GrantMeter> meters = new ArrayList<>();
    List<FutureTask<Long>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      GrantMeter meter = new GrantMeter(clock, startNanos, spanMillis);
      Limiter.Claimant claimant = limiter.claimant();
      long endNanos = startNanos + spanMillis * NANOS_PER_MILLI;
      Callable<Long> claims =
          () -> {
            gate.await();
            do { // once even if it begins late
              claimant.claim(PIECE_BYTES, meter);
            } while (clock.nanoTime() < endNanos);
            ThreadMXBean mine = ManagementFactory.getThreadMXBean();
            return mine.getCurrentThreadCpuTime();
          };
      FutureTask<Long> task = new FutureTask<>(claims);
      meters.add(meter);
      tasks.add(task);
      Thread.ofPlatform().name("claimant-" + i).start(task);
    }
    gate.countDown();
    long cpuNanos = 0;
    for (FutureTask<Long> task : tasks) {
      cpuNanos += task.get();
    }
    return result(meters, cpuNanos, clock.nanoTime() - bornNanos);
  }

  private Result result(List<GrantMeter> meters, long cpuNanos, long elapsedNanos) {
    int endMillis = leadMillis + measuredMillis;
    long[] shares =
        meters.stream()
            .mapToLong(meter -> meter.bytesWithin(leadMillis, endMillis))
            .sorted()
            .toArray();
    long measuredBytes = 0;
    for (long share : shares) {
      measuredBytes += share;
    }
    return new Result(
        this,
        measuredBytes / (bytesPerSecond * (measuredMillis / 1e3)),
        GrantMeter.worstWindowBytes(meters, WINDOW_MILLIS) / (double) windowBoundBytes(),
        (double) shares[0] / Math.max(1, shares[shares.length - 1]),
        cpuNanos / 1e6 / (elapsedNanos / 1e9),
        meters.stream().mapToLong(GrantMeter::totalBytes).sum(),
        meters.stream().mapToLong(GrantMeter::grants).sum(),
        elapsedNanos);
  }

  /** What 100 ms may bring at most: their own share of the rate, and a burst of 50 ms of it. */
  private long windowBoundBytes() {
    return bytesPerSecond / 10 + bytesPerSecond / 20;
  }

  /**
   * What one measurement showed.
   *
   * @param achieved rate over the rate asked for
   * @param worstWindow most bytes of 100 ms over what they may bring at most
   * @param shares least over most bytes of a thread
   * @param cpuMillisPerSecond processor time of the threads
   * @param totalBytes all that was granted
   * @param grants in how many parts
   * @param elapsedNanos from before the limiter was made until after its last grant
   */
  record Result(
      Cell cell,
      double achieved,
      double worstWindow,
      double shares,
      double cpuMillisPerSecond,
      long totalBytes,
      long grants,
      long elapsedNanos) {}
}
