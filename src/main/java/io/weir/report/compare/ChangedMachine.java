package io.weir.report.compare;

import io.weir.run.CanaryFigures;
import io.weir.run.CanaryFigures.Probe;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.RunFigure;
import io.weir.run.RunWarning;
import io.weir.run.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Arms or cells before which the machine was not what it was before the others, by the canary of
 * each: their figures differ from the others' for a reason that is none of their settings.
 *
 * @param part the arm or cell in its round
 * @param why a sentence for each of the resources that had changed, without a full stop
 */
public record ChangedMachine(Part part, List<String> why) {

  /** So many times the median of the arms compared, or less than one such part of it. */
  public static final double MOST_OFF = 1.5;

  /** A shorter difference is one of the instrument, or of no weight. */
  private static final double LEAST_MILLIS = 0.1;

  private static final String CAUSE =
      "another program, another guest of the host, or a disk that has spent its credits";
  private static final String REMEDY = "run it again when the machine stays as it is";

  /** Those of some arms or cells that are compared with each other. */
  public static List<ChangedMachine> of(Collection<Part> compared) {
    List<Part> done = compared.stream().filter(part -> part.status() == Status.DONE).toList();
    boolean rounds = done.stream().anyMatch(part -> part.round() > 1);
    List<ChangedMachine> changed = new ArrayList<>();
    for (Part part : done) {
      List<String> why = new ArrayList<>();
      for (Probe probe : Probe.values()) {
        part.get(CanaryFigures.TOOK, probe)
            .map(LatencySummary::p50Millis)
            .filter(millis -> isOff(millis, median(done, probe)))
            .ifPresent(millis -> why.add(sentence(part, rounds, probe, millis, done)));
      }
      if (!why.isEmpty()) {
        changed.add(new ChangedMachine(part, why));
      }
    }
    return changed;
  }

  private static boolean isOff(double millis, double median) {
    return Math.abs(millis - median) > LEAST_MILLIS
        && (millis > MOST_OFF * median || millis < median / MOST_OFF);
  }

  private static double median(List<Part> parts, Probe probe) {
    return RunFigure.median(
        parts.stream()
            .flatMap(part -> part.get(CanaryFigures.TOOK, probe).stream())
            .mapToDouble(LatencySummary::p50Millis)
            .toArray());
  }

  private static String sentence(
      Part part, boolean rounds, Probe probe, double millis, List<Part> done) {
    return String.format(
        Locale.ROOT,
        "before %s%s %s took %.2f ms, and %.2f ms by the median of all",
        part.name(),
        rounds ? " in round " + part.round() : "",
        probe.label(),
        millis,
        median(done, probe));
  }

  /** Those of {@code parts} that may be compared with each other. */
  public static List<Part> without(List<ChangedMachine> changed, List<Part> parts) {
    return parts.stream()
        .filter(part -> changed.stream().noneMatch(other -> other.part().equals(part)))
        .toList();
  }

  /** What a reader of the run must know, whatever its kind. */
  public List<RunWarning> warnings() {
    return why.stream()
        .map(sentence -> new RunWarning("not comparable: " + sentence, CAUSE, REMEDY))
        .toList();
  }
}
