package io.weir.benchmark.bulkindexing;

import com.sun.management.ThreadMXBean;
import java.io.Closeable;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads of one arm in a JVM that runs several at once, and what these threads took.
 *
 * <p>A thread belongs to the arm whose thread started it, so merges and Weir's own threads count
 * too. The compiler and the collector belong to no arm. What a thread takes between the last look
 * and its end is lost, at most {@value #LOOK_MILLIS} ms or so for each thread of either arm.
 *
 * <p><b>Threads:</b> safe; it has one of its own, which belongs to no arm. <b>Ownership:</b> {@link
 * #close} ends that one.
 */
final class ArmThreads implements Closeable {

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

    Use minus(Use other) {
      return new Use(cpuNanos - other.cpuNanos, allocatedBytes - other.allocatedBytes);
    }
  }

  private static final long LOOK_MILLIS = 2;

  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private final ThreadGroup group;
  private final Thread looker;

  /** Of threads that were alive at the last look, by their identifiers. */
  private final Map<Long, Use> alive = new HashMap<>();

  private Use ended = Use.NONE;
  private Use taken = Use.NONE;
  private volatile boolean closed;

  ArmThreads(String arm) {
    this.group = new ThreadGroup(arm);
    this.looker = Thread.ofPlatform().daemon().name("looks-at-" + arm).start(this::lookOn);
  }

  /** Starts {@code task} on the arm's first thread. */
  <T> FutureTask<T> start(Callable<T> task) {
    FutureTask<T> running = new FutureTask<>(task);
    Thread.ofPlatform().group(group).name("arm-" + group.getName()).start(running);
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

  private void lookOn() {
    while (!closed) {
      look();
      LockSupport.parkNanos(LOOK_MILLIS * 1_000_000);
    }
  }

  private synchronized void look() {
    Thread[] threads = new Thread[group.activeCount() + 16];
    int count = group.enumerate(threads);
    long[] ids = Arrays.stream(threads, 0, count).mapToLong(Thread::threadId).toArray();
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

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(looker);
  }
}
