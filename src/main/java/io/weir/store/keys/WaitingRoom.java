package io.weir.store.keys;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The dictionaries that wait for room within one bound: that of an index, or that of the process.
 *
 * <p>The order is fair in both directions:
 *
 * <ul>
 *   <li>The one that has waited longest is next if it fits. Otherwise the smallest may overtake it,
 *       so a large one does not hold up those behind it.
 *   <li>When as many bytes have overtaken it as it needs, room is kept for it for up to {@link
 *       #TURN}, so small ones do not hold it up for ever. If the room does not come in that time,
 *       it goes to the end of the queue.
 *   <li>One that would not fit even if all others were gone waits apart until the bound rises.
 * </ul>
 *
 * <p>Each operation takes time logarithmic in the number of those that wait.
 *
 * <p><b>Threads:</b> none of its own; the owner guards it.
 */
final class WaitingRoom {

  /** How long room is kept for one that was overtaken often. */
  static final Duration TURN = Duration.ofMinutes(1);

  /** A dictionary that waits. */
  interface Waiter {

    /** There may be room: it goes to the thread that loads it. */
    void enqueue();

    /** Loads it, if there is room; otherwise it waits again. */
    void load();
  }

  /** Of one that waits. */
  private static final class Place {

    final Waiter dictionary;
    final long neededBytes;
    final long number;
    long overtakenBytes;
    boolean hasTurn;
    long turnEndNanos;

    Place(Waiter dictionary, long neededBytes, long number) {
      this.dictionary = dictionary;
      this.neededBytes = neededBytes;
      this.number = number;
    }
  }

  private final Map<Waiter, Place> tooLarge = new LinkedHashMap<>();
  private final LinkedHashMap<Waiter, Place> byArrival = new LinkedHashMap<>();
  private final TreeSet<Place> bySize =
      new TreeSet<>(
          Comparator.<Place>comparingLong(place -> place.neededBytes)
              .thenComparingLong(place -> place.number));
  private long nextNumber;
  private long lastPossibleBytes;

  boolean isEmpty() {
    return byArrival.isEmpty() && tooLarge.isEmpty();
  }

  /** Adds one; if it waits already, it keeps its place. */
  void add(Waiter dictionary, long neededBytes) {
    if (!byArrival.containsKey(dictionary) && !tooLarge.containsKey(dictionary)) {
      addLast(dictionary, neededBytes);
    }
  }

  /** Removes one, if it waits. */
  void remove(Waiter dictionary) {
    tooLarge.remove(dictionary);
    Place place = byArrival.remove(dictionary);
    if (place != null) {
      bySize.remove(place);
    }
  }

  /**
   * Removes the next one that fits.
   *
   * @param roomBytes now
   * @param possibleBytes the most room that there can be
   * @param nowNanos the time
   * @return the bytes that it needs, which are given to {@code taken} with it; -1 if none is next
   */
  long take(long roomBytes, long possibleBytes, long nowNanos, Consumer<Waiter> taken) {
    Place next = next(roomBytes, possibleBytes, nowNanos);
    if (next == null) {
      return -1;
    }
    remove(next.dictionary);
    taken.accept(next.dictionary);
    return next.neededBytes;
  }

  private Place next(long roomBytes, long possibleBytes, long nowNanos) {
    if (possibleBytes > lastPossibleBytes) {
      tooLarge.forEach((dictionary, place) -> addLast(dictionary, place.neededBytes));
      tooLarge.clear();
    }
    lastPossibleBytes = possibleBytes;
    while (!byArrival.isEmpty()) {
      Place oldest = byArrival.firstEntry().getValue();
      if (oldest.neededBytes > possibleBytes) {
        remove(oldest.dictionary);
        tooLarge.put(oldest.dictionary, oldest);
      } else if (oldest.neededBytes <= roomBytes) {
        return oldest;
      } else if (oldest.overtakenBytes < oldest.neededBytes) {
        Place smallest = bySize.first();
        if (smallest.neededBytes > roomBytes) {
          return null;
        }
        oldest.overtakenBytes += smallest.neededBytes;
        return smallest;
      } else if (!oldest.hasTurn) {
        oldest.hasTurn = true;
        oldest.turnEndNanos = nowNanos + TURN.toNanos();
      } else if (nowNanos - oldest.turnEndNanos < 0) {
        return null;
      } else {
        remove(oldest.dictionary);
        addLast(oldest.dictionary, oldest.neededBytes);
      }
    }
    return null;
  }

  private void addLast(Waiter dictionary, long neededBytes) {
    Place place = new Place(dictionary, neededBytes, nextNumber++);
    byArrival.put(dictionary, place);
    bySize.add(place);
  }
}
