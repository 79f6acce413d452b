package io.weir.stress.arm.meters;

import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.merge.RateLimitedMergeScheduler;
import io.weir.stress.arm.storage.WritePath;
import io.weir.stress.result.MergePauses;
import io.weir.stress.result.MergePauses.PausedMerges;
import io.weir.stress.result.MergeReadResult;
import io.weir.stress.result.MergeResult;
import io.weir.time.NanoClock;
import java.util.EnumMap;
import java.util.Map;

/**
 * The time of the large merge: what every counter of merges grew by between two moments.
 *
 * <p>The bytes are looked at when none is on its way, if there is such a moment soon. The
 * scheduler's counters are read right after that, so where small merges go on they may be ahead by
 * what those wrote in between.
 *
 * <p><b>Threads:</b> one.
 */
public final class MergeWindow {

  private final WritePath path;
  private final NanoClock clock;
  private final MergeAccount start;
  private final MergeReads.Totals startReads;
  private final Map<MergeKind, MergeKindTotals> startTotals;
  private final long startLifts;
  private final long startForgiven;
  private final WritebackWindow writeback;

  /** The window begins now. */
  public MergeWindow(WritePath path, NanoClock clock) {
    this.path = path;
    this.clock = clock;
    this.start = MergeAccount.settled(path.meter(), path.budget(), clock);
    this.startReads = reads();
    this.startTotals = totals(path.cappedScheduler());
    this.startLifts = path.capTrouble().lifts();
    this.startForgiven = forgiven(path);
    this.writeback = WritebackWindow.on(path.writeback());
  }

  /**
   * What was counted from the beginning until now.
   *
   * @param kind as the result names it
   * @param seconds how long the large merge took
   */
  public MergeResult until(String kind, double seconds) {
    MergeAccount end = MergeAccount.settled(path.meter(), path.budget(), clock);
    long written = end.writtenBytes() - start.writtenBytes();
    MergeReadResult reads = readsSinceStart();
    if (path.budget() == null) {
      return new MergeResult(
          kind, seconds, reads, written, null, null, null, null, null, writeback.untilNow());
    }
    Map<MergeKind, MergeKindTotals> totals = totals(path.cappedScheduler());
    return new MergeResult(
        kind,
        seconds,
        reads,
        written,
        end.chargedBytes() - start.chargedBytes(),
        (end.pausedNanos() - start.pausedNanos()) / 1e9,
        new MergePauses(
            growth(totals, MergeKind.NATURAL),
            growth(totals, MergeKind.FORCED),
            growth(totals, MergeKind.CRITICAL),
            growth(totals, MergeKind.OTHER)),
        path.capTrouble().lifts() - startLifts,
        forgiven(path) - startForgiven,
        writeback.untilNow());
  }

  private PausedMerges growth(Map<MergeKind, MergeKindTotals> totals, MergeKind kind) {
    MergeKindTotals to = totals.get(kind);
    MergeKindTotals from = startTotals.get(kind);
    return new PausedMerges(
        ended(to) - ended(from) + to.running(),
        to.pauses() - from.pauses(),
        (to.pausedNanos() - from.pausedNanos()) / 1e9,
        to.writtenBytes() - from.writtenBytes());
  }

  /** Null where the kernel does not tell. */
  private MergeReadResult readsSinceStart() {
    MergeReads.Totals end = reads();
    return startReads == null || end == null
        ? null
        : new MergeReadResult(
            end.bytes() - startReads.bytes(),
            end.verifyBytes() - startReads.verifyBytes(),
            (end.verifyNanos() - startReads.verifyNanos()) / 1e9);
  }

  private MergeReads.Totals reads() {
    path.meter().reads().sample();
    return path.meter().reads().totals();
  }

  private static long forgiven(WritePath path) {
    return path.budget() == null ? 0 : path.budget().snapshot().forgivenBytes();
  }

  private static long ended(MergeKindTotals totals) {
    return totals.done() + totals.aborted() + totals.failed();
  }

  /** All that were counted until now; none of a scheduler that is not ours. */
  private static Map<MergeKind, MergeKindTotals> totals(RateLimitedMergeScheduler scheduler) {
    Map<MergeKind, MergeKindTotals> totals = new EnumMap<>(MergeKind.class);
    if (scheduler != null) {
      for (MergeKind kind : MergeKind.values()) {
        totals.put(kind, scheduler.totals(kind));
      }
    }
    return totals;
  }
}
