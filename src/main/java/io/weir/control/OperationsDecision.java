package io.weir.control;

/**
 * What an {@link OperationsPolicy} decided in one tick.
 *
 * @param reason why
 * @param bytesPerSecond the rate from now on
 */
record OperationsDecision(OperationsReason reason, long bytesPerSecond) {}
