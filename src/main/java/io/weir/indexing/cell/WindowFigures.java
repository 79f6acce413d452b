package io.weir.indexing.cell;

import io.weir.indexing.result.IndexingWindow;
import io.weir.indexing.result.Stalls;
import io.weir.indexing.result.SteadyWindow;
import io.weir.indexing.steady.EvenRates;
import io.weir.indexing.steady.SteadyState;
import io.weir.report.compare.ConfidenceInterval;
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

  /** The figures from one sample to another. */
  IndexingWindow between(int from, int to) {
    Sample start = samples.get(from);
    Sample end = samples.get(to);
    double seconds = (end.nanos() - start.nanos()) / 1e9;
    long documents = end.documents() - start.documents();
    long text = end.textBytes() - start.textBytes();
    long flushed = end.flushedBytes() - start.flushedBytes();
    long packed = end.packedBytes() - start.packedBytes();
    long merged = end.mergedBytes() - start.mergedBytes();
    long other = end.otherBytes() - start.otherBytes();
    double written = (double) flushed + merged + other;
    double machineNanos = seconds * 1e9 * processors;
    return new IndexingWindow(
        seconds(start),
        seconds(end),
        documents,
        text,
        seconds > 0 ? IndexingWindow.toGigabytesPerHour(text / seconds) : 0,
        seconds > 0 ? documents / seconds : 0,
        end.flushes() - start.flushes(),
        flushed,
        packed,
        merged,
        other,
        flushed > packed ? Optional.of(written / (flushed - packed)) : Optional.empty(),
        text > 0 ? Optional.of(written / text) : Optional.empty(),
        end.mergeDebtBytes(),
        samples.subList(from, to + 1).stream().mapToLong(Sample::mergeDebtBytes).max().orElse(0),
        new Stalls(
            end.mergeStalls() - start.mergeStalls(),
            (end.mergeStallNanos() - start.mergeStallNanos()) / 1e9),
        new Stalls(
            end.flushStalls() - start.flushStalls(),
            (end.flushStallNanos() - start.flushStallNanos()) / 1e9),
        share(end.processorNanos() - start.processorNanos(), machineNanos),
        share(end.feederNanos() - start.feederNanos(), machineNanos),
        end.collections() - start.collections(),
        (end.collectorMillis() - start.collectorMillis()) / 1e3);
  }

  /**
   * The steady part of the samples up to the last document; empty when there are too few.
   *
   * @param fed the sample at which the last document had been indexed
   * @param stepNanos the step of the rates that are judged
   */
  Optional<SteadyWindow> steady(int fed, long stepNanos) {
    List<Sample> feeding = samples.subList(0, fed + 1);
    double[] rates =
        EvenRates.of(
            feeding.stream().mapToLong(Sample::nanos).toArray(),
            feeding.stream().mapToLong(Sample::textBytes).toArray(),
            stepNanos);
    return SteadyState.of(rates, flushEnds(feeding, rates.length, stepNanos))
        .map(state -> window(state, fed, rates.length, stepNanos));
  }

  /** The steps before which a flush had ended; the first is one, since the buffer is empty then. */
  private static int[] flushEnds(List<Sample> feeding, int steps, long stepNanos) {
    long startNanos = feeding.getFirst().nanos();
    return IntStream.range(0, feeding.size())
        .filter(i -> i == 0 || feeding.get(i).flushes() > feeding.get(i - 1).flushes())
        .map(
            i -> {
              double step = (double) (feeding.get(i).nanos() - startNanos) / stepNanos;
              return (int) Math.min(steps, Math.round(step));
            })
        .distinct()
        .toArray();
  }

  private SteadyWindow window(SteadyState state, int fed, int steps, long stepNanos) {
    long startNanos = samples.getFirst().nanos();
    IndexingWindow figures =
        between(
            nearest(startNanos + state.from() * stepNanos, fed),
            state.to() == steps ? fed : nearest(startNanos + state.to() * stepNanos, fed));
    return new SteadyWindow(
        verdict(state, figures),
        figures.fromSeconds(),
        seconds(samples.get(fed)) - figures.toSeconds(),
        figures,
        state
            .interval()
            .map(
                rate ->
                    new ConfidenceInterval(
                        IndexingWindow.toGigabytesPerHour(rate.low()),
                        IndexingWindow.toGigabytesPerHour(rate.high()))),
        IndexingWindow.toGigabytesPerHour(state.earlier()),
        IndexingWindow.toGigabytesPerHour(state.later()),
        state.chance());
  }

  private static SteadyWindow.Verdict verdict(SteadyState state, IndexingWindow figures) {
    if (!state.settled()) {
      return SteadyWindow.Verdict.UNSETTLED;
    }
    if (figures.flushes() < LEAST_FLUSHES) {
      return SteadyWindow.Verdict.TOO_FEW_FLUSHES;
    }
    return state.drifts() ? SteadyWindow.Verdict.DRIFTING : SteadyWindow.Verdict.STEADY;
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
