package io.weir.control;

/**
 * Receives the decisions of a {@link LatencyGoal}.
 *
 * <p><b>Threads:</b> called on the goal's thread, four times a second, with no lock held; so a
 * listener must return soon. <b>Failure:</b> an exception is caught, and the first one is logged as
 * a warning.
 */
@FunctionalInterface
public interface GoalListener {

  /** The goal has decided, and set the rate if that changed. */
  void decided(GoalDecision decision);
}
