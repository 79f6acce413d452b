package io.weir.load.experiment;

import io.weir.load.result.LoadArm;
import io.weir.load.result.LoadStep;
import io.weir.load.result.StepUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  static LoadArm add(LoadArm arm, Path gc) throws IOException {
    if (arm.gc().isEmpty() || arm.gc().get().pauses().isEmpty()) {
      return arm;
    }
    List<Pause> pauses = read(gc);
    return new LoadArm(
        arm.name(),
        arm.round(),
        arm.status(),
        arm.settings(),
        arm.floor(),
        arm.warmUpPerSecond(),
        arm.steps().stream().map(step -> add(step, pauses)).toList(),
        arm.saturation(),
        arm.gc(),
        arm.failure(),
        arm.warnings());
  }

  private static LoadStep add(LoadStep step, List<Pause> pauses) {
    double stopped =
        pauses.stream()
            .mapToLong(
                pause ->
                    Math.max(
                        0,
                        Math.min(step.endNanos(), pause.startNanos() + pause.nanos())
                            - Math.max(step.startNanos(), pause.startNanos())))
            .sum();
    double percent = 100 * stopped / Math.max(1, step.endNanos() - step.startNanos());
    StepUse use = step.use().withPaused(Optional.of(Math.round(100 * percent) / 100.0));
    return new LoadStep(
        step.number(),
        step.load(),
        step.outcome(),
        use.full(step.outcome()),
        step.client(),
        use,
        step.startNanos(),
        step.endNanos());
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
