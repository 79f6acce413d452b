package io.weir.stress.worker;

/**
 * How far a worker is: one JSON line on its standard output.
 *
 * @param stage what it does now, in a word or two
 * @param fraction how much of that is done, from 0 to 1; null when that cannot be told
 * @param detail the figures of the moment, fit for a person
 */
public record WorkerProgress(String stage, Double fraction, String detail) {}
