package io.weir.stress.arm.meters;

import io.weir.run.ArmFigures;
import io.weir.run.Values;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.Set;

/**
 * Processor time of the threads that only measure: those that sample, detect hiccups, and take
 * stacks of slow reopens. What the threads of the load do to measure (read the clock, write a line)
 * is not included.
 */
final class InstrumentCost {

  private static final Set<String> MEASURING =
      Set.of("weir-watch", "weir-hiccups", "weir-slow-reopens");

  private InstrumentCost() {}

  /** The cost since the threads started, {@code nanos} ago; nothing where it is not reported. */
  static Values until(long nanos) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (!threads.isThreadCpuTimeSupported() || !threads.isThreadCpuTimeEnabled()) {
      return Values.NONE;
    }
    long cpuNanos = 0;
    for (long id : threads.getAllThreadIds()) {
      if (Optional.ofNullable(threads.getThreadInfo(id))
          .filter(InstrumentCost::measures)
          .isPresent()) {
        cpuNanos += Math.max(0, threads.getThreadCpuTime(id));
      }
    }
    return Values.builder()
        .put(ArmFigures.INSTRUMENT_CPU, Math.round(cpuNanos / 1e3) / 1e6)
        .put(
            ArmFigures.INSTRUMENT_CPU_PERCENT,
            nanos <= 0 ? Optional.empty() : Optional.of(Math.round(1e4 * cpuNanos / nanos) / 1e2))
        .build();
  }

  private static boolean measures(ThreadInfo thread) {
    return MEASURING.contains(thread.getThreadName());
  }
}
