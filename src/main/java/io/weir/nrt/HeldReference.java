package io.weir.nrt;

import java.util.Objects;
import org.apache.lucene.search.ReferenceManager;

/**
 * One more reference to what a manager holds, from before a refresh until after it.
 *
 * <p>{@link #take} and {@link #letGo} are called under the manager's refresh lock. A {@code letGo}
 * may be missing, when another listener threw; then the next {@code take} makes up for it.
 */
final class HeldReference<G> {

  private final ReferenceManager<G> manager;
  private final DeferredClose closer;
  private G held; // guarded by this
  private boolean closed; // guarded by this

  HeldReference(ReferenceManager<G> manager, DeferredClose closer) {
    this.manager = Objects.requireNonNull(manager, "manager");
    this.closer = closer;
  }

  void take() {
    letGo(true);
    synchronized (this) {
      if (!closed) {
        try {
          held = manager.acquire();
        } catch (Exception e) {
          // The manager was closed meanwhile. The refresh is about to find that out by itself.
          held = null;
        }
      }
    }
  }

  /**
   * @param changed whether the reference may be the last one to an old reader
   */
  void letGo(boolean changed) {
    G reference;
    synchronized (this) {
      reference = held;
      held = null;
    }
    if (reference != null) {
      if (changed) {
        closer.release(manager, reference);
      } else {
        closer.releaseHere(manager, reference);
      }
    }
  }

  /** Takes no more, and lets go. */
  void close() {
    synchronized (this) {
      closed = true;
    }
    letGo(true);
  }
}
