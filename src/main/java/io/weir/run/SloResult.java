package io.weir.run;

import java.util.Optional;

/**
 * Whether an arm met a service level objective.
 *
 * @param slo as the user gave it
 * @param arm its name
 * @param value the median over its rounds of the measured figure, or of its ratio to the other arm;
 *     empty unless every round measured it
 * @param bound in the unit of {@code value}
 * @param unit {@code ms}, {@code s}, {@code MB}, {@code /s}, or {@code x} for a ratio
 * @param met false when the arm missed it, or when {@code value} is empty
 * @param reason why {@code value} is empty
 */
public record SloResult(
    String slo,
    String arm,
    Optional<Double> value,
    double bound,
    String unit,
    boolean met,
    Optional<String> reason) {}
