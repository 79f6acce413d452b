package io.weir.cli;

import io.weir.option.HumanDuration;
import io.weir.stress.experiment.RunKind;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.Slo;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.plan.Telemetry;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a run is made and told, whatever its arms are. */
final class RunOptions {

  @Mixin private DocumentOptions.Queries queries;

  @Option(
      names = "--slow-reopen-over",
      paramLabel = "TIME",
      defaultValue = "50ms",
      description = "Explain each reopen that takes longer than this. Default: ${DEFAULT-VALUE}.")
  private String slowReopenOver;

  @Option(
      names = "--check-index",
      description = "End each arm with a commit, and let Lucene check its whole index.")
  private boolean checkIndex;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "The run directory, empty or new. Default: weir-runs/<time>.")
  private Path out;

  @Option(
      names = "--strict",
      description =
          "Refuse a noisy machine: exit with 4 before anything runs, or after the run if noise came"
              + " later. Refuse a page cache that is not as --cache asks, or in an unknown state:"
              + " exit with 4 before that arm's load begins. The report keeps the arms that have"
              + " run.")
  private boolean strict;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      description =
          "Serve the meters of the running arm at http://localhost:PORT/metrics, for Prometheus.")
  private Integer metricsPort;

  @Option(
      names = "--otlp-url",
      paramLabel = "URL",
      description =
          "Send the meters of the running arm to this OpenTelemetry collector every 5 s, such as"
              + " http://localhost:4318/v1/metrics.")
  private URI otlpUrl;

  @Option(
      names = "--flight-recording",
      description =
          "Record each arm with its JVM's flight recorder, including Weir's events, to"
              + " ARM-ROUND.jfr in the run directory.")
  private boolean flightRecording;

  @Option(
      names = "--dry-run",
      description = "Check everything, print what the run would do, and exit.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print run.json instead of the table.")
  private boolean json;

  /** The run of these arms. */
  StressPlan plan(DocumentOptions documents, List<Arm> arms, int rounds, List<Slo> slos) {
    return new StressPlan(
        documents.documents(),
        queries.source(),
        documents.index(),
        RunCommand.outOrDefault(out),
        arms,
        rounds,
        HumanDuration.parse("slow-reopen-over", slowReopenOver),
        checkIndex,
        strict,
        new Telemetry(
            Optional.ofNullable(metricsPort), Optional.ofNullable(otlpUrl), flightRecording),
        slos);
  }

  /** A run of these options. */
  <F> RunCommand.Asked<F> asked(RunKind.Planned<F> run, Function<F, Forecast> forecast) {
    return new RunCommand.Asked<>(run, forecast, dryRun, json);
  }
}
