package io.weir.why;

import io.weir.procfs.Procfs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The kernel's numbers of threads. A JVM in a container says those of its own namespace, which are
 * others, or other threads', here.
 *
 * <p><b>Units:</b> nanoseconds of the caller's clock. <b>Threads:</b> one.
 */
final class ThreadNumbers {

  /** Threads that began are looked for at most once in so long. */
  private static final long AGAIN_NANOS = 1_000_000_000;

  private final Procfs process;
  private final boolean areThoseHere;
  private Map<Long, Long> byInner = Map.of();
  private long askedAtNanos;

  ThreadNumbers(long pid, Procfs process) {
    this.process = process;
    this.areThoseHere = process.innerNumber().orElse(pid) == pid;
  }

  /** The threads with their numbers here; without one if it is not known. */
  List<ThreadDump.Thread> here(List<ThreadDump.Thread> threads, long nowNanos) {
    if (areThoseHere) {
      return threads;
    }
    if ((byInner.isEmpty() || nowNanos - askedAtNanos > AGAIN_NANOS)
        && threads.stream().anyMatch(thread -> number(thread).isEmpty())) {
      byInner = new HashMap<>();
      process
          .threadNumbers()
          .forEach(here -> process.innerNumber(here).ifPresent(inner -> byInner.put(inner, here)));
      askedAtNanos = nowNanos;
    }
    return threads.stream().map(thread -> thread.withKernelNumber(number(thread))).toList();
  }

  private OptionalLong number(ThreadDump.Thread thread) {
    return thread.kernelNumber().stream()
        .filter(byInner::containsKey)
        .map(byInner::get)
        .findFirst();
  }
}
