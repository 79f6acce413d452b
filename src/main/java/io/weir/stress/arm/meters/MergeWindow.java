package io.weir.stress.arm.meters;

import io.weir.merge.MergeKind;
import io.weir.merge.MergeKindTotals;
import io.weir.run.MergeFigures;
import io.weir.run.Phase;
import io.weir.run.Values;
import io.weir.store.ForecastSnapshot;
import io.weir.store.WritebackDirectory;
import io.weir.store.WritebackSnapshot;
import io.weir.time.NanoClock;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The time of the large merge: what every counter of merges grew by in the middle phase, or until
 * the load ended in it.
 *
 * <p>Bytes are read when none is between its grant and the disk, if there is such a moment soon.
 * The scheduler's counters are read right after that, so they may be ahead by what small merges
 * wrote in between.
 *
 * <p>Whether its forecast of what searches use was good is known a while later, so that is of the
 * time until the load has ended.
 *
 * <p><b>Threads:</b> one.
 */
public final class MergeWindow implements Meter {

  /** What Weir's scheduler had counted at one moment. */
  private record Paced(Map<MergeKind, MergeKindTotals> totals, long lifts) {

    static Paced now(MergeCounters.Throttle weir) {
      Map<MergeKind, MergeKindTotals> totals = new EnumMap<>(MergeKind.class);
      for (MergeKind kind : MergeKind.values()) {
        totals.put(kind, weir.scheduler().totals(kind));
      }
      return new Paced(totals, weir.trouble().trouble().lifts());
    }

    Values since(Paced start) {
      Values.Builder values = Values.builder().put(MergeFigures.CAP_LIFTS, lifts - start.lifts);
      for (MergeKind kind : MergeKind.values()) {
        MergeKindTotals to = totals.get(kind);
        MergeKindTotals from = start.totals.get(kind);
        values
            .put(MergeFigures.counted(kind).between(from, to))
            .put(MergeFigures.MERGES, kind, to.ended() - from.ended() + to.running());
      }
      return values.build();
    }
  }

  /** All counters at the beginning, and later what they grew by. */
  private final class Open {

    private final MergeCounters.Bytes startBytes = counters.settledBytes(clock);
    private final Optional<MergeReads.Totals> startReads = reads();
    private final Optional<Paced> startPaced = counters.throttle().map(Paced::now);
    private final Optional<WritebackSnapshot> startWriteback =
        writeback.map(WritebackDirectory::snapshot);

    Values untilNow() {
      MergeCounters.Bytes endBytes = counters.settledBytes(clock);
      Values.Builder values =
          Values.builder()
              .put(MergeFigures.BYTES_WRITTEN, endBytes.writtenBytes() - startBytes.writtenBytes());
      endBytes
          .granted()
          .flatMap(
              end -> startBytes.granted().map(start -> MergeFigures.BUDGET.between(start, end)))
          .ifPresent(values::put);
      startReads.flatMap(start -> reads().map(end -> end.since(start))).ifPresent(values::put);
      counters
          .throttle()
          .map(Paced::now)
          .flatMap(end -> startPaced.map(end::since))
          .ifPresent(values::put);
      writeback
          .flatMap(directory -> startWriteback.map(start -> written(directory, start)))
          .ifPresent(values::put);
      return values.build();
    }
  }

  private final MergeCounters counters;
  private final Optional<WritebackDirectory> writeback;
  private final NanoClock clock;
  private Optional<Open> open = Optional.empty();
  private Optional<ForecastSnapshot> startForecast = Optional.empty();
  private Values values = Values.NONE;

  /**
   * A window that is not open.
   *
   * @param writeback what smooths the writes of merges, if anything does
   */
  public MergeWindow(
      MergeCounters counters, Optional<WritebackDirectory> writeback, NanoClock clock) {
    this.counters = counters;
    this.writeback = writeback;
    this.clock = clock;
  }

  @Override
  public void begin(Phase phase) {
    end();
    if (phase == Phase.DURING) {
      open = Optional.of(new Open());
      startForecast = writeback.flatMap(WritebackDirectory::forecastSnapshot);
    }
  }

  @Override
  public void end() {
    open.ifPresent(window -> values = window.untilNow());
    open = Optional.empty();
  }

  @Override
  public Values values() {
    return Values.builder()
        .put(values)
        .put(startForecast.map(this::measuredSince).orElse(Values.NONE))
        .build();
  }

  private Values measuredSince(ForecastSnapshot start) {
    return writeback
        .flatMap(WritebackDirectory::forecastSnapshot)
        .map(end -> MergeFigures.FORECAST.between(start, end))
        .orElse(Values.NONE);
  }

  private static Values written(WritebackDirectory directory, WritebackSnapshot start) {
    WritebackSnapshot end = directory.snapshot();
    return Values.builder()
        .put(MergeFigures.WRITEBACK_METHOD, directory.method().name().toLowerCase(Locale.ROOT))
        .put(MergeFigures.WRITEBACK_REASON, directory.methodReason())
        .put(MergeFigures.WRITEBACK.between(start, end))
        .build();
  }

  private Optional<MergeReads.Totals> reads() {
    counters.meter().reads().sample();
    return counters.meter().reads().totals();
  }
}
