package io.weir.stress;

import io.weir.stress.result.ArmFailure;
import io.weir.stress.result.ArmNoise;
import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.CacheResult;
import io.weir.stress.result.DirtyResult;
import io.weir.stress.result.FailedArm;
import io.weir.stress.result.GcResult;
import io.weir.stress.result.IndexCheckResult;
import io.weir.stress.result.InstrumentResult;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.LoadResult;
import io.weir.stress.result.MeasuredArm;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.Phases;
import io.weir.stress.result.ResidentKeysResult;
import io.weir.stress.result.RunWarning;
import io.weir.stress.result.SearchHits;
import io.weir.stress.result.SlowReopenResult;
import io.weir.stress.result.WarmUpResult;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What an arm measured, as far as a test says; the rest was not measured. */
public final class QuickResult {

  public ArmStatus status = ArmStatus.DONE;
  public Map<String, String> settings = Map.of();
  public Phases<Optional<Double>> phaseSeconds = Phases.each(phase -> Optional.empty());
  public Optional<MergeResult> merge = Optional.empty();
  public Phases<LatencySummary> reopen = Phases.each(phase -> LatencySummary.EMPTY);
  public Phases<LatencySummary> service = Phases.each(phase -> LatencySummary.EMPTY);
  public Optional<Phases<LatencySummary>> visible = Optional.empty();
  public Optional<Phases<Optional<LoadResult>>> search = Optional.empty();
  public Optional<SearchHits> searchHits = Optional.empty();
  public Optional<Phases<Optional<LoadResult>>> update = Optional.empty();
  public Optional<Phases<Optional<LoadResult>>> commit = Optional.empty();
  public SlowReopenResult slowReopens =
      new SlowReopenResult(
          50, Phases.each(phase -> 0L), Phases.each(phase -> 0.0), Phases.each(phase -> List.of()));
  public Optional<DirtyResult> dirty = Optional.empty();
  public GcResult gc = new GcResult(0, 0, List.of(), Optional.empty());
  public Optional<ArmNoise> noise = Optional.empty();
  public Optional<WarmUpResult> warmUp = Optional.empty();
  public InstrumentResult instrument =
      new InstrumentResult(Optional.empty(), Optional.empty(), 0, 0, 0);
  public Optional<ResidentKeysResult> residentKeys = Optional.empty();
  public Optional<CacheResult> cache = Optional.empty();
  public Optional<IndexCheckResult> indexCheck = Optional.empty();
  public List<RunWarning> warnings = List.of();

  /** Reopens all took so long, in every phase. */
  public QuickResult reopens(double millis) {
    LatencySummary latency = new LatencySummary(10, millis, millis, millis, millis, millis);
    reopen = Phases.each(phase -> latency);
    return this;
  }

  /** As the status says; a failed arm has nothing of the rest. */
  public ArmResult result(String name, int round) {
    return status == ArmStatus.FAILED
        ? FailedArm.of(
            name, round, settings, new ArmFailure("it broke", Optional.empty(), List.of()))
        : measured(name, round);
  }

  public MeasuredArm measured(String name, int round) {
    return new MeasuredArm(
        name,
        round,
        status,
        settings,
        phaseSeconds,
        merge,
        reopen,
        service,
        visible,
        search,
        searchHits,
        update,
        commit,
        slowReopens,
        dirty,
        gc,
        noise,
        warmUp,
        instrument,
        residentKeys,
        cache,
        indexCheck,
        warnings);
  }
}
