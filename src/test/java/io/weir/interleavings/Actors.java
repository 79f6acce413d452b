package io.weir.interleavings;

import java.util.Arrays;
import java.util.List;

/** Threads that begin together. What one of them throws ends the run. */
public final class Actors {

  /** What one thread does. */
  @FunctionalInterface
  public interface Actor {
    void run() throws Exception;
  }

  private Actors() {}

  /** Runs each on a thread of its own, and waits for all. */
  public static void run(Actor... actors) throws InterruptedException {
    List<Thread> threads = Arrays.stream(actors).map(Actors::thread).toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** A thread that has not begun. */
  public static Thread thread(Actor actor) {
    return new Thread(
        () -> {
          try {
            actor.run();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }
}
