package io.weir.benchmark.grants;

import com.sun.management.OperatingSystemMXBean;
import io.weir.rate.BudgetOptions;
import io.weir.rate.BudgetSnapshot;
import io.weir.rate.ByteBudget;
import io.weir.time.NanoClock;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One measurement: so many threads, each claiming as fast as it can from a child of one capped
 * parent.
 *
 * @param indexes children; thread number i claims from child number i modulo this
 * @param virtual whether the threads are virtual ones
 */
record GrantsCell(Cap cap, int threads, boolean virtual, int indexes, int millis) {

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  Result run() throws InterruptedException, ExecutionException {
    NanoClock clock = NanoClock.SYSTEM;
    long bornNanos = clock.nanoTime();
    ByteBudget parent = new ByteBudget(BudgetOptions.named("host").withRate(cap.rate()));
    List<ByteBudget> children = new ArrayList<>();
    for (int i = 0; i < indexes; i++) {
      children.add(parent.child(BudgetOptions.named("index-" + i)));
    }
    CountDownLatch ready = new CountDownLatch(threads);
    CountDownLatch gate = new CountDownLatch(1);
    AtomicBoolean stop = new AtomicBoolean();
    List<FutureTask<Long>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      ByteBudget budget = children.get(i % indexes);
      FutureTask<Long> task =
          new FutureTask<>(
              () -> {
                ready.countDown();
                gate.await();
                long grants = 0;
                for (; !stop.get(); grants++) {
                  budget.acquire(cap.claimBytes());
                }
                return grants;
              });
      tasks.add(task);
      (virtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(task);
    }
    ready.await();
    long cpuNanos = PROCESS.getProcessCpuTime();
    long startNanos = clock.nanoTime();
    gate.countDown();
    long endNanos = startNanos + millis * 1_000_000L;
    for (long now = startNanos; now < endNanos; now = clock.nanoTime()) {
      clock.parkNanos(this, endNanos - now);
    }
    long measuredNanos = clock.nanoTime() - startNanos;
    cpuNanos = PROCESS.getProcessCpuTime() - cpuNanos;
    stop.set(true);
    List<Long> grants = new ArrayList<>();
    for (FutureTask<Long> task : tasks) {
      grants.add(task.get());
    }
    return new Result(
        this,
        grants,
        cpuNanos,
        measuredNanos,
        clock.nanoTime() - bornNanos,
        parent.snapshot(),
        children.stream().mapToLong(child -> child.snapshot().grantedBytes()).sum());
  }

  /**
   * What one measurement showed.
   *
   * @param grants of each thread
   * @param cpuNanos of the process while it was measured
   * @param measuredNanos how long that was
   * @param elapsedNanos from before the budget was made until after its last grant
   * @param parent its snapshot in the end
   * @param childrenBytes what all children were granted by their own count
   */
  record Result(
      GrantsCell cell,
      List<Long> grants,
      long cpuNanos,
      long measuredNanos,
      long elapsedNanos,
      BudgetSnapshot parent,
      long childrenBytes) {

    long totalGrants() {
      return grants.stream().mapToLong(Long::longValue).sum();
    }

    double grantsPerSecond() {
      return totalGrants() / (measuredNanos / 1e9);
    }

    double cpuNanosPerGrant() {
      return (double) cpuNanos / totalGrants();
    }

    double shares() {
      long most = grants.stream().mapToLong(Long::longValue).max().orElseThrow();
      long least = grants.stream().mapToLong(Long::longValue).min().orElseThrow();
      return (double) least / Math.max(1, most);
    }
  }
}
