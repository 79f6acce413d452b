package io.weir.stress.arm.logs;

import java.util.Optional;

/**
 * One pause of the garbage collector, in which it stopped all threads.
 *
 * @param startNanos on the arm's clock
 * @param durationNanos how long it lasted
 * @param collector its name in the JVM; empty when the collection had not ended yet
 * @param name of the pause, as the JVM calls it
 * @param cause of the collection; empty likewise
 */
public record GcPause(
    long startNanos,
    long durationNanos,
    Optional<String> collector,
    String name,
    Optional<String> cause) {}
