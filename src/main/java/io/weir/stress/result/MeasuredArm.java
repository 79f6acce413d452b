package io.weir.stress.result;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An arm that ran: its figures. What could not be measured is empty, never zero.
 *
 * @param status {@link ArmStatus#DONE} or {@link ArmStatus#INTERRUPTED}
 * @param phaseSeconds how long each phase was; empty for a phase that did not happen
 * @param merge the large merge; empty when the arm ended before it
 * @param reopen reopen latency from the intended start
 * @param service reopen latency from the real start
 * @param visible how long updates took to become visible, from the time they were due; only for an
 *     engine
 * @param search empty when the arm ran no searches; likewise {@code update} and {@code commit}
 * @param searchHits empty when the arm ran no searches
 * @param dirty empty where the kernel does not report dirty pages
 * @param warmUp empty when the arm ended before the warm-up did
 * @param residentKeys empty unless the arm held dictionaries of ids in memory
 * @param indexCheck empty unless the arm checked its index; an arm with a broken index has failed
 */
public record MeasuredArm(
    String name,
    int round,
    ArmStatus status,
    Map<String, String> settings,
    Phases<Optional<Double>> phaseSeconds,
    Optional<MergeResult> merge,
    Phases<LatencySummary> reopen,
    Phases<LatencySummary> service,
    Optional<Phases<LatencySummary>> visible,
    Optional<Phases<Optional<LoadResult>>> search,
    Optional<SearchHits> searchHits,
    Optional<Phases<Optional<LoadResult>>> update,
    Optional<Phases<Optional<LoadResult>>> commit,
    SlowReopenResult slowReopens,
    Optional<DirtyResult> dirty,
    GcResult gc,
    Optional<ArmNoise> noise,
    Optional<WarmUpResult> warmUp,
    InstrumentResult instrument,
    Optional<ResidentKeysResult> residentKeys,
    Optional<CacheResult> cache,
    Optional<IndexCheckResult> indexCheck,
    List<RunWarning> warnings)
    implements ArmResult {

  /** Refuses the status of an arm without figures. */
  public MeasuredArm {
    if (status == ArmStatus.FAILED) {
      throw new IllegalArgumentException("status must be done or interrupted: failed");
    }
  }

  /** Whether a large merge ran; with {@code merge=none} time passed without one. */
  public boolean merged() {
    return merge.isPresent() && !merge.get().kind().equals("none");
  }

  @Override
  public MeasuredArm withNoise(ArmNoise newNoise) {
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
        Optional.of(newNoise),
        warmUp,
        instrument,
        residentKeys,
        cache,
        indexCheck,
        warnings);
  }
}
