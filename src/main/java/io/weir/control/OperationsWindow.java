package io.weir.control;

import io.weir.control.OperationsSight.ChargedBytes;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The operations and the bytes of the last ticks.
 *
 * <p><b>Units:</b> nanoseconds of one clock, operations, bytes. <b>Threads:</b> one at a time.
 */
final class OperationsWindow {

  private static final double NANOS_PER_SECOND = 1e9;

  private record Tick(long nanos, long operations, ChargedBytes used, boolean delayed) {}

  private final long leastNanos;
  private final long mostNanos;
  private final long enough;
  private final Deque<Tick> ticks = new ArrayDeque<>();
  private long nanos;
  private long operations;
  private double readBytes; // a budget without a cap may grant any number
  private double writtenBytes;
  private int delayed;

  /**
   * Keeps the last ticks.
   *
   * @param leastNanos they cover at least so much time, once that has passed
   * @param mostNanos and no more than this, or a tick more
   * @param enough in between, they hold so many operations if they can
   */
  OperationsWindow(long leastNanos, long mostNanos, long enough) {
    this.leastNanos = leastNanos;
    this.mostNanos = mostNanos;
    this.enough = enough;
  }

  void add(long tickNanos, long tickOperations, ChargedBytes used, boolean tickDelayed) {
    Tick tick = new Tick(tickNanos, tickOperations, used, tickDelayed);
    ticks.addLast(tick);
    count(tick, 1);
    while (ticks.size() > 1 && isEnoughWithout(ticks.getFirst())) {
      count(ticks.removeFirst(), -1);
    }
  }

  private boolean isEnoughWithout(Tick first) {
    long left = nanos - first.nanos();
    return left >= mostNanos || left >= leastNanos && operations - first.operations() >= enough;
  }

  private void count(Tick tick, int sign) {
    nanos += sign * tick.nanos();
    operations += sign * tick.operations();
    readBytes += (double) sign * tick.used().readBytes();
    writtenBytes += (double) sign * tick.used().writtenBytes();
    delayed += tick.delayed() ? sign : 0;
  }

  void clear() {
    ticks.clear();
    nanos = 0;
    operations = 0;
    readBytes = 0;
    writtenBytes = 0;
    delayed = 0;
  }

  long nanos() {
    return nanos;
  }

  double seconds() {
    return nanos / NANOS_PER_SECOND;
  }

  long operations() {
    return operations;
  }

  /** Operations per second; 0 without ticks. */
  double operationsPerSecond() {
    return nanos == 0 ? 0 : operations / seconds();
  }

  double readBytes() {
    return readBytes;
  }

  double writtenBytes() {
    return writtenBytes;
  }

  /** Of the bytes, from 0 to 1; 0 of nothing. */
  double shareOfReads() {
    return readBytes == 0 ? 0 : readBytes / (readBytes + writtenBytes);
  }

  /** Whether a merge waited for the budget in any of the ticks. */
  boolean isDelayed() {
    return delayed > 0;
  }
}
