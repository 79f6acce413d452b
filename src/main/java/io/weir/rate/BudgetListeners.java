package io.weir.rate;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The listeners of one budget. Those of the budgets above receive its waits too. A listener that
 * throws disturbs neither the grant nor the other listeners.
 */
final class BudgetListeners {

  private static final System.Logger LOGGER =
      System.getLogger(BudgetListeners.class.getPackageName());

  private final String budgetName;
  private final BudgetListeners above;
  private final List<BudgetListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean failureLogged = new AtomicBoolean();

  BudgetListeners(String budgetName, BudgetListeners above) {
    this.budgetName = budgetName;
    this.above = above;
  }

  void add(BudgetListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  void remove(BudgetListener listener) {
    listeners.remove(listener);
  }

  void waitStarted(long requestedBytes) {
    for (BudgetListeners l = this; l != null; l = l.above) {
      l.tell(listener -> listener.waitStarted(requestedBytes));
    }
  }

  void waitEnded(long grantedBytes, long waitNanos) {
    for (BudgetListeners l = this; l != null; l = l.above) {
      l.tell(listener -> listener.waitEnded(grantedBytes, waitNanos));
    }
  }

  void rateChanged(Rate before, Rate after) {
    tell(listener -> listener.rateChanged(before, after));
  }

  private void tell(Consumer<BudgetListener> news) {
    for (BudgetListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (Throwable failure) {
        if (failureLogged.compareAndSet(false, true)) {
          warn(
              "a listener of the byte budget " + budgetName + " failed; it is still called",
              failure);
        }
      }
    }
  }

  /** Writes to the log, which may fail as well: no grant may be lost for that. */
  static void warn(String message, Throwable failure) {
    try {
      LOGGER.log(Level.WARNING, message, failure);
    } catch (Throwable unheard) {
      // There is nowhere left to report it.
    }
  }
}
