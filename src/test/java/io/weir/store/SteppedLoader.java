package io.weir.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.lucene.store.Directory;

/** The memory of a process and the thread that fills it, which goes round when a test says so. */
final class SteppedLoader {

  final ResidentMemory memory;
  private final DictionaryLoader loader;
  private final List<Runnable> due = new ArrayList<>(); // guarded by itself

  /** With a heap that is never short. */
  SteppedLoader(long maxBytes) {
    this(maxBytes, new HeapHeadroom(Long.MAX_VALUE, () -> 0, () -> 0), bytes -> bytes);
  }

  /**
   * With another heap.
   *
   * @param allocate sees each size before it is allocated
   */
  SteppedLoader(long maxBytes, HeapHeadroom heap, IntUnaryOperator allocate) {
    memory = new ResidentMemory("key dictionaries", maxBytes, heap);
    loader =
        new DictionaryLoader(
            memory, bytes -> new byte[allocate.applyAsInt(bytes)], this::add, this::add);
  }

  DictionaryMemory memoryOf(ResidentKeys keys) {
    return loader.memoryOf(keys);
  }

  ResidentDirectory directory(Directory in, ResidentKeys keys) {
    return directory(in, keys, ResidentDirectory.MAX_SHARED_BYTES);
  }

  ResidentDirectory directory(Directory in, ResidentKeys keys, long maxSharedBytes) {
    return new ResidentDirectory(in, keys, maxSharedBytes, loader);
  }

  private void add(Runnable round) {
    synchronized (due) {
      due.add(round);
    }
  }

  /** Whether a round is due. */
  boolean isDue() {
    synchronized (due) {
      return !due.isEmpty();
    }
  }

  /** Does all that is due now. */
  void goRound() {
    List<Runnable> now;
    synchronized (due) {
      now = List.copyOf(due);
      due.clear();
    }
    now.forEach(Runnable::run);
  }
}
