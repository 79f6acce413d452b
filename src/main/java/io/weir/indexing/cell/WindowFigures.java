package io.weir.indexing.cell;

import io.weir.indexing.cell.CellMeters.Counter;
import io.weir.indexing.cell.CellMeters.Sample;
import io.weir.indexing.steady.EvenRates;
import io.weir.indexing.steady.SteadyState;
import io.weir.run.CellFigures;
import io.weir.run.CellFigures.Verdict;
import io.weir.run.CellFigures.Window;
import io.weir.run.Values;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Figures of parts of a cell, from its samples alone.
 *
 * @param samples all of them, in order; the first is the start of the cell
 * @param processors of the machine
 */
record WindowFigures(List<Sample> samples, int processors) {

  /** A window without them lacks a part of the work that each document costs. */
  private static final int LEAST_FLUSHES = 2;

  /**
   * The figures from one sample to another.
   *
   * @param window as which they are to be known
   */
  Values between(Window window, int from, int to) {
    Sample start = samples.get(from);
    Sample end = samples.get(to);
    double seconds = (end.nanos() - start.nanos()) / 1e9;
    long documents = end.since(start, Counter.DOCUMENTS);
    long text = end.since(start, Counter.TEXT_BYTES);
    long flushed = end.since(start, Counter.FLUSHED_BYTES);
    long packed = end.since(start, Counter.PACKED_BYTES);
    long merged = end.since(start, Counter.MERGED_BYTES);
    long other = end.since(start, Counter.OTHER_BYTES);
    double written = (double) flushed + merged + other;
    double machineNanos = seconds * 1e9 * processors;
    return Values.builder()
        .put(CellFigures.FROM, window, seconds(start))
        .put(CellFigures.TO, window, seconds(end))
        .put(CellFigures.DOCUMENTS, window, documents)
        .put(CellFigures.TEXT, window, text)
        .put(
            CellFigures.RATE,
            window,
            seconds > 0 ? EvenRates.toGigabytesPerHour(text / seconds) : 0)
        .put(CellFigures.DOCUMENTS_PER_SECOND, window, seconds > 0 ? documents / seconds : 0)
        .put(CellFigures.FLUSHES, window, end.since(start, Counter.FLUSHES))
        .put(CellFigures.FLUSHED, window, flushed)
        .put(CellFigures.PACKED, window, packed)
        .put(CellFigures.MERGED, window, merged)
        .put(CellFigures.OTHER, window, other)
        .put(
            CellFigures.WRITE_AMPLIFICATION,
            window,
            flushed > packed ? Optional.of(written / (flushed - packed)) : Optional.empty())
        .put(
            CellFigures.WRITTEN_FOR_TEXT,
            window,
            text > 0 ? Optional.of(written / text) : Optional.empty())
        .put(CellFigures.MERGE_DEBT, window, end.get(Counter.MERGE_DEBT_BYTES))
        .put(
            CellFigures.MOST_MERGE_DEBT,
            window,
            samples.subList(from, to + 1).stream()
                .mapToLong(sample -> sample.get(Counter.MERGE_DEBT_BYTES))
                .max()
                .orElse(0))
        .put(CellFigures.MERGE_STALLS, window, end.since(start, Counter.MERGE_STALLS))
        .put(CellFigures.MERGE_STALLED, window, (end.since(start, Counter.MERGE_STALL_NANOS)) / 1e9)
        .put(CellFigures.FLUSH_STALLS, window, end.since(start, Counter.FLUSH_STALLS))
        .put(CellFigures.FLUSH_STALLED, window, (end.since(start, Counter.FLUSH_STALL_NANOS)) / 1e9)
        .put(
            CellFigures.PROCESSORS,
            window,
            share(end.since(start, Counter.PROCESSOR_NANOS), machineNanos))
        .put(
            CellFigures.INDEXING_THREADS,
            window,
            share(end.since(start, Counter.INDEXING_THREAD_NANOS), machineNanos))
        .put(CellFigures.COLLECTIONS, window, end.since(start, Counter.COLLECTIONS))
        .put(CellFigures.COLLECTING, window, (end.since(start, Counter.COLLECTOR_MILLIS)) / 1e3)
        .build();
  }

