package io.weir.stress;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.HostNoise;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.QueriesResult;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunJson;
import io.weir.stress.result.RunNoise;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.result.SloResult;
import io.weir.stress.result.SweepResult;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run on a quiet machine, as far as a test says. */
public final class QuickRun {

  public String weir = "0.1.0";
  public List<String> command = List.of();
  public Instant startedAt = Instant.EPOCH;
  public Instant finishedAt = Instant.EPOCH;
  public JsonNode environment = RunJson.tree(Map.of());
  public Map<String, String> workload = Map.of();
  public Optional<QueriesResult> queries = Optional.empty();
  public List<RunWarning> warnings = List.of();
  public RunNoise noise =
      new RunNoise(
          LatencySummary.EMPTY,
          new HostNoise(1, Optional.empty(), Optional.empty(), Optional.empty()),
          List.of());
  public List<SloResult> slos = List.of();
  public Optional<SweepResult> sweep = Optional.empty();

  public RunResult result(List<ArmResult> arms) {
    return new RunResult(
        RunFiles.SCHEMA_VERSION,
        weir,
        "10.5.1",
        command,
        startedAt,
        finishedAt,
        false,
        environment,
        workload,
        queries,
        arms,
        warnings,
        noise,
        slos,
        sweep);
  }
}
