package io.weir.indexing.cell;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.util.InfoStream;

/**
 * Counts the times in which Lucene holds indexing threads back, from what the writer says: because
 * flushes do not keep up with the buffer, which stops all threads, or because too many merges run,
 * which stops the thread that flushed.
 *
 * <p>Source: Lucene 10, {@code DocumentsWriterFlushControl.updateStallState} and {@code
 * ConcurrentMergeScheduler.maybeStall}; both say at the end how long it was.
 *
 * <p><b>Threads:</b> any.
 */
final class StallMeter extends InfoStream {

  private static final String FLUSH_CONTROL = "DWFC"; // asked for, and then called "DW"
  private static final String DOCUMENTS = "DW";
  private static final String MERGES = "MS";
  private static final Pattern FLUSH_STALL =
      Pattern.compile("done stalling flushes for ([0-9.,]+) msec");
  private static final Pattern MERGE_STALL = Pattern.compile("\\s*stalled for ([0-9]+) ms");

  private final AtomicLong flushStalls = new AtomicLong();
  private final AtomicLong flushStallNanos = new AtomicLong();
  private final AtomicLong mergeStalls = new AtomicLong();
  private final AtomicLong mergeStallNanos = new AtomicLong();

  @Override
  public boolean isEnabled(String component) {
    return component.equals(FLUSH_CONTROL) || component.equals(MERGES);
  }

  @Override
  public void message(String component, String message) {
    if (component.equals(DOCUMENTS)) {
      count(FLUSH_STALL.matcher(message), flushStalls, flushStallNanos);
    } else if (component.equals(MERGES)) {
      count(MERGE_STALL.matcher(message), mergeStalls, mergeStallNanos);
    }
  }

  private static void count(Matcher message, AtomicLong stalls, AtomicLong nanos) {
    if (message.lookingAt()) {
      stalls.incrementAndGet();
      double millis = Double.parseDouble(message.group(1).replace(',', '.')); // a locale's comma
      nanos.addAndGet((long) (millis * TimeUnit.MILLISECONDS.toNanos(1)));
    }
  }

  long flushStalls() {
    return flushStalls.get();
  }

  long flushStallNanos() {
    return flushStallNanos.get();
  }

  long mergeStalls() {
    return mergeStalls.get();
  }

  long mergeStallNanos() {
    return mergeStallNanos.get();
  }

  @Override
  public void close() {}
}
