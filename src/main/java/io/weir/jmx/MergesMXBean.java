package io.weir.jmx;

import java.util.List;

/**
 * The JMX view of the merges of one writer.
 *
 * <p><b>Units:</b> bytes, milliseconds. Counters start when the scheduler or the tracker is
 * created.
 */
public interface MergesMXBean {

  /** Bytes that merges wrote, including temporary and compound files. */
  long getWrittenBytes();

  /** The part of those that forced merges wrote. */
  long getForcedBytes();

  /** Merges that finished. */
  long getDone();

  /** Merges that were aborted. */
  long getAborted();

  /** Merges that failed. */
  long getFailed();

  /** Time that merges waited for a cap or for readers, summed over threads. */
  long getPausedMillis();

  /** The running merges: kind, segment, bytes written. */
  List<String> getRunning();
}
