package io.weir.control;

import io.weir.rate.BudgetListener;
import io.weir.rate.ByteBudget;
import io.weir.rate.Rate;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The rate of a budget in the hands of one latency goal, until that gives it back.
 *
 * <p>The ceiling is the rate that the budget has when the goal begins. A rate that somebody else
 * sets later is the new ceiling, unless it only ends a pause. A paused budget stays paused. In the
 * end the budget gets the ceiling.
 *
 * <p><b>Threads:</b> the goal's own thread sets the rate; every other thread that does so is
 * somebody else's. Any may call the other methods. <b>Ownership:</b> {@link #end} it.
 * <b>Failure:</b> a budget that another goal holds is refused.
 */
final class HeldRate {

  private static final Set<ByteBudget> HELD = ConcurrentHashMap.newKeySet();

  private final ByteBudget budget;
  private final TickThread thread;
  private final BudgetListener listener =
      new BudgetListener() {
        @Override
        public void rateChanged(Rate before, Rate after) {
          HeldRate.this.rateChanged(before, after);
        }
      };

  private boolean begun; // guarded by this, as all below
  private Rate ceiling;
  private Rate own; // what was set here last
  private Optional<Rate> others = Optional.empty(); // what somebody else has set since
  private boolean othersEndedAPause; // that rate is no new ceiling
  private boolean restored; // the budget has the rate that it keeps

  /**
   * Takes the budget, and leaves its rate alone until {@link #begin}.
   *
   * @param thread of the goal
   * @throws IllegalStateException if another goal has it
   */
  HeldRate(ByteBudget budget, TickThread thread) {
    this.budget = Objects.requireNonNull(budget, "budget");
    this.thread = thread;
    this.ceiling = budget.rate();
    this.own = ceiling;
    if (!HELD.add(budget)) {
      throw new IllegalStateException(
          "the rate of a budget must have at most one latency goal; close the other one, or use a"
              + " parent or a child of the budget: "
              + budget);
    }
  }

  /** From now on the rate is the goal's. */
  void begin() {
    budget.addListener(listener); // first: a rate that is set from now on is not missed
    synchronized (this) {
      begun = true;
      own = budget.rate();
      ceiling = own.state() == Rate.State.PAUSED ? Rate.UNLIMITED : own;
    }
  }

  /** The highest rate that is allowed now; empty while somebody has paused the budget. */
  synchronized Optional<Rate> allowed() {
    if (isPaused()) {
      return Optional.empty();
    }
    adoptOthersRate();
    return Optional.of(ceiling);
  }

  /** The ceiling as of the last look. */
  synchronized Rate ceiling() {
    return begun ? ceiling : budget.rate();
  }

  /** What the goal has set last. */
  synchronized Rate own() {
    return begun ? own : budget.rate();
  }

  /** Sets the rate, unless somebody pauses the budget or ends this at the same time. */
  void set(Rate next) {
    synchronized (this) {
      own = next;
    }
    put(next);
  }

  /** Keeps the budget paused, if a rate from here has come after the pause. */
  void stayPaused() {
    put(Rate.PAUSED);
  }

  private void put(Rate next) {
    if (next.equals(budget.rate())) {
      return;
    }
    budget.setRate(next);
    Rate last;
    synchronized (this) {
      last = restored ? lastRate() : isPaused() ? Rate.PAUSED : next;
    }
    if (!last.equals(next)) {
      budget.setRate(last);
    }
  }

  /**
   * Gives the budget its ceiling, and lets go of it. A paused budget stays paused, and a rate that
   * somebody else has set since stays. A goal's thread that still is in {@link #set} does the same
   * when it returns.
   */
  void end() {
    restore();
    budget.removeListener(listener);
    HELD.remove(budget);
  }

  private void restore() {
    Rate last;
    synchronized (this) {
      restored = true;
      if (!begun || others.isEmpty() && !budget.rate().equals(own)) {
        return;
      }
      last = lastRate();
    }
    if (!last.equals(budget.rate())) {
      budget.setRate(last);
    }
  }

  /**
   * Whether somebody has paused the budget. What they have set last decides: a rate of the goal may
   * have come in between their call and its news.
   */
  private boolean isPaused() {
    return others.orElseGet(budget::rate).state() == Rate.State.PAUSED;
  }

  /** What the budget keeps in the end. */
  private Rate lastRate() {
    if (isPaused()) {
      return Rate.PAUSED;
    }
    adoptOthersRate();
    return ceiling;
  }

  private void adoptOthersRate() {
    if (!othersEndedAPause) {
      others.ifPresent(rate -> ceiling = rate);
    }
    others = Optional.empty();
  }

  /** A rate was set; package-private for tests. */
  synchronized void rateChanged(Rate before, Rate after) {
    if (!thread.isCurrent()) {
      others = Optional.of(after);
      othersEndedAPause = before.state() == Rate.State.PAUSED && after.equals(own);
    }
  }

  /** A ceiling as a number. */
  static long bytesPerSecond(Rate ceiling) {
    return ceiling.isLimited() ? ceiling.bytesPerSecond() : Rate.MAX_BYTES_PER_SECOND;
  }
}
