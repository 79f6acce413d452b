package io.weir.nrt;

import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/** Who is told of reopens. A listener that throws hurts nobody; telling allocates nothing. */
final class ReopenListeners {

  private static final System.Logger LOGGER = System.getLogger(ReopenMonitor.class.getName());

  private final AtomicBoolean failureTold = new AtomicBoolean();
  private volatile ReopenListener[] listeners = {}; // replaced under this, never changed

  synchronized void add(ReopenListener listener) {
    ReopenListener[] more = Arrays.copyOf(listeners, listeners.length + 1);
    more[listeners.length] = Objects.requireNonNull(listener, "listener");
    listeners = more;
  }

  synchronized void remove(ReopenListener listener) {
    listeners = Arrays.stream(listeners).filter(l -> l != listener).toArray(ReopenListener[]::new);
  }

  void tell(Measurement sample, ReopenResult result) {
    for (ReopenListener listener : listeners) {
      try {
        for (ReopenPhase phase : ReopenHistory.PHASES) {
          if (sample.phase(phase) != Measurement.UNKNOWN_NANOS) {
            listener.phaseEnded(phase, sample.phase(phase));
          }
        }
        if (sample.visibleNanos != Measurement.UNKNOWN_NANOS) {
          listener.searcherVisible(sample.visibleNanos - sample.startedNanos);
        }
        listener.reopenEnded(result, sample.totalNanos(), sample.latencyNanos());
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
    if (failureTold.compareAndSet(false, true)) {
      try {
        LOGGER.log(Level.WARNING, what, failure);
      } catch (Throwable unheard) {
        // The log may fail as well, and no reopen may be hurt for that.
      }
    }
  }
}
