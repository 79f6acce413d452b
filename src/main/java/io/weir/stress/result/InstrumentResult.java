package io.weir.stress.result;

/**
 * What the instrument itself took in one arm, and what it missed after the warm-up. Its floor,
 * below which no latency can be told, is in {@link NoiseResult#hiccups}: how late a thread wakes up
 * that has nothing to do.
 *
 * @param cpuSeconds processor time of the threads that only watch; null where the JVM does not tell
 * @param cpuPercent that, in per cent of one processor
 * @param samples of {@code series.csv}, ten a second
 * @param missedSamples how many more were due
 * @param longestGapMillis between two samples; a peak inside it was not seen
 */
public record InstrumentResult(
    Double cpuSeconds,
    Double cpuPercent,
    long samples,
    long missedSamples,
    double longestGapMillis) {}
