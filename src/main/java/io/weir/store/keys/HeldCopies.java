package io.weir.store.keys;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All dictionaries of the process that are held on the heap, and one soft reference that leads to
 * all their copies.
 *
 * <p>The JVM reclaims first what has not been used for long. A dictionary that is only idle must
 * not be among that. To use this one reference counts as using all copies, however many there are.
 * The JVM clears no soft reference to a copy without clearing this one, because it leads to the
 * copy. So as long as it is there, nothing was reclaimed; and when it is gone, one walk over all
 * finds out what was.
 *
 * <p><b>Threads:</b> any. No lock is held while an owner is called.
 *
 * <p>Source: {@link SoftReference}, which says that those to an object are cleared together with
 * those to the objects that lead to it.
 */
final class HeldCopies {

  /**
   * What is held of one dictionary.
   *
   * @param <C> the type of the copies
   */
  final class Held<C> {

    private final SoftReference<C> copies;
    private volatile Runnable onReclaimed = () -> {};

    private Held(C copies) {
      this.copies = new SoftReference<>(copies);
    }

    /** The copies; null if the JVM has reclaimed them. */
    C get() {
      return copies.get();
    }

    /** Sets who is called when the JVM has reclaimed it; the listener must be quick. */
    void onReclaimed(Runnable listener) {
      onReclaimed = listener;
    }

    /** Holds it no more; further calls do nothing. */
    void remove() {
      HeldCopies.this.remove(this);
    }
  }

  private final Runnable onAdded;

  // All guarded by this.
  private final Set<Held<?>> all = new HashSet<>();
  private SoftReference<Set<Object>> anchor = new SoftReference<>(new HashSet<>());
  private boolean someAreLost;

  /**
   * None yet.
   *
   * @param onAdded called after each addition
   */
  HeldCopies(Runnable onAdded) {
    this.onAdded = onAdded;
  }

  synchronized boolean isEmpty() {
    return all.isEmpty();
  }

  /** Holds the copies of a dictionary. */
  <C> Held<C> hold(C copies) {
    Held<C> held = new Held<>(copies);
    synchronized (this) {
      Set<Object> anchored = anchor.get();
      if (anchored == null) {
        someAreLost = true;
        anchored = anchorAgain();
      }
      all.add(held);
      anchored.add(copies);
    }
    onAdded.run();
    return held;
  }

  private synchronized void remove(Held<?> held) {
    all.remove(held);
    Object copies = held.get();
    Set<Object> anchored = anchor.get();
    if (copies != null && anchored != null) {
      anchored.remove(copies);
    }
  }

  /** Uses all copies, and calls the owners of those that the JVM has reclaimed. */
  void touch() {
    List<Held<?>> lost = new ArrayList<>();
    synchronized (this) {
      if (anchor.get() != null && !someAreLost) {
        return;
      }
      anchorAgain();
      for (Held<?> held : all) {
        if (held.get() == null) {
          lost.add(held);
        }
      }
      someAreLost = !lost.isEmpty(); // until their owners have removed them
    }
    lost.forEach(held -> held.onReclaimed.run());
  }

  private Set<Object> anchorAgain() {
    Set<Object> anchored = new HashSet<>();
    for (Held<?> held : all) {
      Object copies = held.get();
      if (copies != null) {
        anchored.add(copies);
      }
    }
    anchor = new SoftReference<>(anchored);
    return anchored;
  }
}
