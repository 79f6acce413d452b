package io.weir.store;

import io.weir.time.DaemonThreads;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Loads the waiting dictionaries of the process one by one as room becomes available, and keeps the
 * JVM from reclaiming those that are only idle.
 *
 * <p>It makes a round over all open dictionaries when one is opened, when one is closed, and every
 * second, because garbage collections free heap without notice.
 *
 * <p><b>Threads:</b> any. It has one daemon thread, which ends when no dictionary is open. No
 * method blocks or throws.
 */
final class DictionaryLoader {

  private static final long ROUND_SECONDS = 1;
  private static final long IDLE_SECONDS = 5;

  /** The loader of the process. */
  static final DictionaryLoader SHARED = shared();

  private final ResidentMemory memory;
  private final HeapCopy.Allocator allocator;
  private final Executor now;
  private final Executor later;

  // Guarded by this.
  private final Set<ResidentDictionary> dictionaries = new LinkedHashSet<>();
  private boolean roundIsDue;
  private boolean laterRoundIsDue;

  /** Whether the last round left a dictionary without room, or one was added since. */
  private volatile boolean anyWaits;

  /**
   * A loader apart from that of the process.
   *
   * @param now runs a round soon, on another thread
   * @param later the same after a delay
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
            DaemonThreads.named("weir-resident-keys"));
    thread.allowCoreThreadTimeOut(true);
    return new DictionaryLoader(
        ResidentMemory.ofKeys(),
        byte[]::new,
        thread,
        CompletableFuture.delayedExecutor(ROUND_SECONDS, TimeUnit.SECONDS, thread));
  }

  /** The memory for the dictionaries of one index. */
  DictionaryMemory memoryOf(ResidentKeys keys) {
    return new DictionaryMemory(keys, memory, allocator);
  }

  /** Adds a dictionary to the rounds. */
  void add(ResidentDictionary dictionary) {
    synchronized (this) {
      dictionaries.add(dictionary);
    }
    anyWaits = true;
    goRoundSoon();
  }

  /** Removes a dictionary. */
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
      // No thread is available. Waiting dictionaries stay on the disk until the next call.
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