  /**
   * The steady part of the samples up to the last document; nothing when there are too few.
   *
   * @param fed the sample at which the last document had been indexed
   * @param stepNanos the step of the rates that are judged
   */
  Values steady(int fed, long stepNanos) {
    List<Sample> feeding = samples.subList(0, fed + 1);
    double[] rates =
        EvenRates.of(
            feeding.stream().mapToLong(Sample::nanos).toArray(),
            feeding.stream().mapToLong(sample -> sample.get(Counter.TEXT_BYTES)).toArray(),
            stepNanos);
    return SteadyState.of(rates, flushEnds(feeding, rates.length, stepNanos))
        .map(state -> window(state, fed, rates.length, stepNanos))
        .orElse(Values.NONE);
  }

  /** The steps before which a flush had ended; the first is one, since the buffer is empty then. */
  private static int[] flushEnds(List<Sample> feeding, int steps, long stepNanos) {
    long startNanos = feeding.getFirst().nanos();
    return IntStream.range(0, feeding.size())
        .filter(
            i ->
                i == 0
                    || feeding.get(i).get(Counter.FLUSHES)
                        > feeding.get(i - 1).get(Counter.FLUSHES))
        .map(
            i -> {
              double step = (double) (feeding.get(i).nanos() - startNanos) / stepNanos;
              return (int) Math.min(steps, Math.round(step));
            })
        .distinct()
        .toArray();
  }

  private Values window(SteadyState state, int fed, int steps, long stepNanos) {
    long startNanos = samples.getFirst().nanos();
    Values figures =
        between(
            Window.STEADY,
            nearest(startNanos + state.from() * stepNanos, fed),
            state.to() == steps ? fed : nearest(startNanos + state.to() * stepNanos, fed));
    return Values.builder()
        .put(figures)
        .put(
            CellFigures.VERDICT,
            verdict(state, figures.require(CellFigures.FLUSHES, Window.STEADY)))
        .put(CellFigures.CUT_START, figures.require(CellFigures.FROM, Window.STEADY))
        .put(
            CellFigures.CUT_END,
            seconds(samples.get(fed)) - figures.require(CellFigures.TO, Window.STEADY))
        .put(
            CellFigures.INTERVAL_LOW,
            state.interval().map(rate -> EvenRates.toGigabytesPerHour(rate.low())))
        .put(
            CellFigures.INTERVAL_HIGH,
            state.interval().map(rate -> EvenRates.toGigabytesPerHour(rate.high())))
        .put(CellFigures.EARLIER, EvenRates.toGigabytesPerHour(state.earlier()))
        .put(CellFigures.LATER, EvenRates.toGigabytesPerHour(state.later()))
        .put(CellFigures.CHANCE, state.chance())
        .build();
  }

  private static Verdict verdict(SteadyState state, long flushes) {
    if (!state.settled()) {
      return Verdict.UNSETTLED;
    }
    if (flushes < LEAST_FLUSHES) {
      return Verdict.TOO_FEW_FLUSHES;
    }
    return state.drifts() ? Verdict.DRIFTING : Verdict.STEADY;
  }

  private int nearest(long nanos, int last) {
    int nearest = 0;
    for (int i = 1; i <= last; i++) {
      if (Math.abs(samples.get(i).nanos() - nanos)
          <= Math.abs(samples.get(nearest).nanos() - nanos)) {
        nearest = i;
      }
    }
    return nearest;
  }

  private double seconds(Sample sample) {
    return (sample.nanos() - samples.getFirst().nanos()) / 1e9;
  }

  private static Optional<Double> share(long nanos, double ofNanos) {
    return ofNanos > 0 && nanos >= 0 ? Optional.of(nanos / ofNanos) : Optional.empty();
  }
}
