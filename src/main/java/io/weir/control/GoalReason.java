package io.weir.control;

/** Why a {@link LatencyGoal} changed the rate or left it as it is. */
public enum GoalReason {
  /** No merge writes, so no rate would matter. */
  NO_MERGES("no merge writes"),

  /** A merge begins after a rest; what was learned before may be out of date. */
  MERGES_BEGIN("merges begin again after a rest"),

  /** A forced merge begins, and which rate is too high is not known: the rate is the start's. */
  FORCED_MERGE_BEGINS("a forced merge begins"),

  /** The target is missed: the rate is cut. */
  MISSED("the target is missed"),

  /** The target is missed, but the rate is at its floor already. */
  MISSED_AT_FLOOR("the target is missed, and the rate is at its floor"),

  /** Operations queue up, so the target would be missed soon: the rate is cut. */
  QUEUEING("operations queue up"),

  /** After a cut merges stood back, so that what had queued up could end: they go on. */
  DRAINED("merges have stood back after the cut"),

  /** The rate was below what indexing needs: it is raised. */
  KEEP_UP("merges must keep up with indexing"),

  /** The rate was above the ceiling. */
  OVER_CEILING("the rate was above the ceiling"),

  /** The latencies are far within the limit: the rate is raised fast. */
  CALM("latencies are far within the limit"),

  /** The target is met on many samples: the rate is raised a little. */
  MET_CLEARLY("the target is met on many samples"),

  /** Latencies are as if a heavy load were over: back to the rate that held before it. */
  LIGHTER_LOAD("the load is lighter again"),

  /** No operation has run for a while: the rate is raised fast. */
  NOBODY_WAITS("no operation has run for a while"),

  /** No sample came, and it is too early to conclude that none will. */
  NO_SAMPLES("no samples, for a short time"),

  /** A change has not shown its effect yet. */
  SETTLING("the last change has not shown its effect yet"),

  /** All samples since the last change were good, but they are still too few. */
  WATCHING("too few samples since the last change"),

  /** There is room, but a higher rate missed the target before. */
  PATIENCE("a higher rate missed the target before"),

  /**
   * More operations were late than the target allows, or could be: a higher rate has to wait until
   * enough others were in time.
   */
  ERROR_BUDGET("the error budget does not allow a higher rate"),

  /** Some latencies since the last change were near the limit. */
  NEAR("some latencies are near the limit"),

  /** Merges do not use the rate, so a higher one would change nothing. */
  UNUSED("merges do not use the rate"),

  /** The rate is at its ceiling. */
  AT_CEILING("the rate is at its ceiling");

  private final String text;

  GoalReason(String text) {
    this.text = text;
  }

  /** The reason in words. */
  public String text() {
    return text;
  }
}
