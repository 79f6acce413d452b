package io.weir.stress.arm.meters;

import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.rate.BudgetSnapshot;
import io.weir.run.MergeFigures;
import io.weir.run.Values;
import io.weir.store.WritebackDirectory;
import io.weir.time.NanoClock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The time of the large merge: what every counter of merges grew by between two moments.
 *
 * <p>Bytes are read when none is between its grant and the disk, if there is such a moment soon.
 * The scheduler's counters are read right after that, so they may be ahead by what small merges
 * wrote in between.
 *
 * <p><b>Threads:</b> one.
 */
public final class MergeWindow {

  /** What Weir's scheduler and budget had counted at one moment. */
  private record Paced(Map<MergeKind, MergeKindTotals> totals, long lifts, long forgivenBytes) {

    static Paced now(MergeThrottle weir) {
      Map<MergeKind, MergeKindTotals> totals = new EnumMap<>(MergeKind.class);
      for (MergeKind kind : MergeKind.values()) {
        totals.put(kind, weir.scheduler().totals(kind));
      }
      return new Paced(
          totals, weir.trouble().trouble().lifts(), weir.budget().snapshot().forgivenBytes());
    }

    Values since(Paced start) {
      Values.Builder values =
          Values.builder()
              .put(MergeFigures.CAP_LIFTS, lifts - start.lifts)
              .put(MergeFigures.BYTES_FORGIVEN, forgivenBytes - start.forgivenBytes);
      for (MergeKind kind : MergeKind.values()) {
        MergeKindTotals to = totals.get(kind);
        MergeKindTotals from = start.totals.get(kind);
        values
            .put(MergeFigures.MERGES, kind, ended(to) - ended(from) + to.running())
            .put(MergeFigures.PAUSES, kind, to.pauses() - from.pauses())
            .put(
                MergeFigures.PAUSED_SECONDS_OF, kind, (to.pausedNanos() - from.pausedNanos()) / 1e9)
            .put(MergeFigures.BYTES_OF, kind, to.writtenBytes() - from.writtenBytes());
      }
      return values.build();
    }

    private static long ended(MergeKindTotals totals) {
      return totals.done() + totals.aborted() + totals.failed();
    }
  }

  private final MergeCounters counters;
  private final NanoClock clock;
  private final MergeBytes startBytes;
  private final Optional<MergeReads.Totals> startReads;
  private final Optional<Paced> startPaced;
  private final Optional<WritebackWindow> writeback;

  /**
   * The window begins now.
   *
   * @param writeback what smooths the writes of merges, if anything does
   */
  public MergeWindow(
      MergeCounters counters, Optional<WritebackDirectory> writeback, NanoClock clock) {
    this.counters = counters;
    this.clock = clock;
    this.startBytes = MergeBytes.settled(counters, clock);
    this.startReads = reads();
    this.startPaced = counters.throttle().map(Paced::now);
    this.writeback = writeback.map(WritebackWindow::on);
  }

  /**
   * What was counted from the beginning until now.
   *
   * @param kind as the result names it
   * @param seconds how long the large merge took, or until the arm ended
   * @param ended whether the merge ended first
   */
  public Values until(String kind, double seconds, boolean ended) {
    MergeBytes endBytes = MergeBytes.settled(counters, clock);
    Values.Builder values =
        Values.builder()
            .put(MergeFigures.KIND, kind)
            .put(MergeFigures.SECONDS, seconds)
            .put(MergeFigures.ENDED, ended)
            .put(MergeFigures.BYTES_WRITTEN, endBytes.writtenBytes() - startBytes.writtenBytes())
            .put(MergeFigures.BYTES_CHARGED, growth(endBytes, BudgetSnapshot::grantedBytes))
            .put(
                MergeFigures.PAUSED_SECONDS,
                growth(endBytes, BudgetSnapshot::waitNanos).map(nanos -> nanos / 1e9));
    startReads.flatMap(start -> reads().map(end -> end.since(start))).ifPresent(values::put);
    counters
        .throttle()
        .map(Paced::now)
        .flatMap(end -> startPaced.map(end::since))
        .ifPresent(values::put);
    writeback.map(WritebackWindow::untilNow).ifPresent(values::put);
    return values.build();
  }

  private Optional<Long> growth(MergeBytes endBytes, ToLongFunction<BudgetSnapshot> counter) {
    return endBytes
        .granted()
        .flatMap(
            end ->
                startBytes
                    .granted()
                    .map(start -> counter.applyAsLong(end) - counter.applyAsLong(start)));
  }

  private Optional<MergeReads.Totals> reads() {
    counters.meter().reads().sample();
    return counters.meter().reads().totals();
  }
}
