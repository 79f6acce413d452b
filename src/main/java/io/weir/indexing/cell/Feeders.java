package io.weir.indexing.cell;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Threads that take documents from memory and pass them on as fast as they are taken, until they
 * are stopped.
 *
 * <p><b>Threads:</b> its own; the rest from one. <b>Failure:</b> the first thread that fails stops
 * all; {@link #throwFailure} throws what it threw.
 */
final class Feeders {

  /** What documents are passed to. */
  interface Sink {

    /**
     * Takes one document.
     *
     * @param number counts all documents of a cell from 0, each once
     * @param random the thread's own
     */
    void take(long number, MemoryDocuments.Text text, SplittableRandom random) throws IOException;
  }

  private final ThreadMXBean beans = ManagementFactory.getThreadMXBean();
  private final AtomicLong next = new AtomicLong();
  private final LongAdder documents = new LongAdder();
  private final LongAdder textBytes = new LongAdder();
  private final LongAdder endedProcessorNanos = new LongAdder(); // of threads that have ended
  private final AtomicReference<Optional<Throwable>> failure =
      new AtomicReference<>(Optional.empty());
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  /** Threads of which none runs yet. */
  static Feeders of(String name, int count, long seed, MemoryDocuments from, Sink sink) {
    Feeders feeders = new Feeders();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      SplittableRandom own = random.split();
      feeders.threads.add(
          Thread.ofPlatform()
              .name("weir-" + name + "-" + i)
              .unstarted(() -> feeders.feed(from, sink, own)));
    }
    return feeders;
  }

  /** Starts its threads. */
  Feeders start() {
    threads.forEach(Thread::start);
    return this;
  }

  private void feed(MemoryDocuments from, Sink sink, SplittableRandom random) {
    try {
      while (!stopped) {
        long number = next.getAndIncrement();
        MemoryDocuments.Text text = from.at(number);
        sink.take(number, text, random);
        documents.increment();
        textBytes.add(text.bytes());
      }
    } catch (Throwable t) {
      failure.updateAndGet(first -> first.or(() -> Optional.of(t)));
      stopped = true;
    } finally {
      endedProcessorNanos.add(Math.max(0, beans.getCurrentThreadCpuTime()));
    }
  }

  long documents() {
    return documents.sum();
  }

  long textBytes() {
    return textBytes.sum();
  }

  /** What its threads have used of processors. */
  long processorNanos() {
    long nanos = endedProcessorNanos.sum();
    for (Thread thread : threads) {
      if (thread.isAlive()) {
        nanos += Math.max(0, beans.getThreadCpuTime(thread.threadId())); // -1 when it just ended
      }
    }
    return nanos;
  }

  /** Whether a thread has failed. */
  boolean failed() {
    return failure.get().isPresent();
  }

  /** Ends its threads after the document that each is at, and waits for them. */
  void stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
  }

  /** Throws what the first thread that failed threw; does nothing if none did. */
  void throwFailure() throws IOException {
    if (failure.get().isPresent()) {
      throw new IOException("indexing failed: " + failure.get().get(), failure.get().get());
    }
  }
}
