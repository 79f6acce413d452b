package io.weir.nrt;

/**
 * The parts of the time from handing a document over until it can be found, in order. They do not
 * overlap, and add up to the whole.
 */
public enum VisiblePart {
  /**
   * From the moment that the application had the document until the writer had it; 0 unless the
   * application {@linkplain ReopenMonitor#indexed(long, long) says} when it had it.
   */
  WRITE,

  /**
   * From then until the next reopen was intended, or called if that is not known. Of a reopen that
   * bypasses the monitor: until it had the lock.
   */
  NEXT_REOPEN,

  /** From then until the reopen could begin, because it was late or another one was in progress. */
  LOCK,

  /** From then until the new searcher was visible, or until the end if that is not known. */
  REOPEN
}
