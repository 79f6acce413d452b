package io.weir.nrt;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Who is told of releases. A listener that throws hurts nobody. */
final class DeferredCloseListeners {

  private static final System.Logger LOGGER = System.getLogger(DeferredClose.class.getName());

  private final List<DeferredCloseListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean releaseFailureTold = new AtomicBoolean();
  private final AtomicBoolean listenerFailureTold = new AtomicBoolean();

  void add(DeferredCloseListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  void remove(DeferredCloseListener listener) {
    listeners.remove(listener);
  }

  /**
   * @param failure what the release threw, or null
   */
  void tell(long releaseNanos, boolean inline, Throwable failure) {
    if (failure != null) {
      logOnce(releaseFailureTold, "the release of an old reader failed", failure);
    }
    for (DeferredCloseListener listener : listeners) {
      try {
        if (failure == null) {
          listener.released(releaseNanos, inline);
        } else {
          listener.releaseFailed(failure);
        }
      } catch (Throwable e) {
        logOnce(
            listenerFailureTold, "a listener of the deferred close failed; it is still called", e);
      }
    }
  }

  private static void logOnce(AtomicBoolean told, String what, Throwable failure) {
    if (told.compareAndSet(false, true)) {
      try {
        LOGGER.log(Level.WARNING, what, failure);
      } catch (Throwable unheard) {
        // The log may fail as well, and no reopen may be hurt for that.
      }
    }
  }
}
