package io.weir.control;

/**
 * How many more operations may be late: the share of all that the target allows, less those that
 * were. The term is that of site reliability engineering.
 *
 * <p>A target is judged by the percentile over minutes. A rate at which just the allowed share is
 * late would miss it in every other case, because each search for a higher rate makes some
 * operations late as well. So a search must be covered by what was saved before, and what was spent
 * too much is made up for at a low rate.
 *
 * <p>What was longer ago counts less, by half each {@link #HALF_LIFE_NANOS}. Neither savings nor
 * debts grow without end: they are bounded by what some failed searches cost.
 *
 * <p><b>Units:</b> operations. <b>Threads:</b> one at a time.
 */
final class ErrorBudget {

  static final double HALF_LIFE_NANOS = 120e9;

  /** A rate that is too high makes operations late for about so many ticks, until it is cut. */
  private static final double TICKS_OF_A_SEARCH = 4;

  private static final double MOST_DEBT_TICKS = 8;
  private static final double NEW_TICK = 0.1; // weight in the average

  private final double allowed;
  private double left;
  private double operationsOfATick; // averaged

  /**
   * An empty one.
   *
   * @param allowedShare of operations that may be late
   */
  ErrorBudget(double allowedShare) {
    this.allowed = allowedShare;
  }

  /** Adds the operations of a tick. */
  void add(long operations, long late) {
    operationsOfATick += (operations - operationsOfATick) * NEW_TICK;
    double one = Math.max(1, operationsOfATick);
    left =
        Math.clamp(
            left + allowed * operations - late, -MOST_DEBT_TICKS * one, TICKS_OF_A_SEARCH * one);
  }

  /** Time passes, and older operations count less. */
  void pass(long elapsedNanos) {
    left *= Math.pow(0.5, elapsedNanos / HALF_LIFE_NANOS);
  }

  /** Cancels a debt. */
  void forgive() {
    left = Math.max(0, left);
  }

  /** Whether more were late than the target allows. */
  boolean isSpent() {
    return left < 0;
  }

  /** Whether the target is still met if a search for a higher rate fails. */
  boolean coversASearch() {
    return left >= (1 - allowed) * TICKS_OF_A_SEARCH * operationsOfATick;
  }
}
