package io.weir.run;

import java.util.List;

/**
 * What a sweep over caps searched for, tried and found.
 *
 * @param objectives as the user gave them
 * @param rounds how often a point is measured before it is judged, and once more as often to
 *     confirm an answer
 * @param points in the order of their first rounds
 * @param answers one for each kind of arm, in the order given; while a kind is still searched it is
 *     {@link SweepAnswer.Status#UNKNOWN}
 */
public record SweepResult(
    List<String> objectives, int rounds, List<SweepPoint> points, List<SweepAnswer> answers) {}
