package io.weir.stress.result;

/**
 * Whether an arm kept to a service level objective.
 *
 * @param slo as the user gave it
 * @param arm its name
 * @param value the median over its rounds of what was measured, or of its ratios to the other arm;
 *     null when it was not measured in every round
 * @param bound in the unit of {@code value}
 * @param unit {@code ms}, {@code s}, {@code MB}, {@code /s}, or {@code x} for a ratio
 * @param met false when it was not, or when nobody can tell
 * @param reason why {@code value} is null; null otherwise
 */
public record SloResult(
    String slo, String arm, Double value, double bound, String unit, boolean met, String reason) {}
