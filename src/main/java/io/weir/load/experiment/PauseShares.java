package io.weir.load.experiment;

import io.weir.run.ArmFigures;
import io.weir.run.Part;
import io.weir.run.Phase;
import io.weir.run.Resource;
import io.weir.run.StepFigures;
import io.weir.run.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * The share of each step in which the collector stopped the server. The JVM reports a pause some
 * seconds late, so this is known only when the arm has ended.
 */
final class PauseShares {

  private record Pause(long startNanos, long nanos) {}

  private PauseShares() {}

  /**
   * {@code arm} with the shares, and the resources that follow from them.
   *
   * @param gc the pauses of this arm and round
   */
  static Part add(Part arm, Path gc) throws IOException {
    if (Phase.MEASURED.stream()
        .noneMatch(phase -> arm.get(ArmFigures.GC_PAUSES, phase).isPresent())) {
      return arm;
    }
    List<Pause> pauses = read(gc);
    return arm.withParts(arm.parts().stream().map(step -> add(step, pauses)).toList());
  }

  private static Part add(Part step, List<Pause> pauses) {
    long startNanos = step.require(StepFigures.START);
    long endNanos = step.require(StepFigures.END);
    double stopped =
        pauses.stream()
            .mapToLong(
                pause ->
                    Math.max(
                        0,
                        Math.min(endNanos, pause.startNanos() + pause.nanos())
                            - Math.max(startNanos, pause.startNanos())))
            .sum();
    double percent = 100 * stopped / Math.max(1, endNanos - startNanos);
    Part paused =
        step.with(
            Values.builder().put(StepFigures.PAUSED, Math.round(100 * percent) / 100.0).build());
    return paused.with(
        Values.builder().put(StepFigures.FULL, Resource.of(paused.values())).build());
  }

  private static List<Pause> read(Path gc) throws IOException {
    List<Pause> pauses = new ArrayList<>();
    try (CSVParser lines =
        CSVParser.parse(
            Files.newBufferedReader(gc),
            CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get())) {
      for (CSVRecord line : lines) {
        pauses.add(
            new Pause(
                Long.parseLong(line.get("start_nanos")),
                Long.parseLong(line.get("duration_nanos"))));
      }
    }
    return pauses;
  }
}
