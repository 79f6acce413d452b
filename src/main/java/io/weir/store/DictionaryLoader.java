package io.weir.store;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks after all open dictionaries of the process: reads those in that wait, one after the other,
 * as room comes, and keeps the JVM from taking back those that are merely idle.
 *
 * <p>It goes round when a dictionary comes, when one is closed, and every second: the heap may have
 * more room after a collection, which is not announced.
 *
 * <p><b>Threads:</b> any. One thread of its own, a daemon, which ends when no dictionary is open.
 * No method blocks or throws.
 */
final class DictionaryLoader {

  private static final long ROUND_SECONDS = 1;
  private static final long IDLE_SECONDS = 5;

  /** Of all directories that are not given another. */
  static final DictionaryLoader SHARED = shared();

  private final ResidentMemory memory;
  private final HeapCopy.Allocator allocator;
  private final Executor now;
  private final Executor later;

  // Guarded by this.
  private final Set<ResidentDictionary> dictionaries = new LinkedHashSet<>();
  private boolean roundIsDue;
  private boolean laterRoundIsDue;

  /** Whether the last round has left any without room, or one has come since. */
  private volatile boolean anyWaits;

  /**
   * One apart from that of the process.
   *
   * @param now runs a round, soon, on a thread of its own
   * @param later the same after a while
   */
  DictionaryLoader(
      ResidentMemory memory, HeapCopy.Allocator allocator, Executor now, Executor later) {
    this.memory = memory;
    this.allocator = allocator;
    this.now = now;
    this.later = later;
    memory.onMoreRoom(this::roomMayHaveCome);
  }

  private static DictionaryLoader shared() {
    ThreadPoolExecutor thread =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform()
                .daemon()
                .name("weir-resident-keys")
                .inheritInheritableThreadLocals(false)
                .factory());
    thread.allowCoreThreadTimeOut(true);
    return new DictionaryLoader(
        ResidentMemory.ofKeys(),
        byte[]::new,
        thread,
        CompletableFuture.delayedExecutor(ROUND_SECONDS, TimeUnit.SECONDS, thread));
  }

  /** What an index holds of the memory that this looks after. */
  DictionaryMemory account(ResidentKeys keys) {
    return new DictionaryMemory(keys, memory, allocator);
  }

  /** From now on looks after it. */
  void add(ResidentDictionary dictionary) {
    synchronized (this) {
      dictionaries.add(dictionary);
    }
    anyWaits = true;
    goRoundSoon();
  }

  /** No more. */
  void remove(ResidentDictionary dictionary) {
    synchronized (this) {
      dictionaries.remove(dictionary);
    }
    roomMayHaveCome();
  }

  private void roomMayHaveCome() {
    if (anyWaits) {
      goRoundSoon();
    }
  }

  private void goRoundSoon() {
    synchronized (this) {
      if (roundIsDue) {
        return;
      }
      roundIsDue = true;
    }
    try {
      now.execute(this::round);
    } catch (RuntimeException | VirtualMachineError | LinkageError e) {
      // No thread can be had. What waits stays on the disk until somebody asks again.
      synchronized (this) {
        roundIsDue = false;
      }
    }
  }

  private void round() {
    synchronized (this) {
      roundIsDue = false;
    }
    anyWaits = false;
    for (ResidentDictionary dictionary : dictionaries()) {
      dictionary.noticeReclaim();
      dictionary.load();
      if (dictionary.state() == ResidentDictionary.State.WAITING) {
        anyWaits = true;
      }
    }
    goRoundLater();
  }

  private void goRoundLater() {
    synchronized (this) {
      if (laterRoundIsDue || dictionaries.isEmpty()) {
        return;
      }
      laterRoundIsDue = true;
    }
    try {
      later.execute(this::laterRound);
    } catch (RuntimeException | VirtualMachineError | LinkageError e) {
      synchronized (this) {
        laterRoundIsDue = false;
      }
    }
  }

  private void laterRound() {
    synchronized (this) {
      laterRoundIsDue = false;
    }
    round();
  }

  private synchronized List<ResidentDictionary> dictionaries() {
    return List.copyOf(dictionaries);
  }
}
