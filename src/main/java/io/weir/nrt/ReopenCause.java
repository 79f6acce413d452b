package io.weir.nrt;

/** What a slow reopen was doing, or waiting for, as its stacks tell; see {@link SlowReopen}. */
public enum ReopenCause {
  /** Another thread was reopening; known exactly, from {@link ReopenPhase#LOCK_WAIT}. */
  REFRESH_LOCK("another reopen"),

  /** The merge scheduler held the thread back, because merges had piled up. */
  MERGE_STALL("merge scheduler's stall"),

  /** Merges of small segments, which a reopen waits for. */
  MERGE_WAIT("full-flush merge wait"),

  /** The scheduler merges on the thread that reopens. */
  MERGE("merge on this thread"),

  /** The application's searcher factory. */
  WARM("warming"),

  /** Listeners that the application added to the manager. */
  LISTENERS("refresh listeners"),

  /** Closing a mapped file needs an answer of every thread; as a rule the old reader's. */
  UNMAP("unmapping files"),

  /** A file is mapped into memory. */
  FILE_MAP("mapping a file"),

  /** Bytes of a new file are handed to the kernel. */
  FILE_WRITE("writing a file"),

  /** A file is brought to the disk. */
  FILE_SYNC("syncing a file"),

  /** A file is deleted. */
  FILE_DELETE("deleting a file"),

  /** A file is created, opened, looked up or closed. */
  FILE_OPEN("opening or closing file"),

  /** A lock that somebody holds, or something that another thread has yet to do. */
  LOCK("lock or another thread"),

  /** Deleted terms are looked up in the terms dictionary. */
  DELETES_TERMS("deletes: terms lookup"),

  /** All else that deletes and doc-values updates need: postings, live documents, doc values. */
  DELETES("deletes: all else"),

  /** Headers and metadata of a segment's files. */
  SEGMENT_OPEN("opening a segment"),

  /** Code that runs for the first time; as a rule soon after the start of the JVM. */
  CLASS_LOAD("loading classes"),

  /** As the merge scheduler does for a merge. */
  THREAD_START("starting a thread"),

  /** A read of a file that is none of the above. */
  FILE_READ("reading a file"),

  /** Running Lucene's code, or waiting for a processor to run it: flush, sorting. */
  CPU("computing in Lucene"),

  /**
   * Neither this thread nor the one that samples went on: garbage collection, another pause of the
   * JVM, or a machine without a free processor.
   */
  STANDSTILL("JVM stood still"),

  /** Before the sampling began, or while the sampler was busy with a reopen before. */
  NOT_SAMPLED("not sampled"),

  /** No rule knows the stack. */
  UNKNOWN("unknown");

  private final String label;

  ReopenCause(String label) {
    this.label = label;
  }

  /** In a few words that fit a column of a table, for people. */
  public String label() {
    return label;
  }
}
