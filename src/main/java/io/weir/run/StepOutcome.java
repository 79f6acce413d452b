package io.weir.run;

/** What became of one step of load. */
public enum StepOutcome {
  /** The server kept its schedule, and p99 the limit. */
  KEPT("kept", false),
  /** The 99th percentile passed the limit. */
  OVER_LIMIT("over the limit", true),
  /** Fewer requests were answered than were sent, and more and more of them waited. */
  BEHIND("fell behind", true),
  /** Too many requests were refused or broken off. */
  ERRORS("errors", true),
  /** The client could not send or measure by its schedule: nothing is known of the server. */
  CLIENT("client saturated", true),
  /** The user stopped the run. */
  INTERRUPTED("interrupted", false);

  private final String label;
  private final boolean failure;

  StepOutcome(String label, boolean failure) {
    this.label = label;
    this.failure = failure;
  }

  /** In words, for a table. */
  public String label() {
    return label;
  }

  /** Whether the load was too much, for the server or for the client. */
  public boolean isFailure() {
    return failure;
  }
}
