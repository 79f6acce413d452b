package io.weir.load.client;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What became of each request of a step. The schedule is fixed before the first is sent.
 *
 * <p><b>Units:</b> nanoseconds since the start of the step. <b>Threads:</b> any.
 */
final class Requests {

  /** No answer came while the client waited. */
  static final int WAITING = 0;

  /** There was no whole answer: the connection was refused or broke. */
  static final int BROKEN = -1;

  private static final long NOT_YET = -1;

  private final long[] dueNanos;
  private final long[] sentNanos; // of the sending thread
  private final AtomicLongArray doneNanos;
  private final int[] status; // written before doneNanos

  Requests(long[] dueNanos) {
    this.dueNanos = dueNanos;
    this.sentNanos = new long[dueNanos.length];
    this.doneNanos = new AtomicLongArray(dueNanos.length);
    this.status = new int[dueNanos.length];
    for (int i = 0; i < dueNanos.length; i++) {
      doneNanos.setPlain(i, NOT_YET);
    }
  }

  /** How many the schedule has. */
  int count() {
    return dueNanos.length;
  }

  long dueNanos(int i) {
    return dueNanos[i];
  }

  long sentNanos(int i) {
    return sentNanos[i];
  }

  /** When its answer was there, or the client gave up. */
  long doneNanos(int i) {
    return doneNanos.get(i);
  }

  void sent(int i, long nanos) {
    sentNanos[i] = nanos;
  }

  /** An answer, unless the client has given up. */
  void done(int i, long nanos, int httpStatus) {
    if (doneNanos.get(i) == NOT_YET) {
      status[i] = httpStatus;
      doneNanos.set(i, nanos);
    }
  }

  /** Waits no longer for those of the first {@code sent} that have no answer. */
  void giveUp(int sent, long nanos) {
    for (int i = 0; i < sent; i++) {
      if (doneNanos.get(i) == NOT_YET) {
        doneNanos.set(i, nanos);
      }
    }
  }

  /** The HTTP status of its answer, {@link #BROKEN} or {@link #WAITING}. */
  int status(int i) {
    return status[i];
  }

  boolean isSuccess(int i) {
    return status[i] >= 200 && status[i] < 300;
  }
}
