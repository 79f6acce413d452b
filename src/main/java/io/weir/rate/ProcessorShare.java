package io.weir.rate;

import io.weir.figure.Figure;
import io.weir.figure.Shown;
import io.weir.figure.SourceFigure;
import io.weir.figure.SourceFigures;
import io.weir.figure.Unit;
import io.weir.time.NanoClock;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;

/**
 * How much of the processors merges may use together, shared by any number of indexes: 1.5 cores,
 * say.
 *
 * <p>It is held as a {@link ByteBudget} holds bytes. The threads of a merge pay for the time that
 * they have used on a processor, and wait until the share has made up for it. Competing schedulers
 * and trackers get equal parts, or parts by their weight; what one does not use goes to the others.
 * What the budget exempts from waiting, this exempts too, and it becomes a debt: critical merges,
 * all merges while the cap is lifted, and what a merge does after it has failed or was aborted.
 *
 * <p><b>When a merge pays:</b> at each piece that it writes or verifies, and before each vector
 * that it adds to a graph, but not within 2 ms of the last time. What its threads compute between
 * these moments is the most by which a window exceeds the share, beside a burst of 50 ms of the
 * share. Before Lucene 10.5.1, and under a scheduler whose writer has another merge policy than
 * {@code RateLimitedMergeScheduler.asking} returns, a merge pays for a graph after it.
 *
 * <p><b>Graphs.</b> A merge that holds a vector graph waits here too, although no cap on bytes lets
 * it wait: graphs are what uses the processors. No heap runs out by that, since other merges wait
 * for room before they begin a graph. But they wait longer.
 *
 * <p><b>Units:</b> cores, the processor time that threads use in user and kernel mode in a second.
 * <b>Threads:</b> any; a change acts on merges that wait at once. <b>Ownership:</b> that of who
 * made it; it needs no close. <b>Failure:</b> where the JVM does not measure the processor time of
 * threads, nothing waits.
 */
public final class ProcessorShare {

  /** The smallest share, in cores. */
  public static final double MIN_CORES = 0.01;

  /** The largest share, in cores. */
  public static final double MAX_CORES = 16_384;

  /** The budget counts microseconds in place of bytes: its largest grant is 33 ms then. */
  private static final double MICROS_PER_SECOND = TimeUnit.SECONDS.toMicros(1);

  /** What is shown of a share. */
  public static final SourceFigures<ProcessorShare> FIGURES =
      SourceFigures.of(
          "lucene.merge.processors",
          SourceFigure.<ProcessorShare, Double>of(
                  "limit",
                  Double.class,
                  Unit.COUNT,
                  Figure.Kind.LEVEL,
                  "Cores that merges may use together; unknown without a limit",
                  share -> share.cores().isPresent() ? share.cores().getAsDouble() : null)
              .counting("cores")
              .named(Shown.ANSWER, "max_cores")
              .without(Shown.BEAN), // which has it as what can be set
          SourceFigure.<ProcessorShare>total(
              "paid",
              Unit.NANOS,
              "Processor time that merges have paid for",
              share -> share.paid().toNanos()),
          SourceFigure.<ProcessorShare>total(
              "wait",
              Unit.NANOS,
              "Time that merges waited for their share of the processors, summed over threads",
              share -> share.waited().toNanos()));

  private final ByteBudget budget;

  private ProcessorShare(Rate rate, NanoClock clock) {
    this.budget = new ByteBudget(BudgetOptions.named("processors").withRate(rate), clock);
  }

  /**
   * A share of so many cores.
   *
   * @param cores from {@link #MIN_CORES} to {@link #MAX_CORES}
   * @throws IllegalArgumentException if it is out of range
   */
  public static ProcessorShare ofCores(double cores) {
    return new ProcessorShare(rate(cores), NanoClock.SYSTEM);
  }

  /** All cores, until {@link #setCores} says less. */
  public static ProcessorShare unlimited() {
    return new ProcessorShare(Rate.UNLIMITED, NanoClock.SYSTEM);
  }

  /** As {@link #ofCores(double)}, by the given clock instead of the machine's, for tests. */
  public static ProcessorShare ofCores(double cores, NanoClock clock) {
    return new ProcessorShare(rate(cores), Objects.requireNonNull(clock, "clock"));
  }

  /**
   * Changes the share.
   *
   * @param cores from {@link #MIN_CORES} to {@link #MAX_CORES}
   * @throws IllegalArgumentException if it is out of range; the share stays
   */
  public void setCores(double cores) {
    budget.setRate(rate(cores));
  }

  /** Lets merges use all cores. */
  public void setUnlimited() {
    budget.setRate(Rate.UNLIMITED);
  }

  /** Of so many cores; unlimited if {@code cores} is empty. */
  public static ProcessorShare of(OptionalDouble cores) {
    Objects.requireNonNull(cores, "cores");
    return cores.isPresent() ? ofCores(cores.getAsDouble()) : unlimited();
  }

  /** The share in force, in cores; empty if it is unlimited. */
  public OptionalDouble cores() {
    Rate rate = budget.rate();
    return rate.isLimited()
        ? OptionalDouble.of(rate.bytesPerSecond() / MICROS_PER_SECOND)
        : OptionalDouble.empty();
  }

  /** The processor time that merges have paid for so far. */
  public Duration paid() {
    return Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(budget.snapshot().grantedBytes()));
  }

  /** How long threads of merges have waited for this so far, in sum. */
  public Duration waited() {
    return Duration.ofNanos(budget.snapshot().waitNanos());
  }

  /**
   * The budget of microseconds, in place of bytes, of which merges take: for Weir's scheduler and
   * tracker.
   */
  public ByteBudget budget() {
    return budget;
  }

  private static Rate rate(double cores) {
    if (!(cores >= MIN_CORES && cores <= MAX_CORES)) {
      throw new IllegalArgumentException(
          "cores must be from %s to %.0f: %s".formatted(MIN_CORES, MAX_CORES, cores));
    }
    return Rate.perSecond(Math.round(cores * MICROS_PER_SECOND));
  }

  @Override
  public String toString() {
    return cores().isPresent() ? cores().getAsDouble() + " cores" : "all cores";
  }
}
