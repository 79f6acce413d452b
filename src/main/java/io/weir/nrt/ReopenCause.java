package io.weir.nrt;

/** What a slow reopen was doing or waiting for, according to its stacks; see {@link SlowReopen}. */
public enum ReopenCause {
  /** Another thread was reopening; known exactly, from {@link ReopenPhase#LOCK_WAIT}. */
  REFRESH_LOCK("another reopen"),

  /** The merge scheduler stalled the thread, because too many merges were pending. */
  MERGE_STALL("merge scheduler's stall"),

  /** Waiting for merges of small segments. */
  MERGE_WAIT("full-flush merge wait"),

  /** The scheduler merges on the reopening thread. */
  MERGE("merge on this thread"),

  /** The application's searcher factory. */
  WARM("warming"),

  /** The application's listeners on the manager. */
  LISTENERS("refresh listeners"),

  /** Unmapping a file, usually the old reader's, which needs a handshake with every thread. */
  UNMAP("unmapping files"),

  /** Mapping a file into memory. */
  FILE_MAP("mapping a file"),

  /** Writing bytes of a new file to the kernel. */
  FILE_WRITE("writing a file"),

  /** Syncing a file to the disk. */
  FILE_SYNC("syncing a file"),

  /** Deleting a file. */
  FILE_DELETE("deleting a file"),

  /** Creating, opening, looking up or closing a file. */
  FILE_OPEN("opening or closing file"),

  /** Waiting for a lock, or for another thread. */
  LOCK("lock or another thread"),

  /** Looking up deleted terms in the terms dictionary. */
  DELETES_TERMS("deletes: terms lookup"),

  /** Other work for deletes and doc-values updates: postings, live documents, doc values. */
  DELETES("deletes: all else"),

  /** Reading headers and metadata of a segment's files. */
  SEGMENT_OPEN("opening a segment"),

  /** Loading code that runs for the first time, usually soon after the start of the JVM. */
  CLASS_LOAD("loading classes"),

  /** Starting a thread, as the merge scheduler does for a merge. */
  THREAD_START("starting a thread"),

  /** Any other read of a file. */
  FILE_READ("reading a file"),

  /** Running Lucene's code, or waiting for a processor: flush, sorting. */
  CPU("computing in Lucene"),

  /**
   * Neither this thread nor the sampler ran: garbage collection, another JVM pause, or no free
   * processor.
   */
  STANDSTILL("JVM stood still"),

  /**
   * Before sampling began, while the sampler was busy with an earlier reopen, or while it waited
   * for a first stack that came after the end.
   */
  NOT_SAMPLED("not sampled"),

  /** No rule matches the stack. */
  UNKNOWN("unknown");

  private final String label;

  ReopenCause(String label) {
    this.label = label;
  }

  /** A short label for a table column. */
  public String label() {
    return label;
  }
}
