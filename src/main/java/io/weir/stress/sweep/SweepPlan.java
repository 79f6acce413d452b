package io.weir.stress.sweep;

import io.weir.rate.Rate;
import io.weir.run.SweepPoint;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Slo;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What a sweep is asked for.
 *
 * @param kinds the arms, each swept by itself
 * @param slos what a cap must keep to, each absolute or as a ratio to {@value SweptArm#UNCAPPED}:
 *     the same kind of arm without a cap
 * @param caps to measure, in bytes per second; empty to search
 * @param least the lowest cap to search, in bytes per second; empty for a share of what the merge
 *     writes without a cap, and reads if its cap counts that
 * @param most the highest cap to search, where the search begins; empty for half of that
 * @param rounds how often a point is measured before it is judged
 * @param seed of the order of {@code caps}
 */
public record SweepPlan(
    List<SweptArm> kinds,
    List<Slo> slos,
    List<Long> caps,
    OptionalLong least,
    OptionalLong most,
    int rounds,
    long seed) {

  private static final int MAX_KINDS = 5;
  private static final int MAX_CAPS = 20;
  private static final int MAX_ROUNDS = 100;

  /** Refuses what cannot be swept. */
  public SweepPlan {
    kinds = List.copyOf(kinds);
    slos = List.copyOf(slos);
    caps = List.copyOf(caps);
    if (kinds.isEmpty() || kinds.size() > MAX_KINDS) {
      throw new IllegalArgumentException(
          "a sweep must have from 1 to " + MAX_KINDS + " arms: " + kinds.size());
    }
    Set<String> names = new HashSet<>();
    for (SweptArm kind : kinds) {
      if (!names.add(kind.name())) {
        throw new IllegalArgumentException(
            "arm names must differ, this one comes twice: " + kind.name());
      }
    }
    if (slos.isEmpty()) {
      throw new IllegalArgumentException(
          "a sweep must have an objective, such as --slo 'reopen.p99 < 100ms'");
    }
    slos.forEach(SweepPlan::requireJudgeable);
    if (rounds < 1 || rounds > MAX_ROUNDS) {
      throw new IllegalArgumentException("rounds must be from 1 to " + MAX_ROUNDS + ": " + rounds);
    }
    if (caps.size() > MAX_CAPS || new HashSet<>(caps).size() < caps.size()) {
      throw new IllegalArgumentException(
          "--caps must be at most " + MAX_CAPS + " rates, all different: " + labels(caps));
    }
    if (!caps.isEmpty() && (least.isPresent() || most.isPresent())) {
      throw new IllegalArgumentException(
          "--least and --most bound a search, and with --caps there is none: " + labels(caps));
    }
    if (least.isPresent() && most.isPresent() && least.getAsLong() > most.getAsLong()) {
      throw new IllegalArgumentException(
          "--least must be at most --most, %s: %s"
              .formatted(
                  SweepPoint.capText(most.getAsLong()), SweepPoint.capText(least.getAsLong())));
    }
  }

  /** The arms that the run is known to have before it begins: each kind without a cap. */
  public List<Arm> uncapped() {
    return kinds.stream().map(kind -> kind.under(Rate.UNLIMITED)).toList();
  }

  private static List<String> labels(List<Long> caps) {
    return caps.stream().map(SweepPoint::capText).toList();
  }

  private static void requireJudgeable(Slo slo) {
    if (slo.arm().isPresent()) {
      throw new IllegalArgumentException(
          "an objective of a sweep is for all of its arms and must name none: '"
              + slo.text()
              + "'");
    }
    if (slo.base().isPresent() && !slo.base().get().equals(SweptArm.UNCAPPED)) {
      throw new IllegalArgumentException(
          "an objective of a sweep must be absolute or a ratio to 'uncapped', the same arm without a"
              + " cap: '"
              + slo.text()
              + "'");
    }
  }
}
