package io.weir.nrt;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The listeners of a monitor. A listener that throws disturbs neither the reopen nor the others.
 * Calling them allocates nothing.
 */
final class ReopenListeners {

  private static final System.Logger LOGGER =
      System.getLogger(ReopenListeners.class.getPackageName());

  private static final ReopenPhase[] PHASES = ReopenPhase.values();

  private final AtomicBoolean failureLogged = new AtomicBoolean();
  private volatile ReopenListener[] listeners = {}; // replaced under this, never changed

  synchronized void add(ReopenListener listener) {
    ReopenListener[] more = Arrays.copyOf(listeners, listeners.length + 1);
    more[listeners.length] = Objects.requireNonNull(listener, "listener");
    listeners = more;
  }

  synchronized void remove(ReopenListener listener) {
    listeners = Arrays.stream(listeners).filter(l -> l != listener).toArray(ReopenListener[]::new);
  }

  void tell(Measurement measurement, ReopenResult result) {
    for (ReopenListener listener : listeners) {
      try {
        for (ReopenPhase phase : PHASES) {
          if (measurement.phase(phase) != Measurement.UNKNOWN_NANOS) {
            listener.phaseEnded(phase, measurement.phase(phase));
          }
        }
        if (measurement.visibleNanos != Measurement.UNKNOWN_NANOS) {
          listener.searcherVisible(measurement.visibleNanos - measurement.startedNanos);
        }
        listener.reopenEnded(result, measurement.totalNanos(), measurement.latencyNanos());
      } catch (Throwable failure) {
        logOnce("a listener of the reopen monitor failed; it is still called", failure);
      }
    }
  }

  void documentVisible(long freshnessNanos) {
    for (ReopenListener listener : listeners) {
      try {
        listener.documentVisible(freshnessNanos);
      } catch (Throwable failure) {
        logOnce("a listener of the reopen monitor failed; it is still called", failure);
      }
    }
  }

  void logOnce(String what, Throwable failure) {
    if (failureLogged.compareAndSet(false, true)) {
      try {
        LOGGER.log(Level.WARNING, what, failure);
      } catch (Throwable unheard) {
        // A failing log must not affect a reopen.
      }
    }
  }
}
