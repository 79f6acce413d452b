package io.weir.stress.experiment;

import io.weir.host.HostProbe;
import io.weir.procfs.Procfs;
import io.weir.run.Noise;
import io.weir.run.Part;
import io.weir.run.ResidentShares;
import io.weir.run.Run;
import io.weir.run.RunFiles;
import io.weir.run.RunJson;
import io.weir.run.RunWarning;
import io.weir.run.SweepResult;
import io.weir.run.Values;
import io.weir.stress.plan.Arm;
import io.weir.stress.plan.ArmQueue;
import io.weir.stress.plan.StressPlan;
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
  private final List<Part> results = new ArrayList<>();
  private final List<RunWarning> warnings = new ArrayList<>();
  private Optional<Noise> noise = Optional.empty();
  private Values queries = Values.NONE;

  RunRecord(StressPlan plan, ArmQueue arms, Experiment.Origin origin, Procfs procfs) {
    this.plan = plan;
    this.arms = arms;
    this.origin = origin;
    this.procfs = procfs;
  }

  /** The results of the arms that ran, in that order. */
  List<Part> results() {
    return Collections.unmodifiableList(results);
  }

  void add(Part result) {
    results.add(result);
  }

  /** How quiet the host was before the run; to be set before {@link #write}. */
  void add(Noise before) {
    noise = Optional.of(before);
  }

  /** What all arms search for. */
  void add(Values settled) {
    queries = settled;
  }

  void add(RunWarning warning) {
    warnings.add(warning);
  }

  /** Whether no arm so far is known to have lacked the requested state of the page cache. */
  boolean cacheAsAsked() {
    return results.stream().allMatch(Part::cacheAsAsked);
  }

  /**
   * Writes all of it to {@code run.json}.
   *
   * @param place where the index is kept; its disk is part of the environment
   * @param documents how many the index holds; 0 when it was not built to its end
   * @param more of the workload than the plan says
   * @param interrupted whether the run was stopped or has not ended
   */
  Run write(
      RunFiles files, Path place, long documents, Map<String, String> more, boolean interrupted)
      throws IOException {
    Set<String> known = new LinkedHashSet<>(plan.arms().stream().map(Arm::name).toList());
    results.forEach(arm -> known.add(arm.name())); // those that the run only decided on later
    List<String> names = List.copyOf(known);
    Noise before = noise.orElseThrow();
    Optional<SweepResult> sweep = arms.sweep(results(), interrupted);
    Run run =
        new Run(
            Run.SCHEMA_VERSION,
            sweep.isPresent() ? Run.Kind.SWEEP : Run.Kind.STRESS,
            origin.version(),
            Version.LATEST.toString(),
            origin.command(),
            startedAt,
            Instant.now(),
            interrupted,
            RunJson.tree(HostProbe.read(place, procfs)),
            workload(documents, more),
            Values.builder().put(before.values()).put(queries).build(),
            results.stream()
                .sorted(
                    Comparator.comparingInt(Part::round)
                        .thenComparingInt(arm -> names.indexOf(arm.name())))
                .toList(),
            warnings(),
            before.findings(),
            interrupted ? List.of() : arms.judge(results()),
            sweep);
    files.write(run);
    return run;
  }

  private List<RunWarning> warnings() {
    return Stream.concat(warnings.stream(), ResidentShares.asFound(results).warning().stream())
        .toList();
  }

  private Map<String, String> workload(long documents, Map<String, String> more) {
    Map<String, String> workload = new TreeMap<>(more);
    workload.putAll(SettingsOfTheRun.of(results.stream().map(Part::settings).toList()));
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
