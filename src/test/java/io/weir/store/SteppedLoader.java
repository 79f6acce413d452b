package io.weir.store;

import io.weir.fakes.AutoClock;
import io.weir.store.held.HeapHeadroom;
import io.weir.store.held.Heaps;
import io.weir.store.held.ProcessMemory;
import io.weir.store.keys.DictionaryLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.lucene.store.Directory;

/** The memory of a process and its loader, which loads and looks when a test says so. */
public final class SteppedLoader {

  final ProcessMemory memory;
  final AutoClock clock = new AutoClock();
  public final DictionaryLoader loader;
  private final List<Runnable> due = new ArrayList<>(); // guarded by itself

  /** With a heap that is never short. */
  public SteppedLoader(long maxBytes) {
    this(maxBytes, Heaps.ROOMY, bytes -> bytes);
  }

  /**
   * With another heap.
   *
   * @param allocate sees each size before it is allocated
   */
  SteppedLoader(long maxBytes, HeapHeadroom heap, IntUnaryOperator allocate) {
    memory = Heaps.memory("key dictionaries", maxBytes, heap, clock);
    loader =
        new DictionaryLoader(
            memory, bytes -> new byte[allocate.applyAsInt(bytes)], clock, this::add, look -> {});
  }

  ResidentDirectory directory(Directory in, ResidentKeys keys) {
    return directory(in, keys, ResidentDirectory.MAX_SHARED_BYTES);
  }

  ResidentDirectory directory(Directory in, ResidentKeys keys, long maxSharedBytes) {
    return new ResidentDirectory(in, keys, maxSharedBytes, loader);
  }

  private void add(Runnable lane) {
    synchronized (due) {
      due.add(lane);
    }
  }

  /** Whether it has something to load. */
  boolean isDue() {
    synchronized (due) {
      return !due.isEmpty();
    }
  }

  /** Looks once, and loads what is due before and after that. */
  void goRound() {
    load();
    loader.look();
    load();
  }

  /** Loads what is due, without a look. */
  void load() {
    List<Runnable> now;
    synchronized (due) {
      now = List.copyOf(due);
      due.clear();
    }
    now.forEach(Runnable::run);
  }
}
