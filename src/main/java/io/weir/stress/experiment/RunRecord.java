package io.weir.stress.experiment;

import io.weir.host.HostProbe;
import io.weir.procfs.Procfs;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.StressPlan;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.QueriesResult;
import io.weir.stress.result.ResidentShares;
import io.weir.stress.result.RunFiles;
import io.weir.stress.result.RunJson;
import io.weir.stress.result.RunNoise;
import io.weir.stress.result.RunResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.setting.SettingsOfTheRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.util.Version;

/** The results of a run so far; the run begins when this is made. <b>Threads:</b> one. */
final class RunRecord {

  private final StressPlan plan;
  private final ArmQueue arms;
  private final Experiment.Origin origin;
  private final Procfs procfs;
  private final Instant startedAt = Instant.now();
  private final List<ArmResult> results = new ArrayList<>();
  private final List<RunWarning> warnings = new ArrayList<>();
  private Optional<RunNoise> noise = Optional.empty();
  private Optional<QueriesResult> queries = Optional.empty();

  RunRecord(StressPlan plan, ArmQueue arms, Experiment.Origin origin, Procfs procfs) {
    this.plan = plan;
    this.arms = arms;
    this.origin = origin;
    this.procfs = procfs;
  }

  /** The results of the arms that ran, in that order. */
  List<ArmResult> results() {
    return Collections.unmodifiableList(results);
  }

  void add(ArmResult result) {
    results.add(result);
  }

  /** How quiet the host was before the run; to be set before {@link #write}. */
  void add(RunNoise before) {
    noise = Optional.of(before);
  }

  /** What all arms search for. */
  void add(QueriesResult settled) {
    queries = Optional.of(settled);
  }

  void add(RunWarning warning) {
    warnings.add(warning);
  }

  /** Whether no arm so far is known to have lacked the requested state of the page cache. */
  boolean cacheAsAsked() {
    return results.stream().allMatch(ArmResult::cacheAsAsked);
  }

  /**
   * Writes all of it to {@code run.json}.
   *
   * @param place where the index is kept; its disk is part of the environment
   * @param documents how many the index holds; 0 when it was not built to its end
   * @param more of the workload than the plan says
   * @param interrupted whether the run was stopped or has not ended
   */
  RunResult write(
      RunFiles files, Path place, long documents, Map<String, String> more, boolean interrupted)
      throws IOException {
    Set<String> known = new LinkedHashSet<>(plan.arms().stream().map(Arm::name).toList());
    results.forEach(arm -> known.add(arm.name())); // those that the run only decided on later
    List<String> names = List.copyOf(known);
    RunResult run =
        new RunResult(
            RunFiles.SCHEMA_VERSION,
            origin.version(),
            Version.LATEST.toString(),
            origin.command(),
            startedAt,
            Instant.now(),
            interrupted,
            RunJson.tree(HostProbe.read(place, procfs)),
            workload(documents, more),
            queries,
            results.stream()
                .sorted(
                    Comparator.comparingInt(ArmResult::round)
                        .thenComparingInt(arm -> names.indexOf(arm.name())))
                .toList(),
            warnings(),
            noise.orElseThrow(),
            interrupted ? List.of() : arms.judge(results()),
            arms.sweep(results(), interrupted));
    files.write(run);
    return run;
  }

  private List<RunWarning> warnings() {
    return Stream.concat(warnings.stream(), ResidentShares.asFound(results).warning().stream())
        .toList();
  }

  private Map<String, String> workload(long documents, Map<String, String> more) {
    Map<String, String> workload = new TreeMap<>(more);
    workload.putAll(SettingsOfTheRun.of(results.stream().map(ArmResult::settings).toList()));
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
    return workload;
  }
}
