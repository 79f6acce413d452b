package io.weir.merge;

import io.weir.time.OnceLog;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The threads that work for a merge beside its own: what they read and compute counts for it.
 *
 * <p>Some are handed a part of it, which has a beginning and an end. Others are of a pool that a
 * format of vectors has brought, and build a part of a graph. From Lucene 10.5 on these ask before
 * each vector whether the merge is aborted, which shows that they work for it; nothing shows their
 * end. But the merge's own thread waits for them before it writes the graph. So they end when that
 * thread writes next, or when the merge ends.
 *
 * <p><b>Threads:</b> any. <b>Failure:</b> only {@link #works} throws, what {@link
 * MergeYield#mergeBegins} does; the thread works for the merge all the same.
 *
 * <p>Source: Lucene 10.5.1, {@code HnswGraphBuilder.addGraphNode}, {@code MergeState.checkAborted}
 * and {@code TaskExecutor.invokeAll}.
 */
final class MergeThreads {

  private static final OnceLog FAILURE = new OnceLog(MergeThreads.class);

  private final MergeYield yield;
  private final MergeProcessorTime processor;
  private final MergeReadAccount reads;
  private final MergeSchedulingClass.OfMerge computing;

  /** Those without an end; changed under this. */
  private final Set<Thread> working = ConcurrentHashMap.newKeySet();

  private boolean hasFinished; // guarded by this

  MergeThreads(
      MergeYield yield,
      MergeProcessorTime processor,
      MergeReadAccount reads,
      MergeSchedulingClass.OfMerge computing) {
    this.yield = yield;
    this.processor = processor;
    this.reads = reads;
    this.computing = computing;
  }

  /** Runs a part, on another thread or on the merge's own where Lucene has no other. */
  void runs(Runnable part) {
    boolean began = processor.begins();
    boolean reading = reads.begins();
    boolean idling = computing.partBegins();
    try {
      part.run();
    } finally {
      if (idling) {
        computing.partEnds();
      }
      if (reading) {
        reads.ends(Thread.currentThread());
      }
      if (began) {
        processor.ends(Thread.currentThread());
      }
    }
  }

  /** The calling thread, which is not the merge's own, works for it. Called for each vector. */
  void works() {
    Thread thread = Thread.currentThread();
    if (working.contains(thread)) {
      return;
    }
    synchronized (this) {
      if (!hasFinished && working.add(thread)) {
        processor.begins();
        reads.begins();
        yield.mergeBegins();
      }
    }
  }

  /** The merge's own thread goes on: those without an end have ended. */
  void end() {
    if (!working.isEmpty()) {
      endAll();
    }
  }

  /** The merge ends, and no thread works for it any more. */
  synchronized void finish() {
    hasFinished = true;
    endAll();
  }

  private synchronized void endAll() {
    for (Thread thread : working) {
      processor.ends(thread);
      reads.ends(thread);
      try {
        yield.mergeEnds(thread);
      } catch (RuntimeException | Error e) {
        FAILURE.warn("the yield of merges failed at the end of a thread; this is logged once", e);
      }
    }
    working.clear();
  }
}
