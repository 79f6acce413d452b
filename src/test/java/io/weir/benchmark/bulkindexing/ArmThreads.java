package io.weir.benchmark.bulkindexing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * The threads of one arm in a JVM that runs several at once, and what these threads took.
 *
 * <p>A thread belongs to the arm whose thread started it, so merges count too. Weir's own threads
 * inherit nothing from the thread that starts them, and serve all indexes of the JVM: {@link
 * #ofWeir()} counts them. The compiler and the collector belong to no arm. What a thread takes
 * between the last look and its end is lost, at most {@value #LOOK_MILLIS} ms or so for each thread
 * of either arm.
 *
 * <p><b>Threads:</b> safe. While a task runs, one that belongs to no arm looks at the others;
 * between two tasks none does, so it takes nothing from another arm's turn.
 */
final class ArmThreads {

  /**
   * What threads took.
   *
   * @param cpuNanos of the processors
   * @param allocatedBytes on the heap
   */
  record Use(long cpuNanos, long allocatedBytes) {

    static final Use NONE = new Use(0, 0);

    Use plus(Use other) {
      return new Use(cpuNanos + other.cpuNanos, allocatedBytes + other.allocatedBytes);
    }

    Use dividedBy(int shares) {
      return new Use(cpuNanos / shares, allocatedBytes / shares);
    }

    Use minus(Use other) {
      return new Use(cpuNanos - other.cpuNanos, allocatedBytes - other.allocatedBytes);
    }
  }

  private static final long LOOK_MILLIS = 2;

  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private static final String WEIRS = "weir-";

  private final ThreadGroup group;
  private final Predicate<Thread> belongs;

  /** Of threads that were alive at the last look, by their identifiers. */
  private final Map<Long, Use> alive = new HashMap<>();

  private Use ended = Use.NONE;
  private Use taken = Use.NONE;

  ArmThreads(String arm) {
    this(new ThreadGroup(arm), thread -> true);
  }

  private ArmThreads(ThreadGroup group, Predicate<Thread> belongs) {
    this.group = group;
    this.belongs = belongs;
  }

  /**
   * Weir's own threads, whichever index they work for; they outlive a run, so none looks at them.
   */
  static ArmThreads ofWeir() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    return new ArmThreads(root, thread -> thread.getName().startsWith(WEIRS));
  }

  /** Starts {@code task} on the arm's first thread. */
  <T> FutureTask<T> start(Callable<T> task) {
    FutureTask<T> running = new FutureTask<>(task);
    Thread.ofPlatform().group(group).name("arm-" + group.getName()).start(running);
    Thread.ofPlatform()
        .daemon()
        .name("looks-at-" + group.getName())
        .start(() -> lookUntil(running::isDone));
    return running;
  }

  /** What the threads took since the last call. */
  synchronized Use take() {
    look();
    Use all = alive.values().stream().reduce(ended, Use::plus);
    Use use = all.minus(taken);
    taken = all;
    return use;
  }

  private void lookUntil(BooleanSupplier done) {
    while (!done.getAsBoolean()) {
      look();
      LockSupport.parkNanos(LOOK_MILLIS * 1_000_000);
    }
  }

  private synchronized void look() {
    Thread[] threads = new Thread[group.activeCount() + 16];
    int count = group.enumerate(threads);
    long[] ids =
        Arrays.stream(threads, 0, count).filter(belongs).mapToLong(Thread::threadId).toArray();
    long[] cpuNanos = THREADS.getThreadCpuTime(ids);
    long[] allocatedBytes = THREADS.getThreadAllocatedBytes(ids);
    Map<Long, Use> before = new HashMap<>(alive);
    alive.clear();
    for (int i = 0; i < ids.length; i++) {
      if (cpuNanos[i] >= 0 && allocatedBytes[i] >= 0) { // else it has ended meanwhile
        alive.put(ids[i], new Use(cpuNanos[i], allocatedBytes[i]));
        before.remove(ids[i]);
      }
    }
    ended = before.values().stream().reduce(ended, Use::plus);
  }
}
