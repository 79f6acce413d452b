package io.weir.merge;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The listeners of a scheduler or a tracker. A listener that throws disturbs neither the merge nor
 * the others.
 */
final class MergeListeners {

  private final List<MergeListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicLong failures = new AtomicLong();

  void add(MergeListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  void remove(MergeListener listener) {
    listeners.remove(listener);
  }

  long failures() {
    return failures.get();
  }

  void tell(Consumer<MergeListener> news) {
    for (MergeListener listener : listeners) {
      try {
        news.accept(listener);
      } catch (Throwable failure) {
        if (failures.getAndIncrement() == 0) {
          MergeLog.log(Level.WARNING, "a merge listener failed; it is still called", failure);
        }
      }
    }
  }
}
