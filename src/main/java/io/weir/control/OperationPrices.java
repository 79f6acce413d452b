package io.weir.control;

import io.weir.control.OperationsSight.ChargedBytes;
import io.weir.procfs.OperationCounters;

/**
 * How many operations a byte of a merge costs: one price of what merges read, and one of what they
 * write. A merge reads ahead in large pieces while it verifies its input, and its output reaches
 * the disk in smaller ones. So the operations of a byte change with what the merge does, and that
 * is known before the disk shows it.
 *
 * <p>A price is the ratio of operations to charged bytes while there are such bytes, and for a
 * while after: writes reach the disk after they were charged. What others do on the disk is in it.
 * So the prices serve to compare two kinds of work, and no rate follows from them alone. A price
 * that is unknown is taken to be high: {@link #BYTES_PER_OPERATION_AT_FIRST}.
 *
 * <p><b>Units:</b> operations per byte, nanoseconds of one clock. <b>Threads:</b> one at a time.
 */
final class OperationPrices {

  /** A byte whose price is unknown is taken to cost as much as if it came in such pieces. */
  static final double BYTES_PER_OPERATION_AT_FIRST = 16_384;

  private final Price ofReads = new Price();
  private final Price ofWrites = new Price();

  /** Takes a tick in. */
  void add(long elapsedNanos, OperationCounters operations, ChargedBytes used) {
    ofReads.add(elapsedNanos, operations.reads(), used.readBytes());
    ofWrites.add(elapsedNanos, operations.writes(), used.writtenBytes());
  }

  /** What the bytes cost. */
  double of(double readBytes, double writtenBytes) {
    return readBytes * ofReads.perByte() + writtenBytes * ofWrites.perByte();
  }

  /** Whether operations of such work were counted for seconds. */
  boolean areKnownWell(double shareOfReads) {
    return (shareOfReads == 0 || ofReads.isKnownWell())
        && (shareOfReads == 1 || ofWrites.isKnownWell());
  }

  /** What one byte costs where such a share of them is read. */
  double ofOne(double shareOfReads) {
    return of(shareOfReads, 1 - shareOfReads);
  }

  /** An average in which the last seconds of such work count most. */
  private static final class Price {

    private static final double AVERAGE_NANOS = 5e9;
    private static final long AFTERWARDS_NANOS = 500_000_000;
    private static final double ENOUGH = 10; // operations
    private static final double MANY = 40;
    private static final double LEAST_BYTES_PER_OPERATION = 512; // a sector
    private static final double MOST_BYTES_PER_OPERATION = 4 << 20;

    private long nanos; // so far
    private double counted; // so far, where the others forget
    private double operations;
    private double bytes;
    private long sinceNanos = AFTERWARDS_NANOS; // since the last such bytes

    void add(long elapsedNanos, long newOperations, long newBytes) {
      sinceNanos = newBytes > 0 ? 0 : Math.min(AFTERWARDS_NANOS, sinceNanos + elapsedNanos);
      if (sinceNanos >= AFTERWARDS_NANOS) {
        return;
      }
      double left = operations > MANY ? Math.exp(-elapsedNanos / AVERAGE_NANOS) : 1;
      counted += newOperations;
      nanos += elapsedNanos;
      operations = operations * left + newOperations;
      bytes = bytes * left + newBytes;
    }

    boolean isKnown() {
      return operations >= ENOUGH;
    }

    boolean isKnownWell() {
      return counted >= MANY && nanos >= AVERAGE_NANOS;
    }

    double perByte() {
      double bytesPerOperation = isKnown() ? bytes / operations : BYTES_PER_OPERATION_AT_FIRST;
      return 1 / Math.clamp(bytesPerOperation, LEAST_BYTES_PER_OPERATION, MOST_BYTES_PER_OPERATION);
    }
  }
}
