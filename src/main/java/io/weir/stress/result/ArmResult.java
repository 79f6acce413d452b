package io.weir.stress.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that one arm showed in one round. A figure that could not be measured is null, never zero.
 *
 * @param name as the user gave it
 * @param round from 1
 * @param settings what the arm ran with, each option by its name
 * @param phaseSeconds how long each phase was; null entries for phases that did not happen
 * @param reopen reopen latency from the intended start
 * @param service reopen latency from the real start
 * @param search null when none was asked for, as are {@code update} and {@code commit}
 * @param searchHits null without searches, and in runs of before it was there
 * @param slowReopens null in runs of before it was there
 * @param noise null in runs of before it was there
 * @param warmUp null when it was not ended, and in runs of before it was there
 * @param instrument null in runs of before it was there
 * @param residentKeys null unless the arm held any dictionaries of ids in memory itself
 * @param cache how much of the index was in the page cache; null in runs of before it was there
 * @param indexCheck null when none was asked for; an arm whose index is broken has failed instead
 * @param failure set when {@code status} is {@link ArmStatus#FAILED}
 */
public record ArmResult(
    String name,
    int round,
    ArmStatus status,
    Map<String, String> settings,
    Phases<Double> phaseSeconds,
    MergeResult merge,
    Phases<LatencySummary> reopen,
    Phases<LatencySummary> service,
    Phases<LoadResult> search,
    SearchHits searchHits,
    Phases<LoadResult> update,
    Phases<LoadResult> commit,
    SlowReopenResult slowReopens,
    DirtyResult dirty,
    GcResult gc,
    NoiseResult noise,
    WarmUpResult warmUp,
    InstrumentResult instrument,
    ResidentKeysResult residentKeys,
    CacheResult cache,
    IndexCheckResult indexCheck,
    ArmFailure failure,
    List<RunWarning> warnings) {

  /** This, with what a check of the arm's index found. */
  public ArmResult withIndexCheck(IndexCheckResult check) {
    return with(noise, cache, check, warnings);
  }

  /** This, with what was found of the page cache, and what is to be said of it. */
  public ArmResult withCache(CacheResult newCache, Optional<RunWarning> warning) {
    return with(noise, newCache, indexCheck, warnings).withWarnings(warning.stream().toList());
  }

  /** This, with more that must be said of it. */
  public ArmResult withWarnings(List<RunWarning> further) {
    List<RunWarning> all = new ArrayList<>(warnings);
    all.addAll(further);
    return with(noise, cache, indexCheck, List.copyOf(all));
  }

  /** This, with what was found of noise meanwhile. */
  public ArmResult withNoise(NoiseResult newNoise) {
    return with(newNoise, cache, indexCheck, warnings);
  }

  /** Whether the page cache is known to have been as it was asked for, if anything was. */
  public boolean cacheAsAsked() {
    return cache == null || !Boolean.FALSE.equals(cache.asAsked());
  }

  private ArmResult with(
      NoiseResult newNoise,
      CacheResult newCache,
      IndexCheckResult newCheck,
      List<RunWarning> newWarnings) {
    return new ArmResult(
        name,
        round,
        status,
        settings,
        phaseSeconds,
        merge,
        reopen,
        service,
        search,
        searchHits,
        update,
        commit,
        slowReopens,
        dirty,
        gc,
        newNoise,
        warmUp,
        instrument,
        residentKeys,
        newCache,
        newCheck,
        failure,
        newWarnings);
  }

  /** An arm that left no figures. */
  public static ArmResult failed(
      String name, int round, Map<String, String> settings, ArmFailure failure) {
    return new ArmResult(
        name,
        round,
        ArmStatus.FAILED,
        settings,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        failure,
        List.of());
  }
}
