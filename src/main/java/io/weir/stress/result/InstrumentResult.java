package io.weir.stress.result;

import java.util.Optional;

/**
 * What measuring itself cost in one arm, and what it missed after the warm-up. Its floor, the
 * smallest latency that it can resolve, is in {@link ArmNoise#hiccups}: how late an idle thread
 * wakes up.
 *
 * @param cpuSeconds processor time of the measuring threads; empty where the JVM does not report it
 * @param cpuPercent the same in percent of one processor
 * @param samples lines in {@code series.csv}, ten a second
 * @param missedSamples how many more were due
 * @param longestGapMillis the longest gap between two samples; a peak inside it went unseen
 */
public record InstrumentResult(
    Optional<Double> cpuSeconds,
    Optional<Double> cpuPercent,
    long samples,
    long missedSamples,
    double longestGapMillis) {}
