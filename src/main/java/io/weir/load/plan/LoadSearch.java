package io.weir.load.plan;

import io.weir.run.StepOutcome;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * Decides which load an arm tries next, and where it saturates.
 *
 * <p>A list is tried from its least load on, up to the first that fails. {@code auto} doubles the
 * load while the server bears it, or halves it until it does, and then tries the geometric middle
 * until the two ends are within {@value #PRECISION_PERCENT} %. A load counts as failed only when it
 * failed twice, so that one disturbance of the machine does not end a search.
 *
 * <p><b>Threads:</b> immutable; the same trials give the same decision.
 *
 * @param first where {@code auto} begins
 * @param least below which {@code auto} tries none
 * @param most above which {@code auto} tries none
 */
public record LoadSearch(Loads loads, double first, double least, double most) {

  /** A load that was tried. */
  public record Tried(double load, StepOutcome outcome) {}

  /**
   * Where a server saturates: between the most that it bore and the least that it did not bear.
   *
   * @param kept empty when it bore no load that was tried
   * @param failed empty when it bore every load that was tried, or the client was full before
   */
  public record Saturation(Optional<Double> kept, Optional<Double> failed) {}

  /** What to do now. */
  public sealed interface Next {

    /** Try this load. */
    record Try(double load) implements Next {}

    /** The search has ended. */
    record Done(Saturation saturation) implements Next {}
  }

  /** How near the two ends of an answer are. */
  public static final int PRECISION_PERCENT = 10;

  private static final double PRECISION = 1 + PRECISION_PERCENT / 100.0;
  private static final int TRIES = 2;
  private static final int DIGITS = 3;

  /** With nothing to go by. */
  private static final double DEFAULT_FIRST = 10;

  private static final double SHARE_OF_WARM_UP = 0.125;

  /**
   * The search of one arm.
   *
   * @param step how long each load lasts, which bounds the loads
   * @param warmUpPerSecond what the warm-up came to, four requests at a time
   */
  public static LoadSearch of(Loads loads, Duration step, OptionalDouble warmUpPerSecond) {
    double least = round(Loads.least(step), RoundingMode.CEILING);
    double most = Loads.most(step);
    double guess =
        warmUpPerSecond.isPresent() && warmUpPerSecond.getAsDouble() > 0
            ? warmUpPerSecond.getAsDouble() * SHARE_OF_WARM_UP
            : DEFAULT_FIRST;
    double first =
        loads.named().stream().findFirst().orElseGet(() -> round(Math.clamp(guess, least, most)));
    return new LoadSearch(loads, first, least, most);
  }

  /**
   * What to do after these trials.
   *
   * @param tried in the order of time; interrupted ones are no trials
   */
  public Next next(List<Tried> tried) {
    Saturation ends = ends(tried);
    if (!tried.isEmpty() && tried.getLast().outcome().isFailure()) {
      double load = tried.getLast().load();
      if (!isKept(tried, load) && !isFailed(tried, load)) {
        return isFullOfClient(tried, load) ? new Next.Done(ends) : new Next.Try(load); // once more
      }
    }
    return switch (loads) {
      case Loads.Listed listed -> next(listed, tried, ends);
      case Loads.Auto auto -> next(ends);
    };
  }

  /** The most that was borne and the least that was not, by these trials. */
  public static Saturation ends(List<Tried> tried) {
    Optional<Double> failed =
        tried.stream().map(Tried::load).filter(load -> isFailed(tried, load)).min(Double::compare);
    Optional<Double> kept =
        tried.stream()
            .filter(trial -> trial.outcome() == StepOutcome.KEPT)
            .map(Tried::load)
            .filter(load -> failed.isEmpty() || load < failed.get())
            .max(Double::compare);
    return new Saturation(kept, failed);
  }

  private static Next next(Loads.Listed listed, List<Tried> tried, Saturation ends) {
    return ends.failed().isPresent()
        ? new Next.Done(ends)
        : listed.perSecond().stream()
            .filter(load -> tried.stream().noneMatch(trial -> trial.load() == load))
            .findFirst()
            .<Next>map(Next.Try::new)
            .orElse(new Next.Done(ends));
  }

  private Next next(Saturation ends) {
    if (ends.failed().isEmpty()) {
      double higher = ends.kept().map(kept -> round(2 * kept)).orElse(first);
      return higher > most ? new Next.Done(ends) : new Next.Try(higher);
    }
    double failed = ends.failed().get();
    if (ends.kept().isEmpty()) {
      return failed <= least
          ? new Next.Done(ends)
          : new Next.Try(Math.max(round(failed / 2), least));
    }
    double kept = ends.kept().get();
    double middle = round(Math.sqrt(kept * failed));
    return failed <= kept * PRECISION || middle <= kept || middle >= failed
        ? new Next.Done(ends)
        : new Next.Try(middle);
  }

  private static boolean isKept(List<Tried> tried, double load) {
    return tried.contains(new Tried(load, StepOutcome.KEPT));
  }

  /** Whether the server failed at this load, twice. */
  private static boolean isFailed(List<Tried> tried, double load) {
    return !isKept(tried, load)
        && failures(tried, load, trial -> trial.outcome() != StepOutcome.CLIENT) >= TRIES;
  }

  private static boolean isFullOfClient(List<Tried> tried, double load) {
    return failures(tried, load, trial -> trial.outcome() == StepOutcome.CLIENT) >= TRIES;
  }

  private static long failures(List<Tried> tried, double load, Predicate<Tried> whose) {
    return tried.stream()
        .filter(trial -> trial.load() == load && trial.outcome().isFailure())
        .filter(whose)
        .count();
  }

  private static double round(double load) {
    return round(load, RoundingMode.HALF_UP);
  }

  private static double round(double load, RoundingMode mode) {
    return BigDecimal.valueOf(load).round(new MathContext(DIGITS, mode)).doubleValue();
  }
}
