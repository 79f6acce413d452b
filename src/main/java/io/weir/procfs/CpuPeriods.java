package io.weir.procfs;

import java.util.Objects;

/**
 * The periods, of 100 ms as a rule, in which a control group with a quota of processor time had
 * work ({@code nr_periods}, {@code nr_throttled}). Unlike the time that its threads stood, their
 * share does not grow with the number of processors. (Kernel documentation: scheduler/sched-bwc.)
 *
 * @param elapsed since the group was made; 0 without a quota
 * @param throttled those at whose end its threads stood, because the quota was used up
 */
public record CpuPeriods(long elapsed, long throttled) {

  /** The share of the periods since then that were throttled, from 0 to 1; 0 if there was none. */
  public double throttledSince(CpuPeriods before) {
    Objects.requireNonNull(before, "before");
    long passed = elapsed - before.elapsed;
    return passed > 0 ? Math.clamp((double) (throttled - before.throttled) / passed, 0, 1) : 0;
  }
}
