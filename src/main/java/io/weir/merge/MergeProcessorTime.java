package io.weir.merge;

import io.weir.time.OnceLog;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The processor time that the threads of one merge have used for it, in user and kernel mode. Each
 * look also adds what is new to the sum of the merge's kind, so that neither loses or repeats any.
 *
 * <p><b>Threads:</b> any; those of the merge say when they begin and end. <b>Failure:</b> no method
 * throws. Where the JVM cannot measure threads, or fails to, which is logged, the time is unknown.
 */
final class MergeProcessorTime {

  private static final OnceLog FAILURE = new OnceLog(MergeProcessorTime.class);

  /** Says how long a thread has been on a processor, in nanoseconds; negative if unknown. */
  @FunctionalInterface
  interface ThreadClock {

    /** Virtual threads are unknown to it, and those that have ended. */
    ThreadClock OF_THIS_JVM = ofThisJvm();

    long nanosOf(Thread thread);

    private static ThreadClock ofThisJvm() {
      try {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        if (threads.isThreadCpuTimeSupported()) {
          return thread -> threads.getThreadCpuTime(thread.threadId());
        }
      } catch (RuntimeException | LinkageError e) {
        failed(e);
      }
      return thread -> -1;
    }
  }

  private final ThreadClock clock;
  private final LongAdder ofKind;
  private final Map<Thread, Long> seenNanos = new HashMap<>(); // guarded by this, as all below
  private long totalNanos;
  private boolean known;
  private boolean failed;

  /**
   * None yet.
   *
   * @param ofKind the sum of all merges of this kind
   */
  MergeProcessorTime(ThreadClock clock, LongAdder ofKind) {
    this.clock = clock;
    this.ofKind = ofKind;
  }

  /**
   * The calling thread works for the merge, until {@link #ends}.
   *
   * @return false if it does so already: it will end later
   */
  synchronized boolean begins() {
    Thread thread = Thread.currentThread();
    if (seenNanos.containsKey(thread)) {
      return false;
    }
    long nanos = nanosOf(thread);
    if (nanos >= 0) {
      known = true;
      seenNanos.put(thread, nanos);
    }
    return true;
  }

  /** A thread no longer works for the merge. */
  synchronized void ends(Thread thread) {
    look(thread);
    seenNanos.remove(thread);
  }

  /** The merge has ended. A thread that is about to leave it adds nothing more. */
  synchronized void finishes() {
    seenNanos.keySet().forEach(this::look);
    seenNanos.clear();
  }

  /** The time so far; empty if it is not measured. */
  synchronized OptionalLong totalNanos() {
    seenNanos.keySet().forEach(this::look);
    return known && !failed ? OptionalLong.of(totalNanos) : OptionalLong.empty();
  }

  private void look(Thread thread) {
    Long seen = seenNanos.get(thread);
    long now = seen == null ? -1 : nanosOf(thread);
    if (seen != null && now > seen) { // negative once it has died without an end
      seenNanos.replace(thread, now);
      totalNanos += now - seen;
      ofKind.add(now - seen);
    }
  }

  private long nanosOf(Thread thread) {
    try {
      return clock.nanosOf(thread);
    } catch (RuntimeException | LinkageError e) {
      failed = true;
      failed(e);
      return -1;
    }
  }

  private static void failed(Throwable e) {
    FAILURE.warn("the processor time of merges is not measured; this is logged once", e);
  }
}
