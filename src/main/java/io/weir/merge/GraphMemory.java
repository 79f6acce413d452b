package io.weir.merge;

import io.weir.lucene.SegmentFiles;
import io.weir.lucene.VectorGraphs;
import io.weir.rate.WaitStrategy;
import io.weir.store.held.HeapHeadroom;
import io.weir.time.NanoClock;
import io.weir.time.OnceLog;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The heap that merges of this process take for vector graphs. A merge begins a graph when what it
 * will need, as {@link VectorGraphs} predicts, fits what is free after collections. Otherwise it
 * waits until others have written theirs, or a collection shows room.
 *
 * <p><b>When.</b> Lucene builds a graph from vectors that the merge has already written. So a merge
 * that has created a graph's file, and now opens a file that it wrote itself, begins a graph. It
 * has that graph until it creates another file. All that comes before passes without this wait, and
 * under the cap; a merge that a cap pauses there keeps no memory from others. While it has a graph,
 * neither a cap nor Lucene's own limits nor readers pause it: it is debited.
 *
 * <p><b>Order.</b> Who waits longest is next. Those that fit overtake it until they have taken as
 * much as it needs. While no merge has a graph the next one begins, whether it fits or not: it can
 * only get more room by others. So no merge waits for ever, and one that never fits runs alone.
 * That is logged once, and counted.
 *
 * <p>A merge that a reader, indexing or a close waits for, and one whose deadline is at risk,
 * begins at once. Graphs of less than {@link #LEAST_BYTES} neither wait nor count.
 *
 * <p><b>Units:</b> bytes of heap, predicted. A graph that exists already may count twice, as
 * promised and as used: then another one waits longer than it must. <b>Threads:</b> any; only
 * {@link OfMerge#opens} waits, on a thread of the merge, with no lock and no grant.
 * <b>Ownership:</b> one for a process; what a merge has taken, it gives back at its end.
 * <b>Failure:</b> if the memory beans are denied, all used heap counts, garbage included. A merge
 * whose graph cannot be predicted does not wait; that is logged.
 */
final class GraphMemory {

  static final long LEAST_BYTES = 1L << 20;
  static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();

  static final GraphMemory OF_THIS_PROCESS = new GraphMemory(Heap.OF_THIS_JVM, NanoClock.SYSTEM);

  /** What the application has left of the heap. */
  interface Heap {

    Heap OF_THIS_JVM =
        new Heap() {
          @Override
          public long roomBytes() {
            return HeapHeadroom.OF_THIS_JVM.roomBytes();
          }

          @Override
          public void promise(long bytes) {
            HeapHeadroom.OF_THIS_JVM.promise(bytes);
          }

          @Override
          public void drop(long bytes) {
            HeapHeadroom.OF_THIS_JVM.drop(bytes, 0);
          }
        };

    /** Room for more than what is promised; negative if there is none even for that. */
    long roomBytes();

    /** A merge will allocate these bytes. */
    void promise(long bytes);

    /** It needs them no more. */
    void drop(long bytes);
  }

  /** A merge that waits. */
  private static final class Waiter {

    final OfMerge merge;
    final long bytes;
    final Thread thread = Thread.currentThread();
    long overtakenBytes; // guarded by the lock of its owner

    /** Whether something has changed since its last look. */
    volatile boolean stale;

    Waiter(OfMerge merge, long bytes) {
      this.merge = merge;
      this.bytes = bytes;
    }
  }

  private final Heap heap;
  private final NanoClock clock;
  private final OnceLog log = new OnceLog(GraphMemory.class);
  private final OnceLog faults = new OnceLog(GraphMemory.class);
  private final List<Waiter> waiting = new ArrayList<>(); // guarded by this, as all below
  private int held;
  private long misfits;

  GraphMemory(Heap heap, NanoClock clock) {
    this.heap = heap;
    this.clock = clock;
  }

  /** How many graphs were begun that did not fit. */
  synchronized long misfits() {
    return misfits;
  }

  /**
   * The graphs of one merge.
   *
   * @param heapBytes what the next one will take, as predicted
   * @param wait how it waits; an abort ends it at once
   * @param hurries whether it must not wait now
   */
  OfMerge ofMerge(
      LongSupplier heapBytes, WaitStrategy wait, BooleanSupplier hurries, KindCounters counters) {
    return new OfMerge(heapBytes, wait, hurries, counters);
  }

  /** <b>Threads:</b> those of the merge; any for {@link #isHeld} and {@link #ends}. */
  final class OfMerge {

    private final LongSupplier heapBytes;
    private final WaitStrategy wait;
    private final BooleanSupplier hurries;
    private final KindCounters counters;
    private volatile boolean writesVectors;
    private volatile long heldBytes; // written under the lock of the owner
    private boolean ended; // guarded by the lock of the owner

    private OfMerge(
        LongSupplier heapBytes, WaitStrategy wait, BooleanSupplier hurries, KindCounters counters) {
      this.heapBytes = heapBytes;
      this.wait = wait;
      this.hurries = hurries;
      this.counters = counters;
    }

    /** Whether the merge has a graph now, and so must not be paused. */
    boolean isHeld() {
      return heldBytes > 0;
    }

    /** The merge has created a file, temporary or not: the graph before that is written. */
    void created(String name) {
      if (SegmentFiles.isVectorGraph(name)) {
        writesVectors = true;
      } else if (SegmentFiles.isWrittenAfterVectors(name)) {
        writesVectors = false;
      }
      give(this, false);
    }

    /** The merge opens a file that it has written: it may wait here, and then has a graph. */
    void opens() throws InterruptedException {
      if (writesVectors && !isHeld()) {
        long bytes = predicted();
        if (bytes >= LEAST_BYTES) {
          take(this, bytes);
        }
      }
    }

    private long predicted() {
      try {
        return heapBytes.getAsLong();
      } catch (RuntimeException | LinkageError e) {
        faults.warn("the heap that a vector graph will take is unknown: it is not waited for", e);
        return 0;
      }
    }

    /** The merge has ended, in any way. */
    void ends() {
      give(this, true);
    }
  }

  private void take(OfMerge merge, long bytes) throws InterruptedException {
    Waiter waiter = new Waiter(merge, bytes);
    if (begins(waiter)) {
      return;
    }
    merge.counters.graphWaits.increment();
    long lastNanos = clock.nanoTime();
    try {
      while (!merge.wait.isCancelled() && !begins(waiter)) {
        merge.wait.await(LOOK_NANOS, () -> !waiter.stale);
        long nowNanos = clock.nanoTime();
        merge.counters.graphWaitNanos.add(nowNanos - lastNanos);
        lastNanos = nowNanos;
      }
    } finally {
      forget(waiter);
    }
  }

  /** Begins the graph if it may begin now; otherwise it is, or stays, in the queue. */
  private synchronized boolean begins(Waiter waiter) {
    waiter.stale = false;
    if (waiter.merge.ended) {
      return true; // it needs nothing any more
    }
    long roomBytes = heap.roomBytes();
    int place = waiting.indexOf(waiter);
    List<Waiter> before = place < 0 ? waiting : waiting.subList(0, place);
    boolean fits = waiter.bytes <= roomBytes;
    boolean isNext = before.stream().allMatch(w -> w.overtakenBytes + waiter.bytes <= w.bytes);
    boolean isAlone = held == 0 && before.isEmpty();
    if (!(fits && isNext) && !isAlone && !waiter.merge.hurries.getAsBoolean()) {
      if (place < 0) {
        waiting.add(waiter);
      }
      return false;
    }
    before.forEach(w -> w.overtakenBytes += waiter.bytes);
    if (!fits) {
      misfits++;
      log.log(
          Level.WARNING,
          "a merge builds a vector graph of about "
              + waiter.bytes
              + " bytes, and the heap has room for "
              + Math.max(0, roomBytes)
              + " bytes; it begins because "
              + (isAlone ? "no other merge has one" : "indexing, a reader or a close waits for it")
              + ". A larger heap would have room. This is logged once.");
    }
    held++;
    heap.promise(waiter.bytes);
    waiter.merge.heldBytes = waiter.bytes;
    waiter.merge.counters.graphBytes.add(waiter.bytes);
    return true;
  }

  private void forget(Waiter waiter) {
    List<Waiter> left;
    synchronized (this) {
      if (!waiting.remove(waiter)) {
        return;
      }
      left = List.copyOf(waiting);
    }
    wake(left); // another one may be the next now
  }

  private void give(OfMerge merge, boolean ends) {
    if (!ends && !merge.isHeld()) {
      return; // every file of a merge gets here
    }
    List<Waiter> left;
    synchronized (this) {
      merge.ended |= ends;
      long bytes = merge.heldBytes;
      if (bytes == 0) {
        return;
      }
      merge.heldBytes = 0;
      merge.counters.graphBytes.add(-bytes);
      held--;
      heap.drop(bytes);
      left = List.copyOf(waiting);
    }
    wake(left);
  }

  private static void wake(List<Waiter> waiters) {
    for (Waiter waiter : waiters) {
      waiter.stale = true;
      waiter.merge.wait.wakeUp(waiter.thread);
    }
  }
}
