package io.weir.stress.experiment;

import io.weir.host.HostProbe;
import io.weir.procfs.Procfs;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.KeyLayout;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.NoiseResult;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunJson;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.result.SloResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.lucene.util.Version;

/** What a run has come to so far; it begins when this is made. <b>Threads:</b> one. */
final class RunRecord {

  private final StressPlan plan;
  private final String version;
  private final List<String> command;
  private final Procfs procfs;
  private final Instant startedAt = Instant.now();
  private final List<ArmResult> results = new ArrayList<>();
  private final List<RunWarning> warnings = new ArrayList<>();
  private NoiseResult noise;

  RunRecord(StressPlan plan, String version, List<String> command, Procfs procfs) {
    this.plan = plan;
    this.version = version;
    this.command = command;
    this.procfs = procfs;
  }

  void add(ArmResult result) {
    results.add(result);
  }

  /** How quiet it was before. */
  void add(NoiseResult before) {
    noise = before;
  }

  void add(RunWarning warning) {
    warnings.add(warning);
  }

  /** Whether each arm so far is known to have had the state of the page cache it asked for. */
  boolean cacheAsAsked() {
    return results.stream().allMatch(ArmResult::cacheAsAsked);
  }

  /**
   * Writes all of it to {@code run.json}.
   *
   * @param documents how many the index holds; 0 when it was not built to its end
   */
  RunResult write(RunFiles files, SourceIndexes indexes, long documents, boolean interrupted)
      throws IOException {
    List<String> names = plan.arms().stream().map(Arm::name).toList();
    RunResult run =
        new RunResult(
            RunFiles.SCHEMA_VERSION,
            version,
            Version.LATEST.toString(),
            command,
            startedAt,
            Instant.now(),
            interrupted,
            RunJson.tree(HostProbe.read(indexes.first(), procfs)),
            workload(indexes, documents),
            results.stream()
                .sorted(
                    Comparator.comparingInt(ArmResult::round)
                        .thenComparingInt(arm -> names.indexOf(arm.name())))
                .toList(),
            warnings,
            noise,
            interrupted ? List.of() : slos(names));
    files.write(run);
    return run;
  }

  /** Empty before the last arm has ended: there is nothing to judge yet. */
  private List<SloResult> slos(List<String> names) {
    return results.size() < names.size() * plan.rounds()
        ? List.of()
        : plan.slos().stream().flatMap(slo -> slo.judge(names, results).stream()).toList();
  }

  private Map<String, String> workload(SourceIndexes indexes, long documents) throws IOException {
    Map<String, String> workload = new TreeMap<>();
    workload.put("docs", plan.documents().source());
    workload.put("seed", Long.toString(plan.documents().seed()));
    if (documents > 0) {
      workload.put("documents", Long.toString(documents));
    }
    workload.put("slow-reopen-over", plan.slowReopenOver().toMillis() + "ms");
    workload.put("rounds", Integer.toString(plan.rounds()));
    if (plan.rounds() > 1) {
      workload.put(
          "order",
          results.stream()
              .map(arm -> arm.round() + ": " + arm.name())
              .collect(Collectors.joining(", ")));
    }
    for (Map.Entry<KeyLayout, Path> index : indexes.needed().entrySet()) {
      if (Files.isDirectory(index.getValue())) {
        workload.put(
            index.getKey() == KeyLayout.SHARED ? "indexBytes" : "residentIndexBytes",
            Long.toString(Preflight.sizeOf(index.getValue())));
      }
    }
    return workload;
  }
}
