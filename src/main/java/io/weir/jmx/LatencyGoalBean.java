package io.weir.jmx;

import io.weir.control.GoalSnapshot;
import io.weir.control.LatencyGoal;
import java.util.Objects;
import java.util.Optional;

/**
 * Exposes a latency goal in JMX as {@code io.weir:type=LatencyGoal,name=...} until it is closed;
 * the name is that of its budget.
 *
 * <p><b>Threads:</b> any. <b>Ownership:</b> owns the registration, not the goal.
 */
public final class LatencyGoalBean extends Registration {

  private LatencyGoalBean(LatencyGoal goal) {
    super(
        "LatencyGoal",
        goal.budget().name(),
        new FiguresBean("A latency goal: what it holds, sees and does", Optional.empty())
            .with(GoalSnapshot.FIGURES, goal::snapshot));
  }

  /**
   * Registers at the platform's server.
   *
   * @throws IllegalStateException if a goal of a budget of that name is registered
   */
  public static LatencyGoalBean register(LatencyGoal goal) {
    return new LatencyGoalBean(Objects.requireNonNull(goal, "goal"));
  }
}
