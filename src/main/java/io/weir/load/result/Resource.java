package io.weir.load.result;

/** What can be full while a server saturates. */
public enum Resource {
  /** The client, so that nothing is known of the server. */
  CLIENT("the client"),
  /** The garbage collector of the server. */
  COLLECTOR("the collector"),
  /** The processors of the machine. */
  PROCESSOR("the processor"),
  /** Tasks waited for the disk. */
  DISK("the disk"),
  /** The threads that the server was allowed. */
  THREADS("the pool of server threads"),
  /** None of those; something else limits, such as a lock. */
  NONE("none of those measured");

  private final String label;

  Resource(String label) {
    this.label = label;
  }

  /** In words. */
  public String label() {
    return label;
  }
}
