package io.weir.stress.arm.meters;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.Set;

/**
 * Processor time of the threads that only measure: those that sample, detect hiccups, and take
 * stacks of slow reopens. What the threads of the load do to measure (read the clock, write a line)
 * is not included.
 *
 * @param cpuSeconds empty where the JVM does not report it
 * @param cpuPercent of one processor; empty likewise
 */
public record InstrumentCost(Optional<Double> cpuSeconds, Optional<Double> cpuPercent) {

  private static final Set<String> MEASURING =
      Set.of("weir-watch", "weir-hiccups", "weir-slow-reopens");

  /** The cost since the threads started, {@code nanos} ago. */
  public static InstrumentCost until(long nanos) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (!threads.isThreadCpuTimeSupported() || !threads.isThreadCpuTimeEnabled()) {
      return new InstrumentCost(Optional.empty(), Optional.empty());
    }
    long cpuNanos = 0;
    for (long id : threads.getAllThreadIds()) {
      if (Optional.ofNullable(threads.getThreadInfo(id))
          .filter(InstrumentCost::measures)
          .isPresent()) {
        cpuNanos += Math.max(0, threads.getThreadCpuTime(id));
      }
    }
    return new InstrumentCost(
        Optional.of(Math.round(cpuNanos / 1e3) / 1e6),
        nanos <= 0 ? Optional.empty() : Optional.of(Math.round(1e4 * cpuNanos / nanos) / 1e2));
  }

  private static boolean measures(ThreadInfo thread) {
    return MEASURING.contains(thread.getThreadName());
  }
}
