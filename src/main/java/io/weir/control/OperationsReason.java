package io.weir.control;

/** Why an {@link OperationsCap} changed the rate or left it as it is. */
public enum OperationsReason {
  /** No merge writes, so no rate would matter. */
  NO_MERGES("no merge writes"),

  /** A merge begins after a rest; what its bytes cost is not known yet. */
  MERGES_BEGIN("merges begin again after a rest"),

  /**
   * Merges read or write a larger part of their bytes than before, which costs other operations.
   */
  OTHER_WORK("merges verify more or copy more than before"),

  /** There were more operations than the limit: the rate is cut. */
  OVER("more operations than the limit"),

  /** There were more, but the rate is at its floor already. */
  OVER_AT_FLOOR("more operations than the limit, and the rate is at its floor"),

  /** There were more a moment ago, and now there are fewer to make up for them. */
  PAYING_BACK("making up for too many operations before"),

  /** The rate was below what indexing needs: it is raised. */
  KEEP_UP("merges must keep up with indexing"),

  /** The rate was above the ceiling. */
  OVER_CEILING("the rate was above the ceiling"),

  /** There were fewer operations than the limit: the rate is raised. */
  ROOM("fewer operations than the limit"),

  /** The operations are at the limit. */
  AT_LIMIT("operations are at the limit"),

  /** A change has not shown its effect yet. */
  SETTLING("the last change has not shown its effect yet"),

  /** Merges do not use the rate, so a higher one would change nothing. */
  UNUSED("merges do not use the rate"),

  /** The rate is at its ceiling. */
  AT_CEILING("the rate is at its ceiling"),

  /** Somebody has paused the budget. */
  PAUSED("the budget is paused"),

  /** The kernel does not say how many operations there were: the rate stays as it is. */
  UNKNOWN("the operations cannot be read, so the rate stays");

  private final String text;

  OperationsReason(String text) {
    this.text = text;
  }

  /** The reason in words. */
  public String text() {
    return text;
  }
}
