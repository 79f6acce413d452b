package io.weir.stress;

import io.weir.stress.result.ArmResult;
import io.weir.stress.result.ArmStatus;
import io.weir.stress.result.CacheResult;
import io.weir.stress.result.DirtyResult;
import io.weir.stress.result.GcResult;
import io.weir.stress.result.LatencySummary;
import io.weir.stress.result.LoadResult;
import io.weir.stress.result.MergeResult;
import io.weir.stress.result.Phases;
import java.util.List;
import java.util.Map;

/** What an arm came to, as far as a test says; the rest was not measured. */
public final class QuickResult {

  public ArmStatus status = ArmStatus.DONE;
  public Map<String, String> settings = Map.of();
  public MergeResult merge;
  public Phases<LatencySummary> reopen;
  public Phases<LoadResult> search;
  public Phases<LoadResult> update;
  public DirtyResult dirty;
  public CacheResult cache;
  public GcResult gc;

  /** Reopens all took so long, in every phase. */
  public QuickResult reopens(double millis) {
    LatencySummary latency = new LatencySummary(10, millis, millis, millis, millis, millis);
    reopen = Phases.each(phase -> latency);
    return this;
  }

  public ArmResult result(String name, int round) {
    return new ArmResult(
        name, round, status, settings, null, merge, reopen, null, search, null, update, null, null,
        dirty, gc, null, null, null, null, cache, null, null, List.of());
  }
}
