package io.weir.load.plan;

import io.weir.load.result.Saturation;
import io.weir.load.result.StepOutcome;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

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
 */
public record LoadSearch(Loads loads, double first) {

  /** A load that was tried. */
  public record Tried(double load, StepOutcome outcome) {}

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
  private static final MathContext ROUNDING = new MathContext(3);

  /** With nothing to go by. */
  private static final double DEFAULT_FIRST = 10;

  private static final double SHARE_OF_WARM_UP = 0.125;

  /**
   * The search of one arm.
   *
   * @param warmUpPerSecond what the warm-up came to, four requests at a time
   */
  public static LoadSearch of(Loads loads, OptionalDouble warmUpPerSecond) {
    OptionalDouble asked =
        switch (loads) {
          case Loads.Auto auto -> auto.first();
          case Loads.Listed listed -> OptionalDouble.of(listed.perSecond().getFirst());
        };
    double guess =
        warmUpPerSecond.isPresent() && warmUpPerSecond.getAsDouble() > 0
            ? warmUpPerSecond.getAsDouble() * SHARE_OF_WARM_UP
            : DEFAULT_FIRST;
    return new LoadSearch(loads, asked.orElse(round(Math.clamp(guess, Loads.LEAST, Loads.MOST))));
  }

  /**
   * What to do after these trials.
   *
   * @param tried in the order of time; interrupted ones are no trials
   */
  public Next next(List<Tried> tried) {
    Saturation ends = ends(tried);
    Optional<Tried> last = tried.isEmpty() ? Optional.empty() : Optional.of(tried.getLast());
    if (last.isPresent()
        && last.get().outcome().isFailure()
        && !isFailed(tried, last.get().load())) {
      return new Next.Try(last.get().load()); // once more
    }
    if (last.filter(trial -> trial.outcome() == StepOutcome.CLIENT).isPresent()) {
      return new Next.Done(new Saturation(ends.kept(), Optional.empty()));
    }
    return switch (loads) {
      case Loads.Listed listed -> next(listed, tried, ends);
      case Loads.Auto auto -> next(ends);
    };
  }

  /** The most that was borne and the least that was not, by these trials. */
  public static Saturation ends(List<Tried> tried) {
    Optional<Double> failed =
        tried.stream()
            .filter(trial -> trial.outcome().isFailure() && trial.outcome() != StepOutcome.CLIENT)
            .map(Tried::load)
            .filter(load -> isFailed(tried, load))
            .min(Double::compare);
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
      return higher > Loads.MOST ? new Next.Done(ends) : new Next.Try(higher);
    }
    double failed = ends.failed().get();
    if (ends.kept().isEmpty()) {
      double lower = round(failed / 2);
      return lower < Loads.LEAST ? new Next.Done(ends) : new Next.Try(lower);
    }
    double kept = ends.kept().get();
    double middle = round(Math.sqrt(kept * failed));
    return failed <= kept * PRECISION || middle <= kept || middle >= failed
        ? new Next.Done(ends)
        : new Next.Try(middle);
  }

  private static boolean isFailed(List<Tried> tried, double load) {
    List<Tried> same = tried.stream().filter(trial -> trial.load() == load).toList();
    return same.stream().noneMatch(trial -> trial.outcome() == StepOutcome.KEPT)
        && same.stream().filter(trial -> trial.outcome().isFailure()).count() >= TRIES;
  }

  private static double round(double load) {
    return new BigDecimal(load).round(ROUNDING).doubleValue();
  }
}
