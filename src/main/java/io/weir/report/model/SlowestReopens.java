package io.weir.report.model;

import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Run;
import io.weir.run.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The slowest reopens of one arm during the merge, from all its rounds.
 *
 * @param arm its name
 * @param count how many reopens it had during the merge
 * @param slowest the slowest first, at most {@value #MOST}
 */
public record SlowestReopens(String arm, int count, List<Slow> slowest) {

  public static final int MOST = 10;

  /** A reopen and its round. */
  public record Slow(int round, ReopenRow reopen) {

    public long latencyNanos() {
      return reopen.latencyNanos().orElseThrow();
    }
  }

  /** One for each arm with reopens during the merge. Failed rounds are left out. */
  public static List<SlowestReopens> of(Run run, Timelines timelines) {
    List<SlowestReopens> all = new ArrayList<>();
    for (String name : run.names()) {
      List<Slow> during = new ArrayList<>();
      for (Part arm : run.parts()) {
        if (arm.name().equals(name) && arm.status() != Status.FAILED) {
          timelines.reopens(arm).stream()
              .filter(row -> row.phase().equals(Phase.DURING.label()))
              .filter(row -> row.latencyNanos().isPresent())
              .forEach(row -> during.add(new Slow(arm.round(), row)));
        }
      }
      during.sort(Comparator.comparingLong(Slow::latencyNanos).reversed());
      if (!during.isEmpty()) {
        all.add(
            new SlowestReopens(
                name,
                during.size(),
                List.copyOf(during.subList(0, Math.min(MOST, during.size())))));
      }
    }
    return all;
  }

  /** The time of all of them by part. */
  public Map<ReopenPart, Long> parts() {
    Map<ReopenPart, Long> parts = new EnumMap<>(ReopenPart.class);
    slowest.forEach(
        slow ->
            slow.reopen().parts().forEach((part, nanos) -> parts.merge(part, nanos, Long::sum)));
    return parts;
  }

  /** The sum of their latencies. */
  public long totalNanos() {
    return slowest.stream().mapToLong(Slow::latencyNanos).sum();
  }
}
