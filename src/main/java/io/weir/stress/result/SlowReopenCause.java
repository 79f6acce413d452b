package io.weir.stress.result;

/**
 * What slow reopens waited for, added up.
 *
 * @param cause as {@code slow-reopens.csv} spells it
 * @param label in a few words, for people
 * @param seconds of all slow reopens of that phase
 * @param share of their time: from 0 to 1
 * @param reopens in how many of them it had a part
 */
public record SlowReopenCause(
    String cause, String label, double seconds, double share, long reopens) {}
