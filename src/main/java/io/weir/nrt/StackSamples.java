package io.weir.nrt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The stacks of one running reopen, and their summary at the end. The memory is bounded, however
 * long the reopen takes.
 *
 * <p><b>Threads:</b> the sampler's only. <b>Units:</b> nanoseconds of the monitor's clock.
 */
final class StackSamples {

  static final int MAX_MERGES = 64;

  /** A slow reopen that has ended, as reported by its thread. */
  record Ended(long serial, long begunNanos, Reopen reopen) {}

  private final long serial;
  private final long everyNanos;
  private final long firstDueNanos;
  private final long freeNanos; // when the sampler had finished its earlier work
  private final StackTally tally = new StackTally();
  private final Set<String> merges = new LinkedHashSet<>();
  private long nextDueNanos;
  private long standstillNanos;

  /**
   * @param begunNanos when the reopen had the lock
   * @param freeNanos when the sampler had finished its earlier work
   */
  StackSamples(long serial, long begunNanos, SlowReopenOptions options, long freeNanos) {
    this.serial = serial;
    this.everyNanos = options.sampleEvery().toNanos();
    this.firstDueNanos = begunNanos + options.sampleAfter().toNanos();
    this.freeNanos = Math.max(freeNanos, firstDueNanos);
    this.nextDueNanos = this.freeNanos;
  }

  long serial() {
    return serial;
  }

  int taken() {
    return tally.taken();
  }

  /** When the next stack is due. */
  long nextDueNanos() {
    return nextDueNanos;
  }

  /**
   * Adds a stack.
   *
   * @param fromNanos when the sampler asked for it, at {@link #nextDueNanos} or later
   * @param toNanos when the sampler received it
   * @param frames of the whole stack, innermost first; {@code depth} of them belong to the refresh
   */
  void add(long fromNanos, long toNanos, StackTraceElement[] frames, int depth, boolean blocked) {
    asked(fromNanos, toNanos);
    tally.add(Arrays.asList(frames).subList(0, depth), blocked, everyNanos + (toNanos - fromNanos));
  }

  /** Counts the time of a request for a stack: the sampler was late before it, and busy in it. */
  void asked(long fromNanos, long toNanos) {
    standstillNanos += standstill(fromNanos);
    busyUntil(toNanos);
  }

  /** The sampler was busy until then; it does not count as late for earlier samples. */
  void busyUntil(long nanos) {
    long passed = Math.max(0, nanos - firstDueNanos) / everyNanos;
    nextDueNanos = firstDueNanos + (passed + 1) * everyNanos;
  }

  /** A delay of more than one step is not chance: the JVM or the machine stood still. */
  private long standstill(long nowNanos) {
    long late = nowNanos - nextDueNanos;
    return late > everyNanos ? late : 0;
  }

  void addMerges(List<String> running) {
    running.stream().limit(MAX_MERGES - merges.size()).forEach(merges::add);
  }

  /** The summary of the reopen. */
  SlowReopen explain(Ended ended) {
    Reopen reopen = ended.reopen();
    long finished = reopen.finishedNanos();
    long lockNanos = ended.begunNanos() - reopen.startedNanos();
    long notSampled = Math.min(freeNanos, finished) - ended.begunNanos();
    long watched = finished - ended.begunNanos() - notSampled;
    long stood = Math.min(watched, standstillNanos + standstill(finished));
    long sampled = watched - stood;
    if (taken() == 0) { // the first stack would have been due just after
      notSampled += sampled;
      sampled = 0;
    }
    List<SlowReopen.Stack> stacks = tally.stacks(sampled);
    Map<ReopenCause, Long> causes = new EnumMap<>(ReopenCause.class);
    add(causes, ReopenCause.REFRESH_LOCK, lockNanos);
    add(causes, ReopenCause.NOT_SAMPLED, notSampled);
    add(causes, ReopenCause.STANDSTILL, stood);
    stacks.forEach(stack -> add(causes, stack.cause(), stack.nanos()));
    int expected =
        finished < firstDueNanos ? 0 : (int) ((finished - firstDueNanos) / everyNanos) + 1;
    return new SlowReopen(reopen, causes, stacks, taken(), expected, new ArrayList<>(merges));
  }

  private static void add(Map<ReopenCause, Long> causes, ReopenCause cause, long nanos) {
    if (nanos > 0) {
      causes.merge(cause, nanos, Long::sum);
    }
  }
}
