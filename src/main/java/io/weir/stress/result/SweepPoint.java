package io.weir.stress.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * One kind of arm under one cap.
 *
 * @param arm the name that its rounds have in {@link RunResult#arms}
 * @param kind the name of the kind, {@code arm} without the cap
 * @param capBytesPerSecond null when it was not capped
 * @param rounds how many ended
 * @param figures medians over rounds of what was measured in each, by {@link RunFigure#id}
 * @param mergeTimesUncapped the median of merge seconds divided by that of the same kind without a
 *     cap; null when one of the two is not known
 * @param liftedRounds in how many of them the cap was lifted, because merges had piled up, so that
 *     the figures are not all of that cap; null where nothing lifts it
 * @param slos the objectives, each by the median of rounds
 */
public record SweepPoint(
    String arm,
    String kind,
    Long capBytesPerSecond,
    int rounds,
    Verdict verdict,
    Map<String, Double> figures,
    Double mergeTimesUncapped,
    Integer liftedRounds,
    List<SloResult> slos) {

  /** What was said of a point when all its rounds had ended. */
  public enum Verdict {
    /** It kept to every objective. */
    @JsonProperty("met")
    MET,
    /** It did not, or nobody can tell. */
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

  /** Reads what is missing as empty. */
  public SweepPoint {
    figures = figures == null ? Map.of() : figures;
    slos = slos == null ? List.of() : List.copyOf(slos);
  }
}
