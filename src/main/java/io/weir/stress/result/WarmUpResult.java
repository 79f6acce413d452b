package io.weir.stress.result;

/**
 * How an arm was warmed up, and whether it was steady when measuring began. Two groups of reopens
 * were compared: the earlier and the later half of those in its last while, which is two thirds of
 * what was asked for.
 *
 * @param askedSeconds the least, as asked for
 * @param seconds as it was
 * @param steady whether no difference of the two was found; null when there were too few to tell
 * @param earlierMillis the median of the earlier group, from the real start; null if there was none
 * @param laterMillis the median of the later one
 * @param chance how often reopens that are steady look so different or more (Mann-Whitney's test);
 *     null when there were too few to tell
 */
public record WarmUpResult(
    double askedSeconds,
    double seconds,
    Boolean steady,
    Double earlierMillis,
    Double laterMillis,
    Double chance) {}
