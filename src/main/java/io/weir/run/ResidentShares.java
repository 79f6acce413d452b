package io.weir.run;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How much of its index each arm found in the page cache, from 0 to 1: the mean of its rounds, by
 * name. Arms for which it is unknown are not in it.
 *
 * <p>An index that is larger than the page cache starts with what the arm before has left there. So
 * the first arm of a run often finds nothing, and its operations wait for the disk where those of
 * the others do not.
 *
 * @param byArm the shares
 */
public record ResidentShares(Map<String, Double> byArm) {

  /** Shares that differ by more are different starts. */
  public static final double TOLERANCE = 0.1;

  private static final String AS_IS = "as-is";

  /** The shares of all arms. */
  public static ResidentShares of(Collection<Part> arms) {
    return of(arms, arm -> true);
  }

  /** The shares of the arms that asked for no state of the page cache. */
  public static ResidentShares asFound(Collection<Part> arms) {
    return of(arms, arm -> arm.get(ArmFigures.CACHE_ASKED).equals(Optional.of(AS_IS)));
  }

  private static ResidentShares of(Collection<Part> arms, Predicate<Part> wanted) {
    return new ResidentShares(
        arms.stream()
            .filter(arm -> share(arm, wanted).isPresent())
            .collect(
                Collectors.groupingBy(
                    Part::name,
                    TreeMap::new,
                    Collectors.averagingDouble(arm -> share(arm, wanted).orElseThrow()))));
  }

  private static Optional<Double> share(Part arm, Predicate<Part> wanted) {
    return Optional.of(arm).filter(wanted).flatMap(one -> one.get(ArmFigures.RESIDENT_SHARE));
  }

  /** A warning if arms did not start alike. */
  public Optional<RunWarning> warning() {
    if (byArm.isEmpty()) {
      return Optional.empty();
    }
    Comparator<Map.Entry<String, Double>> byShare = Map.Entry.comparingByValue();
    Map.Entry<String, Double> least = Collections.min(byArm.entrySet(), byShare);
    Map.Entry<String, Double> most = Collections.max(byArm.entrySet(), byShare);
    return most.getValue() - least.getValue() <= TOLERANCE
        ? Optional.empty()
        : Optional.of(
            new RunWarning(
                String.format(
                    Locale.ROOT,
                    "arm %s found %.0f %% of its index in the page cache, arm %s %.0f %%",
                    least.getKey(),
                    100 * least.getValue(),
                    most.getKey(),
                    100 * most.getValue()),
                "each arm finds what the one before it has left there",
                "--cache cold, or --cache warm where the index fits into memory"));
  }
}
