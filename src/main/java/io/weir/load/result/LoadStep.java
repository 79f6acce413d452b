package io.weir.load.result;

/**
 * One step of an arm.
 *
 * <p><b>Units:</b> requests per second; nanoseconds of the server's own clock, or of the run's
 * where the server is not ours.
 *
 * @param number from 1 in its arm and round
 * @param load requests per second on average
 * @param use what was used while the client sent, from {@code startNanos} to {@code endNanos}
 */
public record LoadStep(
    int number,
    double load,
    StepOutcome outcome,
    Resource full,
    ClientView client,
    StepUse use,
    long startNanos,
    long endNanos) {}
