package io.weir.run;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One kind of arm under one cap.
 *
 * @param arm the name that its rounds have in {@link Run#parts}
 * @param kind the name of the kind, {@code arm} without the cap
 * @param capBytesPerSecond empty for a point without a cap
 * @param rounds how many have ended
 * @param figures medians over rounds, by {@link RunFigure#id}; those that every round measured
 * @param mergeTimesUncapped the median of merge seconds divided by that of the same kind without a
 *     cap; empty when one of the two is unknown
 * @param liftedRounds in how many rounds Weir lifted the cap because merges had piled up, so that
 *     the figures are not those of the cap alone; empty where nothing lifts it
 * @param slos the objectives, each judged by the median of rounds
 */
public record SweepPoint(
    String arm,
    String kind,
    Optional<Long> capBytesPerSecond,
    int rounds,
    Verdict verdict,
    Map<String, Double> figures,
    Optional<Double> mergeTimesUncapped,
    Optional<Integer> liftedRounds,
    List<SloResult> slos) {

  /** The verdict on a point once all its rounds have ended. */
  public enum Verdict {
    /** It met every objective. */
    @JsonProperty("met")
    MET,
    /** It missed an objective, or a round did not measure one. */
    @JsonProperty("missed")
    MISSED,
    /** A round failed; it counts as missed. */
    @JsonProperty("failed")
    FAILED,
    /** Rounds are missing. */
    @JsonProperty("open")
    OPEN
  }

  /** A cap without loss: {@code 42MB/s}, {@code 6.3MB/s}, {@code 850kB/s}. */
  public static String capText(long bytesPerSecond) {
    int digits = bytesPerSecond >= 1_000_000 ? 6 : bytesPerSecond >= 1000 ? 3 : 0;
    String unit = digits == 6 ? "MB/s" : digits == 3 ? "kB/s" : "B/s";
    BigDecimal value = BigDecimal.valueOf(bytesPerSecond, digits).stripTrailingZeros();
    return value.toPlainString() + unit;
  }
}
