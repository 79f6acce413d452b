package io.weir.jvm;

import java.util.OptionalDouble;

/**
 * How far a worker is: one JSON line on its standard output.
 *
 * @param stage what it does now, in a word or two
 * @param fraction the share of it that is done, from 0 to 1; empty where it is unknown
 * @param detail the current figures, for people
 */
public record WorkerProgress(String stage, OptionalDouble fraction, String detail) {}
