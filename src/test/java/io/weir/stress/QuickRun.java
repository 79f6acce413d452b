package io.weir.stress;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.run.HeaderFigures;
import io.weir.run.HostNoise;
import io.weir.run.LatencySummary;
import io.weir.run.Part;
import io.weir.run.Run;
import io.weir.run.RunJson;
import io.weir.run.RunWarning;
import io.weir.run.SloResult;
import io.weir.run.SweepResult;
import io.weir.run.Values;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A run on a quiet machine, as far as a test says. */
public final class QuickRun {

  public Run.Kind kind = Run.Kind.STRESS;
  public String weir = "0.1.0";
  public String lucene = "10.5.1";
  public List<String> command = List.of();
  public Instant startedAt = Instant.EPOCH;
  public Instant finishedAt = Instant.EPOCH;
  public boolean interrupted;
  public JsonNode environment = RunJson.tree(Map.of());
  public Map<String, String> workload = Map.of();
  public final Values.Builder values =
      Values.builder()
          .put(HeaderFigures.NOISE_CONTROL, LatencySummary.EMPTY)
          .put(
              HeaderFigures.NOISE_BEFORE,
              new HostNoise(1, Optional.empty(), Optional.empty(), Optional.empty()));
  public List<RunWarning> warnings = List.of();
  public List<RunWarning> findings = List.of();
  public List<SloResult> slos = List.of();
  public Optional<SweepResult> sweep = Optional.empty();

  /** What all arms searched for. */
  public QuickRun queries(String kind, long count, String sha256) {
    values
        .put(HeaderFigures.QUERIES_KIND, kind)
        .put(HeaderFigures.QUERIES_COUNT, count)
        .put(HeaderFigures.QUERIES_SHA256, sha256);
    return this;
  }

  public Run result(List<Part> parts) {
    return new Run(
        Run.SCHEMA_VERSION,
        kind,
        weir,
        lucene,
        command,
        startedAt,
        finishedAt,
        interrupted,
        environment,
        workload,
        values.build(),
        parts,
        warnings,
        findings,
        slos,
        sweep);
  }
}
