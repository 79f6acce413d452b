package io.weir.load.client;

import java.util.Arrays;

/**
 * What became of each request of a step. The schedule is fixed before the first is sent.
 *
 * <p><b>Units:</b> nanoseconds since the start of the step. <b>Threads:</b> {@link #done} from any;
 * what became of requests is read by the thread that gave up the rest.
 */
final class Requests {

  /** No answer came while the client waited. */
  static final int WAITING = 0;

  /** There was no whole answer: the connection was refused or broke. */
  static final int BROKEN = -1;

  private static final long NOT_YET = -1;

  private final long[] dueNanos;
  private final long[] sentNanos; // of the sending thread
  private final long[] doneNanos; // guarded by this until the client gives up
  private final int[] status; // likewise

  Requests(long[] dueNanos) {
    this.dueNanos = dueNanos;
    this.sentNanos = new long[dueNanos.length];
    this.doneNanos = new long[dueNanos.length];
    this.status = new int[dueNanos.length];
    Arrays.fill(doneNanos, NOT_YET);
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
    return doneNanos[i];
  }

  void sent(int i, long nanos) {
    sentNanos[i] = nanos;
  }

  /**
   * An answer, unless the client has given up.
   *
   * @return whether it counts
   */
  synchronized boolean done(int i, long nanos, int httpStatus) {
    if (doneNanos[i] != NOT_YET) {
      return false;
    }
    status[i] = httpStatus;
    doneNanos[i] = nanos;
    return true;
  }

  /** Waits no longer for those of the first {@code sent} that have no answer. */
  synchronized void giveUp(int sent, long nanos) {
    for (int i = 0; i < sent; i++) {
      if (doneNanos[i] == NOT_YET) {
        doneNanos[i] = nanos;
      }
    }
  }

  /** The HTTP status of its answer, {@link #BROKEN} or {@link #WAITING}. */
  int status(int i) {
    return status[i];
  }

  boolean isSuccess(int i) {
    return isSuccessStatus(status[i]);
  }

  /** Whether an HTTP status says that all went well. */
  static boolean isSuccessStatus(int httpStatus) {
    return httpStatus >= 200 && httpStatus < 300;
  }
}
