package io.weir.load.client;

import java.util.ArrayList;
import java.util.List;

/**
 * The times in which the client itself stood still: its JVM paused, or the machine gave it no
 * processor.
 *
 * <p>A request is the client's and not the server's when most of its time passed in such a stall,
 * or before the client sent it. Then its time is set aside. A request that waited two seconds for
 * the server stays the server's, also when the client stood still for some milliseconds of them.
 *
 * <p><b>Units:</b> nanoseconds of one clock. <b>Threads:</b> any.
 */
public final class ClientStalls {

  /** A shorter delay is what waking a thread takes on a busy machine. */
  public static final long LEAST_NANOS = 5_000_000;

  private record Stall(long fromNanos, long toNanos) {}

  private final List<Stall> stalls = new ArrayList<>(); // guarded by this; in order, apart

  /** A thread that was due at {@code toNanos - lateNanos} ran at {@code toNanos}. */
  public synchronized void add(long toNanos, long lateNanos) {
    if (lateNanos < LEAST_NANOS) {
      return;
    }
    long from = toNanos - lateNanos;
    while (!stalls.isEmpty() && stalls.getLast().toNanos() >= from) {
      from = Math.min(from, stalls.removeLast().fromNanos());
    }
    stalls.add(new Stall(from, toNanos));
  }

  /** How many there were between two moments. */
  public synchronized long count(long fromNanos, long toNanos) {
    return stalls.stream().filter(stall -> overlap(stall, fromNanos, toNanos) > 0).count();
  }

  /** The longest between two moments. */
  public synchronized long longestNanos(long fromNanos, long toNanos) {
    return stalls.stream()
        .filter(stall -> overlap(stall, fromNanos, toNanos) > 0)
        .mapToLong(stall -> stall.toNanos() - stall.fromNanos())
        .max()
        .orElse(0);
  }

  /**
   * Whether most of the time of a request was the client's.
   *
   * @param dueNanos when it was to be sent
   * @param sentNanos when it was sent
   * @param doneNanos when its answer was there
   */
  public synchronized boolean tookMostOf(long dueNanos, long sentNanos, long doneNanos) {
    long late = sentNanos - dueNanos;
    long stalled = 0;
    for (int i = stalls.size() - 1; i >= 0 && stalls.get(i).toNanos() > sentNanos; i--) {
      stalled += overlap(stalls.get(i), sentNanos, doneNanos);
    }
    long own = late + stalled;
    return own >= LEAST_NANOS && 2 * own > doneNanos - dueNanos;
  }

  private static long overlap(Stall stall, long fromNanos, long toNanos) {
    return Math.max(0, Math.min(stall.toNanos(), toNanos) - Math.max(stall.fromNanos(), fromNanos));
  }
}
