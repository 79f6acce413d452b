package io.weir.stress.arm.meters;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Set;

/**
 * Processor time of the threads that only watch an arm: those that sample, feel hiccups, and take
 * stacks of slow reopens. What the threads of the load do besides their load (a look at the clock,
 * a line of a file) is not in it.
 *
 * @param cpuSeconds null where the JVM does not tell
 * @param cpuPercent of one processor; null likewise
 */
public record InstrumentCost(Double cpuSeconds, Double cpuPercent) {

  private static final Set<String> WATCHING =
      Set.of("weir-watch", "weir-hiccups", "weir-slow-reopens");

  /** Since they were started, which was {@code nanos} ago. */
  public static InstrumentCost until(long nanos) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (!threads.isThreadCpuTimeSupported() || !threads.isThreadCpuTimeEnabled()) {
      return new InstrumentCost(null, null);
    }
    long cpuNanos = 0;
    for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
      if (thread != null && WATCHING.contains(thread.getThreadName())) {
        cpuNanos += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return new InstrumentCost(
        Math.round(cpuNanos / 1e3) / 1e6,
        nanos <= 0 ? null : Math.round(1e4 * cpuNanos / nanos) / 1e2);
  }
}
