package io.weir.stress.arm.logs;

/**
 * One time in which the garbage collector had all threads stand still.
 *
 * @param startNanos on the arm's clock
 * @param durationNanos from when all threads stood until they might go on
 * @param collector that did it; null when its collection had not ended yet
 * @param name of the pause, as the JVM calls it
 * @param cause of the collection; null like {@code collector}
 */
public record GcPause(
    long startNanos, long durationNanos, String collector, String name, String cause) {}
