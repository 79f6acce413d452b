/**
 * Time in an arm. {@link io.weir.stress.arm.timeline.Timeline} is its one clock and says which
 * phase a moment belongs to; {@link io.weir.stress.arm.timeline.LatencyTally} sums up latencies,
 * and {@link io.weir.stress.arm.timeline.LatencyRecorder} keeps a tally for each phase.
 *
 * <p>All other rooms of the arm stand on this one.
 */
package io.weir.stress.arm.timeline;
